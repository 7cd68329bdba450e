import { type Grant, Grants as GrantsFile } from "../../contract/documents/permission.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { ruleText } from "../../contract/words/permission-words.ts";
import type { Change } from "../change.ts";
import { type Core, commit } from "../core.ts";
import type { Together } from "../together.ts";
import { PolicyList } from "./policy-list.ts";

/** More open grants than a person can look through; far fewer than the file can hold. */
const MOST_GRANTS = 1_000;

/** Permissions that the person gave and that may still be used: policies/permissions.yml, as it is now. */
export class Grants {
  readonly #core: Core;
  readonly #grants: PolicyList<Grant, "grants">;

  constructor(core: Core) {
    this.#core = core;
    this.#grants = new PolicyList(core, {
      path: "policies/permissions.yml",
      head: "# Permissions given to agents. Remove an entry to revoke it. Applies on save.\n",
      key: "grants",
      prefix: "grant",
      schema: GrantsFile,
      words: "none of its permissions apply until it is fixed",
    });
  }

  list(): Grant[] {
    return this.#grants.list();
  }

  problems(): Problem[] {
    return this.#grants.problems();
  }

  /** The grant becomes durable in one change with something else, which `work` makes. */
  addTogether<Result>(
    fields: Omit<Grant, "id" | "createdAt">,
    change: Change,
    work: (grant: Grant, together: Together) => Promise<Result>,
  ): Promise<Result> {
    return this.#grants.alone(() => {
      if (this.list().length >= MOST_GRANTS)
        throw new HallError("escalation_refused", `${MOST_GRANTS} permissions are open, which is the limit.`, {
          hint: "Revoke some that are no longer needed.",
        });
      const { id, number } = this.#grants.next();
      const grant: Grant = { id, ...fields, createdAt: this.#core.clock().toISOString() };
      return work(
        grant,
        this.#grants.edit({ type: "grant.created", after: inWords(grant) }, { put: grant, number }, change),
      );
    });
  }

  /** While it works, no grant is added or revoked. People who edit the file are not kept from it. */
  whileUnchanged<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#grants.alone(work);
  }

  /** Throws grant_not_found for one that is not open. Durable when it resolves. */
  revoke(id: string, change: Change): Promise<Grant> {
    return this.#grants.alone(async () => {
      const before = this.#grants.find(id);
      if (before === undefined) throw new HallError("grant_not_found", `There is no open grant '${id}'.`);
      const edit = this.#grants.edit({ type: "grant.revoked", before: inWords(before) }, { removed: before }, change);
      await commit(this.#core, edit.events, edit.apply, edit.writes);
      return before;
    });
  }

  /** Takes those out of the file that can't be used any more. What they were stays in the log. */
  async drop(isOver: (grant: Grant) => boolean, change: Change): Promise<void> {
    if (this.problems().length > 0 || !this.list().some(isOver)) return;
    await this.#grants.alone(async () => {
      const over = this.list().filter(isOver);
      if (over.length === 0) return;
      const changes = over.map((grant) => ({
        event: { type: "grant.ended" as const, before: { scope: grant.scope } },
        edit: { removed: grant },
      }));
      const { events, writes, apply } = this.#grants.edits(changes, change);
      await commit(this.#core, events, apply, writes);
    });
  }
}

/** As the log has it: with what it allows, for people to read. */
function inWords(grant: Grant): Grant & { text: string } {
  return { ...grant, text: ruleText(grant.rule) };
}
