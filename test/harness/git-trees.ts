import { execFileSync } from "node:child_process";
import type { TreeChange, TreeSource } from "../../src/quality/trees/tree-source.ts";

const STATUS: Record<string, TreeChange["status"]> = { A: "added", M: "modified", D: "deleted" };

/** Reads the trees of a repository with git, as plainly as will do. What makes or checks out trees is not there. */
export function gitTrees(root: string): TreeSource {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1e8 });
  const orNone = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch {
      return undefined;
    }
  };
  const notHere = async () => {
    throw new Error("Not here.");
  };
  return {
    revisions: async (names) =>
      names.map((name) =>
        orNone(() => {
          const [commit = "", tree = ""] = git("rev-parse", `${name}^{commit}`, `${name}^{tree}`).trim().split("\n");
          return { commit, tree };
        }),
      ),
    commit: async (revision) => orNone(() => git("rev-parse", `${revision}^{commit}`).trim()),
    tree: async (revision) => orNone(() => git("rev-parse", `${revision}^{tree}`).trim()),
    fork: async (left, right) => orNone(() => git("merge-base", left, right).trim()),
    changes: async (from, to) => {
      const counts = new Map(
        git("diff", "--numstat", "--no-renames", from, to)
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.split("\t"))
          .map(([additions, deletions, path = ""]) => [path, [additions, deletions] as const]),
      );
      return git("diff", "--name-status", "--no-renames", from, to)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [status = "", path = ""] = line.split("\t");
          const [additions = "0", deletions = "0"] = counts.get(path) ?? [];
          const binary = additions === "-";
          const count = (text: string) => (binary ? 0 : Number(text));
          return {
            path,
            status: STATUS[status] ?? "modified",
            additions: count(additions),
            deletions: count(deletions),
            binary,
          };
        });
    },
    merge: notHere,
    blame: notHere,
    search: notHere,
    log: notHere,
    diff: async (from, to, paths) => git("diff", "--no-renames", from, to, "--", ...(paths ?? [])),
    paths: async (tree) =>
      git("ls-tree", "-r", "--name-only", tree)
        .split("\n")
        .filter((path) => path !== ""),
    read: async (tree, path) =>
      orNone(() =>
        execFileSync("git", ["cat-file", "blob", `${tree}:${path}`], {
          cwd: root,
          stdio: ["ignore", "pipe", "ignore"],
        }),
      ),
    overlay: notHere,
    working: notHere,
    checkout: notHere,
  };
}
