import type { Project } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { checkedOutBranch, checkoutAbove } from "../../store/git/git-refs.ts";
import { type Git, GitFailure } from "./git.ts";
import type { Found } from "./repository.ts";
import { type Checked, type Damage, damageIn } from "./repository-check.ts";

const RECHECK_MS = 5_000;

interface Parts {
  git: Git;
  onRecovered: (repository: string) => void;
  onTrouble: (what: string, error: unknown) => void;
  recheckMs?: number;
}

interface Damaged {
  checked: Checked;
  damage: Damage;
}

/**
 * Which repositories are damaged. Nothing is merged into one of them and no run starts there. It is looked at again every few
 * seconds, and before each use, so that it counts as sound as soon as a person has repaired it.
 */
export class RepositoryHealth {
  readonly #parts: Parts;
  readonly #damaged = new Map<string, Damaged>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at a repository, because something failed there or may have been lost. */
  async examine(checked: Checked): Promise<Damage | undefined> {
    const known = this.#damaged.get(checked.repository)?.damage;
    const damage = await damageIn(this.#parts.git, checked).catch((error) => {
      // Git could not look: what was known before still holds.
      if (error instanceof GitFailure) return known;
      throw error;
    });
    if (damage !== undefined) this.#note(checked, damage);
    else if (this.#damaged.delete(checked.repository)) this.#parts.onRecovered(checked.repository);
    return damage;
  }

  /** As examine, but only where damage was found before. */
  async knownDamage(repository: string): Promise<Damage | undefined> {
    const known = this.#damaged.get(repository);
    return known === undefined ? undefined : this.examine(known.checked);
  }

  /** Why no run can write in the repository that was found for a project, if that is because of damage. */
  async refusal(found: Found, project: Project): Promise<HallError | undefined> {
    if (found === undefined) return undefined;
    if (!(found instanceof HallError)) return refusalOf(found.gitDir, await this.knownDamage(found.gitDir));
    // Nobody confirmed what is there now: it is not looked into.
    if (found.code === "workdir_changed") return undefined;
    const checkout = project.workdir === undefined ? undefined : checkoutAbove(project.workdir);
    if (checkout === undefined) return undefined;
    const target = project.config.branch ?? checkedOutBranch(checkout);
    return refusalOf(checkout.repository, await this.examine({ repository: checkout.repository, target }));
  }

  problems(): Problem[] {
    return [...this.#damaged].map(([file, { damage }]) => ({
      file,
      kind: "repository",
      severity: "invalid",
      reason: `the git repository is damaged: ${damage.detail}. Nothing is merged into it, and runs that write can't start there. ${damage.remedy}`,
    }));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#damaged.clear();
  }

  #note(checked: Checked, damage: Damage): void {
    this.#damaged.set(checked.repository, { checked, damage });
    this.#timer ??= setTimeout(() => void this.#recheck(), this.#parts.recheckMs ?? RECHECK_MS).unref();
  }

  async #recheck(): Promise<void> {
    this.#timer = undefined;
    for (const { checked } of [...this.#damaged.values()])
      await this.examine(checked).catch((error) => {
        this.#note(checked, this.#damaged.get(checked.repository)?.damage as Damage);
        this.#parts.onTrouble(`the repository '${checked.repository}' could not be checked`, error);
      });
  }
}

/** What is said to whoever wants to use a damaged repository. */
export function refusalOf(repository: string, damage: Damage | undefined): HallError | undefined {
  if (damage === undefined) return undefined;
  return new HallError("repository_damaged", `The git repository '${repository}' is damaged: ${damage.detail}.`, {
    hint: damage.remedy,
  });
}
