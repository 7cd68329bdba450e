import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { entriesIn } from "../files/folders.ts";

/** Files that are looked at before others have their turn. */
const LOOKS_AT_ONCE = 500;

/**
 * What shows that a file was changed. The time of the last change of its state is part of it: nobody without the machine's own
 * rights can set that back.
 */
interface PathStamp {
  ino: number;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  mode: number;
}

export type PathStamps = Map<string, PathStamp | undefined>;

/** By their paths below a folder. */
export async function stampsOfPaths(root: string, paths: Iterable<string>): Promise<PathStamps> {
  const stamps: PathStamps = new Map();
  let looked = 0;
  for (const path of paths) {
    if (++looked % LOOKS_AT_ONCE === 0) await nextTurn();
    stamps.set(path, stampOf(`${root}/${path}`));
  }
  return stamps;
}

/** Whether every file is still there, with its stamp. */
export async function areUntouched(root: string, stamps: Readonly<PathStamps>): Promise<boolean> {
  let looked = 0;
  for (const [path, before] of stamps) {
    if (++looked % LOOKS_AT_ONCE === 0) await nextTurn();
    const now = stampOf(`${root}/${path}`);
    if (now === undefined || before === undefined || !isSame(now, before)) return false;
  }
  return true;
}

function isSame(left: PathStamp, right: PathStamp): boolean {
  return (
    left.ino === right.ino &&
    left.size === right.size &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.mode === right.mode
  );
}

function stampOf(absolute: string): PathStamp | undefined {
  try {
    const { ino, size, mtimeMs, ctimeMs, mode } = lstatSync(absolute);
    return { ino, size, mtimeMs, ctimeMs, mode };
  } catch {
    return undefined;
  }
}

/** How many entries each folder of a tree has, if it holds nothing else. */
export function countsOf(files: Iterable<string>): Map<string, number> {
  const counts = new Map([["", 0]]);
  const count = (path: string): void => {
    const slash = path.lastIndexOf("/");
    const folder = slash === -1 ? "" : path.slice(0, slash);
    const known = counts.get(folder);
    counts.set(folder, (known ?? 0) + 1);
    if (known === undefined) count(folder);
  };
  for (const file of files) count(file);
  return counts;
}

/** Whether a folder in which all these files are holds anything else. */
export function holdsOthers(root: string, counts: ReadonlyMap<string, number>): boolean {
  for (const [folder, count] of counts) if (readdirSync(join(root, folder)).length !== count) return true;
  return false;
}

/** What a folder holds beside these files: the outermost of each. Links are not followed. */
export function othersIn(root: string, files: ReadonlySet<string>): string[] {
  const folders = new Set([...files].flatMap(foldersOf));
  const others: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesIn(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && folders.has(path)) waiting.push(path);
      else if (entry.isDirectory() || !files.has(path)) others.push(path);
    }
  }
  return others;
}

function foldersOf(path: string): string[] {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? [] : [path.slice(0, slash), ...foldersOf(path.slice(0, slash))];
}
