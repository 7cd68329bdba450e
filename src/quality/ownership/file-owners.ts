import type { FileOwner } from "../../contract/documents/quality/gate.ts";

/** Who changes files: runs on one branch are one, also where one continues the work of another. */
export interface Changer {
  runId: string;
  taskId: string;
  branch: string;
}

interface Owned extends FileOwner {
  branch: string;
}

/** `file`: who had it already. */
export type Claimed = { is: "owned" } | { is: "conflict"; owner: FileOwner };

/** Which run of a project changes which file, since when. Paths are relative to the root of the repository. */
export class FileOwners {
  readonly #files = new Map<string, Owned>();

  /** A file has one owner, the first; another one who changes it too is in conflict with it. */
  claim({ runId, taskId, branch }: Changer, path: string, at: string): Claimed {
    const known = this.#files.get(path);
    if (known !== undefined && known.branch !== branch) {
      const { branch: _, ...owner } = known;
      return { is: "conflict", owner };
    }
    this.#files.set(path, { path, runId, taskId, branch, since: known?.since ?? at });
    return { is: "owned" };
  }

  /** What is on the branch is merged, discarded or given up. */
  release(branch: string): void {
    for (const [path, owned] of this.#files) if (owned.branch === branch) this.#files.delete(path);
  }

  list(): FileOwner[] {
    return [...this.#files.values()]
      .map(({ branch: _, ...owner }) => owner)
      .sort((left, right) => (left.path < right.path ? -1 : 1));
  }
}
