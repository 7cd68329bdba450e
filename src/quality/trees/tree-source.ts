/** One path that differs between two trees. */
export interface TreeChange {
  path: string;
  status: "added" | "modified" | "deleted" | "renamed";
  /** Of a renamed file. */
  from?: string | undefined;
  additions: number;
  deletions: number;
  binary: boolean;
}

/** A path whose content comes from another tree or is given, or that is taken away. One that exists keeps its mode. */
export type Overlay =
  | { path: string; from: string }
  | { path: string; content: Buffer }
  | { path: string; remove: true };

/** A place in a tree that has a text that was looked for. */
export interface Mention {
  path: string;
  line: number;
  /** The whole line. */
  text: string;
}

export interface CommitText {
  commit: string;
  message: string;
  /** The run that made it, by its trailer. */
  runId?: string;
}

/** What a name leads to. */
export interface Revision {
  commit: string;
  tree: string;
}

/**
 * Reads trees of one repository, and makes new ones, without a trace in the person's checkout. Trees and revisions are named by
 * what git takes for one; answers hold full hashes.
 */
export interface TreeSource {
  /** What each of some names leads to; undefined where it leads to no commit. */
  revisions(names: readonly string[]): Promise<(Revision | undefined)[]>;
  /** Undefined where there is none. */
  commit(revision: string): Promise<string | undefined>;
  tree(revision: string): Promise<string | undefined>;
  /** The newest commit that both have. Undefined where there is none. */
  fork(left: string, right: string): Promise<string | undefined>;
  changes(from: string, to: string): Promise<TreeChange[]>;
  /** A unified diff. `paths`: only of these. */
  diff(from: string, to: string, paths?: readonly string[]): Promise<string>;
  paths(tree: string): Promise<string[]>;
  /** Undefined where the tree has no such file. */
  read(tree: string, path: string): Promise<Buffer | undefined>;
  /** Lines of text files that match a POSIX extended regular expression, by path. */
  search(tree: string, pattern: string): Promise<Mention[]>;
  /** Commits that `to` has and `from` has not, newest first, at most 1,000. */
  log(from: string, to: string): Promise<CommitText[]>;
  /** A commit that merges the second into the first, which no branch has; or the paths that both changed. */
  merge(ours: string, theirs: string): Promise<{ commit: string } | { conflicts: string[] }>;
  /** The commit that a line of a file is from; undefined where there is no such line. */
  blame(commit: string, path: string, line: number): Promise<string | undefined>;
  /** The hash of a tree with some paths replaced. */
  overlay(tree: string, overlays: readonly Overlay[]): Promise<string>;
  /**
   * The hash of the tree of everything in the person's folder that is not ignored, committed or not. `work`: in another checkout of the
   * repository.
   */
  working(work?: { checkout: string; records: string }): Promise<string>;
  /** The files of a tree in a folder of their own, which goes when `use` is over. */
  checkout<Result>(tree: string, use: (folder: string) => Promise<Result>): Promise<Result>;
}
