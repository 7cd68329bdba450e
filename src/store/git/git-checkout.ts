import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { FolderGit } from "../../contract/documents/workdir.ts";
import { entriesIn, isThere, realPlaceOf } from "../files/folders.ts";
import { identityAt } from "../files/path-identity.ts";
import { readWhole } from "../files/regular-file.ts";

/** A folder with files of a repository. */
export interface GitCheckout {
  /** What the checkout has for itself: its index and what it has checked out. */
  records: string;
  /** What all checkouts share. */
  repository: string;
}

/** What git follows links in, or is led elsewhere by, with how deep to look. */
const LOOKED_INTO: Record<string, number> = { refs: 20, logs: 20, worktrees: 20, info: 1, objects: 1 };
const MOST_ALTERNATE_STEPS = 5;
const MOST_ALTERNATES = 32;
/** Of a file that says where a repository is. */
const MOST_BYTES = 256 * 1024;
/** Of the objects, those that lie apart are named by what they hold; whoever knows the names knows that. */
const PACKS = ["objects/pack", "objects/info"];

/**
 * The checkout that lies in a folder; a text says why it is not believed. A command can make a folder a checkout, and give
 * it out for one of any repository of the machine. So a repository counts when it holds the checkout, or names it, and when
 * nothing in it leads out of it.
 */
export function checkoutAt(folder: string): GitCheckout | string {
  const found = checkoutIn(realPlaceOf(folder));
  if (typeof found === "string") return found;
  const way = wayOut(found.repository);
  return way === undefined ? found : `'${way}' leads outside it`;
}

function checkoutIn(root: string): GitCheckout | string {
  const link = join(root, ".git");
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (stats === undefined) return `there is no '${link}'`;
  if (stats.isSymbolicLink()) return `'${link}' is a link`;
  const found = stats.isDirectory() ? { records: link, repository: link } : namedBy(link, root);
  return found ?? `'${link}' names a repository that does not name this checkout`;
}

/**
 * The repository that a folder is in, as its files tell. Git itself is not asked: it would heed the settings it finds on the
 * way. A repository that holds the whole home folder does not count: what people keep there is about themselves.
 */
export function gitAround(workdir: string, home: string): FolderGit {
  for (let folder = workdir; folder !== home; folder = dirname(folder)) {
    const found = gitIn(folder);
    if (found.state !== "none" || dirname(folder) === folder) return found;
  }
  return { state: "none" };
}

function gitIn(folder: string): FolderGit {
  const link = join(folder, ".git");
  const stats = lstatSync(link, { throwIfNoEntry: false });
  // Git passes over a folder that only has the name.
  if (stats !== undefined && !(stats.isDirectory() && !looksLikeRepository(link)))
    return identityIn(folder, stats.isDirectory() ? "folder" : "file");
  if (!looksLikeRepository(folder)) return { state: "none" };
  return { state: "unusable", at: folder, reason: "is a bare repository, without files to work on" };
}

function identityIn(folder: string, kind: "folder" | "file"): FolderGit {
  const unusable = (reason: string): FolderGit => ({ state: "unusable", at: folder, reason });
  const found = checkoutIn(folder);
  if (typeof found === "string") return unusable(`cannot be used: ${found}`);
  const alternates = alternatesOf(join(found.repository, "objects"));
  if (typeof alternates === "string") return unusable(`cannot be used: ${alternates}`);
  const checkout = identityAt(folder);
  const dotGit = identityAt(join(folder, ".git"));
  const records = identityAt(found.records);
  const repository = identityAt(found.repository);
  if (checkout === undefined || dotGit === undefined || records === undefined || repository === undefined)
    return unusable(`cannot be used: '${found.records}' cannot be reached`);
  return { state: "repository", checkout, dotGit, kind, records, repository, alternates };
}

/** What git takes for a repository when it comes by: objects and refs may be in the folder that `commondir` names. */
function looksLikeRepository(folder: string): boolean {
  const has = (name: string) => isThere(join(folder, name)) || isLink(join(folder, name));
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** As git: an object folder names others, which may name others in turn. A text says why they cannot be told. */
function alternatesOf(objects: string, depth = 0, known = new Set<string>()): string[] | string {
  const file = join(objects, "info/alternates");
  for (const line of textOf(file).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith('"') || depth === MOST_ALTERNATE_STEPS || known.size >= MOST_ALTERNATES)
      return `the paths in '${file}' cannot be resolved`;
    const other = realPlaceOf(resolve(objects, line));
    if (known.has(other)) continue;
    known.add(other);
    const further = alternatesOf(other, depth + 1, known);
    if (typeof further === "string") return further;
  }
  return [...known];
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

/** Empty where there is no such file, or one too long to be what it should be. A pipe is not waited for. */
export function textOf(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= MOST_BYTES ? readWhole(file, stats.size).toString("utf8") : "";
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
