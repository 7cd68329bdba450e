import { HallError } from "../../contract/errors.ts";
import type { Revision, TreeSource } from "../trees/tree-source.ts";
import type { Span } from "./ground.ts";

/** What a repository without commits is compared with. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * What is judged: from where `head` left `base`, up to `head`. Without `head`, up to the files as they are in the folder,
 * committed or not. Without `base`, from the newest commit.
 */
export async function spanBetween(
  trees: TreeSource,
  { base, head }: { base?: string | undefined; head?: string | undefined },
): Promise<Span> {
  const names = [base, head].map((name) => (name === undefined || isOption(name) ? "HEAD" : name));
  const [from, end] = await trees.revisions(names);
  if (base !== undefined) assertFound("base", base, from);
  if (head !== undefined) assertFound("head", head, end);
  if (from === undefined && end === undefined && base === undefined && head === undefined)
    return { base: EMPTY_TREE, baseTree: EMPTY_TREE, tree: await trees.working() };
  if (end === undefined || from === undefined) throw new HallError("gate_refused", "The repository has no commit yet.");
  const fork = await trees.fork(from.commit, end.commit);
  if (fork === undefined)
    throw new HallError("gate_refused", `'${base ?? "HEAD"}' and '${head ?? "HEAD"}' have no commit in common.`);
  const baseTree = [from, end].find(({ commit }) => commit === fork)?.tree ?? (await treeOf(trees, fork));
  if (head !== undefined) return { base: fork, baseTree, head: end.commit, tree: end.tree };
  const tree = await trees.working();
  // A folder without uncommitted changes is a commit.
  return { base: fork, baseTree, ...(tree === end.tree && { head: end.commit }), tree };
}

/** What begins with a dash would be an option. */
function isOption(name: string): boolean {
  return name.startsWith("-");
}

function assertFound(name: "base" | "head", revision: string, found: Revision | undefined): void {
  if (found === undefined || isOption(revision))
    throw new HallError("invalid", `${name}: there is no commit '${revision}'.`);
}

async function treeOf(trees: TreeSource, commit: string): Promise<string> {
  const tree = await trees.tree(commit);
  if (tree === undefined) throw new HallError("gate_refused", `The files of commit ${commit} can't be read.`);
  return tree;
}
