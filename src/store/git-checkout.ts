import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { entriesIn, realPlaceOf } from "./folders.ts";

/** A folder with files of a repository. */
export interface GitCheckout {
  /** What the checkout has for itself: its index and what it has checked out. */
  records: string;
  /** What all checkouts share. */
  repository: string;
}

/** What git follows links in, or is led elsewhere by, with how deep to look. */
const LOOKED_INTO: Record<string, number> = { refs: 20, logs: 20, worktrees: 20, info: 1, objects: 1 };
/** Of the objects, those that lie apart are named by what they hold; whoever knows the names knows that. */
const PACKS = ["objects/pack", "objects/info"];

/**
 * The checkout that lies in a folder; a text says why it is not believed. A command can make a folder a checkout, and give
 * it out for one of any repository of the machine. So a repository counts when it holds the checkout, or names it, and when
 * nothing in it leads out of it.
 */
export function checkoutAt(folder: string): GitCheckout | string {
  const root = realPlaceOf(folder);
  const link = join(root, ".git");
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (stats === undefined) return `there is no '${link}'`;
  const found = stats.isDirectory() ? { records: link, repository: link } : namedBy(link, root);
  if (found === undefined) return `'${link}' names a repository that does not name this checkout`;
  const way = wayOut(found.repository);
  return way === undefined ? found : `'${way}' leads elsewhere`;
}

/** The folder that a repository which lies apart from its files, as a submodule's does, names as its checkout. */
export function namedCheckout(repository: string): string | undefined {
  const [, given] = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(textOf(join(repository, "config"))) ?? [];
  return given === undefined ? undefined : realPlaceOf(resolve(repository, given));
}

function namedBy(link: string, root: string): GitCheckout | undefined {
  const [, given] = /^gitdir: (.+?)\n?$/.exec(textOf(link)) ?? [];
  if (given === undefined) return undefined;
  const records = realPlaceOf(resolve(root, given));
  const back = textOf(join(records, "gitdir")).trim();
  if (basename(dirname(records)) === "worktrees" && back !== "")
    return realPlaceOf(resolve(records, back)) === link
      ? { records, repository: dirname(dirname(records)) }
      : undefined;
  return namedCheckout(records) === root ? { records, repository: records } : undefined;
}

/** What in a repository leads out of it. */
export function wayOut(repository: string): string | undefined {
  if (lstatSync(join(repository, "commondir"), { throwIfNoEntry: false })) return join(repository, "commondir");
  for (const entry of entriesIn(repository)) {
    const path = join(repository, entry.name);
    if (entry.isSymbolicLink()) return path;
    const found = entry.isDirectory() ? linkBelow(path, LOOKED_INTO[entry.name] ?? 0) : undefined;
    if (found !== undefined) return found;
  }
  return PACKS.map((path) => linkBelow(join(repository, path), 1)).find((found) => found !== undefined);
}

function linkBelow(folder: string, depth: number): string | undefined {
  if (depth === 0) return undefined;
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return path;
    const found = entry.isDirectory() ? linkBelow(path, depth - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
