import type { LocalChecks } from "../checks/local-checks.ts";
import type { TreeSource } from "../trees/tree-source.ts";

/** The repository that a change is judged in, for as long as that takes. */
export interface Ground {
  trees: TreeSource;
  checks: LocalChecks;
  /** Where the project's folder is in the repository; empty where it is its root. */
  prefix: string;
  close(): Promise<void>;
}

/** What differs, in full hashes. `base` and `head` are commits; without `head` the files are not committed. */
export interface Span {
  base: string;
  baseTree: string;
  head?: string | undefined;
  tree: string;
}
