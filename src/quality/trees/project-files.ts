import type { GitTrees } from "./git-trees.ts";

/** The files of a project's folder in one revision of its repository. */
export interface ProjectFiles {
  /** Relative to the project's folder. */
  paths: string[];
  /** A regular file of at most so many bytes. */
  read: (path: string, most: number) => ReturnType<GitTrees["readSmall"]>;
}

/** Of the newest commit, or of what is in the folder where there is none yet. */
export async function projectFiles(
  { trees, prefix }: { trees: Pick<GitTrees, "tree" | "working" | "paths" | "readSmall">; prefix: string },
  revision = "HEAD",
): Promise<ProjectFiles> {
  const tree = (await trees.tree(revision)) ?? (await trees.working());
  const within = prefix === "" ? "" : `${prefix}/`;
  const paths = (await trees.paths(tree)).filter((path) => path.startsWith(within));
  return {
    paths: paths.map((path) => path.slice(within.length)),
    read: (path, most) => trees.readSmall(tree, `${within}${path}`, most),
  };
}
