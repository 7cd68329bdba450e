import { type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { entriesIn, realPlaceOf } from "../files/folders.ts";

const NAMES = new Set(["node_modules", "vendor", ".venv", "venv"]);
const DEEPEST = 3;
const MOST_FOLDERS = 2_000;

/**
 * Folders of installed packages that a checkout has and a worktree of it lacks, because git does not keep them. Relative to
 * both. Links are not followed in either: what agents write may come to be in a checkout.
 */
export function lackedPackages(checkout: string, worktree: string): string[] {
  const found: string[] = [];
  const waiting = [{ path: "", depth: 1 }];
  for (let looked = 0; looked < MOST_FOLDERS; looked++) {
    const next = waiting.shift();
    if (next === undefined) break;
    for (const { name } of foldersIn(join(checkout, next.path))) {
      const path = join(next.path, name);
      if (NAMES.has(name)) found.push(...(isLacked(join(worktree, path)) ? [path] : []));
      else if (next.depth < DEEPEST && !name.startsWith(".") && isFolder(join(worktree, path)))
        waiting.push({ path, depth: next.depth + 1 });
    }
  }
  return found.filter((path) => realPlaceOf(join(checkout, path)) === join(realPlaceOf(checkout), path));
}

/** Programs in these name the place where they were installed. */
export function isBoundToItsPlace(path: string): boolean {
  return /(?:^|\/)\.?venv$/.test(path);
}

function isLacked(absolute: string): boolean {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  return stats === undefined || (stats.isDirectory() && entriesIn(absolute).length === 0);
}

function isFolder(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
}

function foldersIn(folder: string): Dirent[] {
  return entriesIn(folder).filter((entry) => entry.isDirectory());
}
