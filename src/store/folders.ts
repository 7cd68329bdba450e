import { execFile } from "node:child_process";
import {
  copyFileSync,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  utimesSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

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
  return existsSync(absolute) ? realpathSync(absolute) : absolute;
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

/** Makes a folder that nobody but the hall's user can look into, if there is none yet. */
export function makeFolder(absolute: string): void {
  mkdirSync(absolute, { recursive: true, mode: 0o700 });
}

/** Removes a folder that the hall made, with all that is in it. Links are removed, not followed. */
export function removeFolder(absolute: string): Promise<void> {
  return rm(absolute, { recursive: true, force: true, maxRetries: 3 });
}

/** As removeFolder, of one that may hold very many files, in a process of its own: here each of them would take its time. */
export async function removeLargeFolder(absolute: string): Promise<void> {
  if (!existsSync(absolute)) return;
  // Where that fails, this says why.
  await run("/bin/rm", ["-rf", "--", absolute]).catch(() => removeFolder(absolute));
}

/** Copies a file with the time of its last change, which is never later than the original's. */
export function copyWithTime(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  utimesSync(to, Math.floor(mtimeMs) / 1_000, Math.floor(mtimeMs) / 1_000);
}

/** What tells a folder from every other of its file system; undefined when a path leads to none. */
export function inodeOf(absolute: string): string | undefined {
  try {
    const stats = statSync(absolute, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? String(stats.ino) : undefined;
  } catch {
    return undefined;
  }
}
