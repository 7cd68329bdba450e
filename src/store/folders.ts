import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  type Dirent,
  existsSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  utimesSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { codeOf } from "./regular-file.ts";

/** Bytes that a path may have below the folder before what is there is brought up. */
const LONGEST_BELOW = 1_000;
/** Folders that are looked into before others have their turn. */
const LOOKS_AT_ONCE = 100;

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

/**
 * Removes a folder that the hall made, with all that is in it, however deep. Links are removed, not followed. Nobody else
 * may work in it any more.
 */
export async function removeFolder(absolute: string): Promise<void> {
  const remove = () => rm(absolute, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (codeOf(error) !== "ENAMETOOLONG") throw error;
    await raiseDeepFolders(absolute);
    await remove();
  }
}

/** The system takes paths of about 4,000 bytes: folders that lie deeper are brought to the top, again and again. */
async function raiseDeepFolders(root: string): Promise<void> {
  const open = [root];
  for (let folder = open.pop(), looked = 1; folder !== undefined; folder = open.pop(), looked++) {
    if (looked % LOOKS_AT_ONCE === 0) await nextTurn();
    if (folder.length - root.length > LONGEST_BELOW) {
      const raised = join(root, `raised-${randomBytes(8).toString("hex")}`);
      renameSync(folder, raised);
      folder = raised;
    }
    for (const entry of entriesIn(folder)) if (entry.isDirectory()) open.push(join(folder, entry.name));
  }
}

/** Copies a file with the time of its last change, which is never later than the original's. */
export function copyWithTime(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  utimesSync(to, Math.floor(mtimeMs) / 1_000, Math.floor(mtimeMs) / 1_000);
}
