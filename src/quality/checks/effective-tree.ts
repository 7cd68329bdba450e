import type { GitTrees } from "../trees/git-trees.ts";
import type { Placed } from "../trees/tree-entry.ts";
import { manifestOf, manifestSettings, withBaseSettings } from "./check-settings.ts";

/**
 * The tree that is checked: the one under judgement, with every setting of compilers and runners as the base has it. The
 * author of a change must not decide how the change is checked.
 */
export async function effectiveTree(
  trees: GitTrees,
  { base, tree, isSetting }: { base: string; tree: string; isSetting: (path: string) => boolean },
): Promise<string> {
  if (base === tree) return tree;
  const changes = await trees.changes(base, tree);
  const paths = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const known = await trees.entries(base);
  const placed: Placed[] = [];
  for (const path of paths) {
    if (isSetting(path)) placed.push({ path, entry: known.get(path) });
    else placed.push(...(await manifest(trees, { base, tree, path })));
  }
  return trees.place(tree, placed);
}

async function manifest(
  trees: GitTrees,
  { base, tree, path }: { base: string; tree: string; path: string },
): Promise<Placed[]> {
  const name = manifestOf(path);
  if (name === undefined) return [];
  const [before, after] = [await trees.read(base, path), await trees.read(tree, path)];
  if (before === undefined || after === undefined) return [];
  const [old, changed] = [before.toString("utf8"), after.toString("utf8")];
  if (manifestSettings(name, old) === manifestSettings(name, changed)) return [];
  const text = withBaseSettings(name, changed, old);
  if (text === undefined) return [];
  return [{ path, entry: { mode: "100644", object: await trees.blob(Buffer.from(text)) } }];
}
