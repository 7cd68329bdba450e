import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { realPlaceOf } from "../files/folders.ts";
import { textOf } from "./git-checkout.ts";

/**
 * The repository that a git worktree belongs to, if the folder is one. Both must say so: a file that an agent writes into
 * its own folder cannot point to any other place of the machine.
 */
export function repositoryOf(worktree: string): string | undefined {
  const link = join(worktree, ".git");
  const [, given] = /^gitdir: (.+)\n?$/.exec(textOf(link)) ?? [];
  if (given === undefined) return undefined;
  const folder = realPlaceOf(isAbsolute(given) ? given : resolve(worktree, given));
  const back = textOf(join(folder, "gitdir")).trim();
  const repository = dirname(dirname(folder));
  const isOutside = !`${folder}/`.startsWith(`${realPlaceOf(worktree)}/`);
  const isWorktree =
    basename(dirname(folder)) === "worktrees" && back !== "" && realPlaceOf(back) === realPlaceOf(link);
  return isOutside && isWorktree ? repository : undefined;
}
