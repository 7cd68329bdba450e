import { copyFileSync, type Dirent, existsSync, readdirSync, realpathSync, statSync, utimesSync } from "node:fs";
import { rm } from "node:fs/promises";

/** Whether there is a folder, followed through links. One that cannot be reached is as good as none. */
export function isFolder(absolute: string): boolean {
  try {
    return statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Whether a path leads to anything. */
export function isThere(absolute: string): boolean {
  return existsSync(absolute);
}

/** Where a path leads through links; the path itself when it leads to nothing. */
export function realPlaceOf(absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
}

/** Whether a path is a folder or lies in it, by their names alone. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** What stands in a folder. One that cannot be read is as good as empty. */
export function entriesIn(absolute: string): Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Removes a folder that the hall made, with all that is in it. Links are removed, not followed. */
export function removeFolder(absolute: string): Promise<void> {
  return rm(absolute, { recursive: true, force: true, maxRetries: 3 });
}

/** Copies a file with the time of its last change, which is never later than the original's. */
export function copyWithTime(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  utimesSync(to, Math.floor(mtimeMs) / 1_000, Math.floor(mtimeMs) / 1_000);
}
