import { join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { Git } from "../../runs/git/git.ts";
import { removeFolder, removeLargeFolder } from "../../store/files/folders.ts";
import type { Core } from "../../workspace/core.ts";
import { STATE_FOLDER } from "../../workspace/layout.ts";
import type { LocalChecks } from "../checks/local-checks.ts";
import { GitTrees } from "../trees/git-trees.ts";
import type { Ground } from "./ground.ts";

interface Parts {
  core: Pick<Core, "files" | "nextId" | "projects" | "workdirRecords">;
  git: Git;
  /** `scratch`: a folder for them alone. */
  checksOf: (trees: GitTrees, projectId: string, scratch: string) => LocalChecks;
}

/** Where one repository is read, with the checkouts that its next gate can use again. */
interface Kept {
  trees: GitTrees;
  scratch: string;
  uses: number;
  timer?: NodeJS.Timeout | undefined;
}

const FOLDER = `${STATE_FOLDER}/gates`;
const KEPT_MS = 10 * 60_000;

/** The repositories of projects, as a person confirmed them. */
export class ProjectGrounds {
  readonly #parts: Parts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What a crash left. Called before anything is opened. */
  async sweep(): Promise<void> {
    await removeLargeFolder(join(this.#parts.core.files.root, FOLDER));
  }

  /** `repository`: where the result of a run is, if not in the one that the project's folder is in now. */
  async of(projectId: string, repository?: string): Promise<Ground & { trees: GitTrees }> {
    const { core, git, checksOf } = this.#parts;
    const workdir = core.projects.get(projectId)?.workdir ?? undefined;
    const sight = core.workdirRecords.look({ id: projectId, workdir });
    const known = sight !== undefined && "git" in sight && sight.git.state === "repository" ? sight.git : undefined;
    if (known === undefined && repository === undefined)
      throw new HallError("gate_refused", whyNot(projectId, sight?.changes ?? []));
    const isSame = known !== undefined && (repository === undefined || repository === known.repository.path);
    const place = {
      repository: repository ?? known?.repository.path ?? "",
      ...(isSame && { work: { checkout: known.checkout.path, records: known.records.path } }),
    };
    const key = JSON.stringify(place);
    const kept = this.#kept.get(key) ?? this.#open(key, (scratch) => new GitTrees({ git, ...place, scratch }));
    clearTimeout(kept.timer);
    kept.uses++;
    const { trees } = kept;
    const scratch = join(kept.scratch, core.nextId());
    const folder = sight !== undefined && "path" in sight ? sight.path : "";
    return {
      trees,
      checks: checksOf(trees, projectId, scratch),
      prefix: isSame ? folder.slice(known.checkout.path.length + 1) : "",
      close: async () => {
        await removeFolder(scratch);
        this.#release(key, kept);
      },
    };
  }

  /** Once no gate is under way. */
  async close(): Promise<void> {
    for (const [key, kept] of this.#kept) await this.#end(key, kept);
  }

  #open(key: string, make: (scratch: string) => GitTrees): Kept {
    const { core } = this.#parts;
    const scratch = join(core.files.root, FOLDER, core.nextId());
    const kept: Kept = { trees: make(join(scratch, "trees")), scratch, uses: 0 };
    this.#kept.set(key, kept);
    return kept;
  }

  #release(key: string, kept: Kept): void {
    kept.uses--;
    if (kept.uses > 0) return;
    kept.timer = setTimeout(() => void this.#end(key, kept).catch(() => undefined), KEPT_MS).unref();
  }

  async #end(key: string, kept: Kept): Promise<void> {
    clearTimeout(kept.timer);
    this.#kept.delete(key);
    await kept.trees.close();
    await removeLargeFolder(kept.scratch);
  }
}

function whyNot(projectId: string, changes: readonly string[]): string {
  return changes.length > 0
    ? `The folder of project '${projectId}' can't be used. ${changes.join(" ")}`
    : `Project '${projectId}' has no git repository, and gates judge commits.`;
}
