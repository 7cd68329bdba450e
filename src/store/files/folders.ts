import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  utimesSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { hasDescriptorPaths, realPath } from "./real-path.ts";
import { codeOf } from "./regular-file.ts";

const run = promisify(execFile);
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
  try {
    return realPath(absolute);
  } catch {
    return absolute;
  }
}

/** Where a path leads, or would lead if what is missing of it were made. */
export function comingPlaceOf(absolute: string): string {
  const plain = resolve(absolute);
  const parent = dirname(plain);
  if (existsSync(plain) || parent === plain) return realPlaceOf(plain);
  return join(comingPlaceOf(parent), basename(plain));
}

/** Whether a path is a folder or lies in it, by their names alone. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

/** Whether two paths lead to one folder, also by mounts. False while one of them is not there. */
export function isSameFolder(one: string, other: string): boolean {
  try {
    const [first, second] = [statSync(one), statSync(other)];
    return first.dev === second.dev && first.ino === second.ino;
  } catch {
    return false;
  }
}

/** What stands in a folder. Throws where it cannot be read. */
export function listFolder(absolute: string): Dirent[] {
  return readdirSync(absolute, { withFileTypes: true });
}

/** What stands in a folder. One that cannot be read is as good as empty. */
export function entriesIn(absolute: string): Dirent[] {
  try {
    return listFolder(absolute);
  } catch {
    return [];
  }
}

/** Makes a folder that nobody but the hall's user can look into, if there is none yet. */
export function makeFolder(absolute: string): void {
  mkdirSync(absolute, { recursive: true, mode: 0o700 });
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

/** As removeFolder, of one that may hold very many files, in a process of its own: here each of them would take its time. */
export async function removeLargeFolder(absolute: string): Promise<void> {
  if (!existsSync(absolute)) return;
  // Where that fails, this says why.
  await run("/bin/rm", ["-rf", "--", absolute]).catch(() => removeFolder(absolute));
}

/** As removeFolder, for a process that is about to end and waits for nothing any more. What can't be removed stays. */
export function removeAtExit(absolute: string): void {
  spawnSync("/bin/rm", ["-rf", "--", absolute], { stdio: "ignore" });
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

/** As inodeOf, of a folder that is at this very path: undefined where any part of it is a link. */
export function unlinkedInode(absolute: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(absolute, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    // What was opened, wherever the path leads a moment later.
    const own = `/proc/self/fd/${fd}`;
    const place = hasDescriptorPaths ? readlinkSync(own) : realPath(absolute);
    return place === absolute ? String(fstatSync(fd, { bigint: true }).ino) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
