import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { getSystemErrorMessage, promisify } from "node:util";
import { HallError } from "../../contract/errors.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

const syncFile = promisify(fdatasync);

/** Largest file that is read whole. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** What tells one state of a file from another without reading it. */
export interface Stamp {
  mtime: number;
  size: number;
  inode: number;
}

export function openDirectory(absolute: string, shown: string): number {
  try {
    return openSync(absolute, O_RDONLY | O_DIRECTORY);
  } catch (error) {
    if (isNowhere(error)) throw new HallError("file_not_found", `There is no folder '${shown}'.`);
    throw error;
  }
}

export interface LinkRule {
  hardLinks: "accept" | "refuse";
}

const ANY_NAMES: LinkRule = { hardLinks: "accept" };

export function readRegular(absolute: string, shown: string, rule: LinkRule = ANY_NAMES): Buffer {
  return readStamped(absolute, shown, rule).bytes;
}

export function readStamped(absolute: string, shown: string, rule = ANY_NAMES): { bytes: Buffer; stamp: Stamp } {
  const file = openRegular(absolute, shown, rule);
  try {
    if (file.size > MAX_FILE_BYTES)
      throw new HallError("too_large", `'${shown}' is larger than 16 MiB.`, { file: shown });
    return { bytes: file.all(), stamp: file.stamp };
  } finally {
    file.close();
  }
}

/** The text of a file of settings; undefined when there is none that can be read, or when it is larger than any such file. */
export function smallText(absolute: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(absolute, O_RDONLY | O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= MAX_SETTINGS_BYTES ? readWhole(fd, stats.size).toString("utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A regular file held open. What is read is the file that was opened, whatever happens to its name meanwhile. */
export interface OpenFile {
  readonly size: number;
  readonly stamp: Stamp;
  /** Fills the buffer with what stands from a position on; answers how many bytes that were, 0 at the end. */
  read(into: Uint8Array, position: number): number;
  /** As much as there was when it was opened. */
  all(): Buffer;
  /** Resolves when what was written to it, by whomever, is on the disk. */
  sync(): Promise<void>;
  close(): void;
}

export function openRegular(absolute: string, shown: string, rule: LinkRule): OpenFile {
  const fd = openUnfollowed(absolute, shown);
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw new HallError("path_refused", `'${shown}' is a folder, not a file.`);
    if (!stats.isFile()) throw new HallError("path_refused", `'${shown}' is not a regular file.`);
    if (rule.hardLinks === "refuse" && stats.nlink > 1)
      throw new HallError("path_refused", `'${shown}' is a hard link.`);
    return {
      size: stats.size,
      stamp: stampOf(stats) as Stamp,
      read: (into, position) => readSync(fd, into, 0, into.length, position),
      all: () => readWhole(fd, stats.size),
      sync: () => syncFile(fd),
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openUnfollowed(absolute: string, shown: string): number {
  try {
    return openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (missing(error)) throw new HallError("file_not_found", `There is no file '${shown}'.`);
    if (codeOf(error) === "ELOOP") throw new HallError("path_refused", `'${shown}' is a link.`);
    if (codeOf(error) === "ENXIO") throw new HallError("path_refused", `'${shown}' is not a regular file.`);
    throw error;
  }
}

export function readWhole(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  let offset = 0;
  while (offset < size) {
    const count = readSync(fd, buffer, offset, size - offset, offset);
    if (count === 0) break;
    offset += count;
  }
  return buffer.subarray(0, offset);
}

export type Content = string | Uint8Array;

export function writeAll(fd: number, content: Content): void {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
}

/** What a path leads to; undefined when there is nothing. Of links that lead in a circle it tells of the link itself. */
export function statOf(absolute: string): Stats | undefined {
  try {
    return statSync(absolute, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ELOOP") return linkStatOf(absolute);
    throw error;
  }
}

/** As statOf, of a link itself. */
export function linkStatOf(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false });
  } catch (error) {
    // What was a folder above the path may have become a file or a link.
    if (isNowhere(error)) return undefined;
    throw error;
  }
}

export function stampOf(stats: Stats | undefined): Stamp | undefined {
  return stats === undefined ? undefined : { mtime: stats.mtimeMs, size: stats.size, inode: stats.ino };
}

export function isSameStamp(left: Stamp, right: Stamp | undefined): boolean {
  return left.mtime === right?.mtime && left.size === right.size && left.inode === right.inode;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const PASSING: ReadonlySet<string | undefined> = new Set([
  ...["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EINTR", "EBUSY", "ETIMEDOUT"],
  ...["EIO", "EROFS", "ENOSPC", "EDQUOT", "ESTALE"],
]);

/** Whether a failure is the machine's or its disk's and says nothing about the file: the next attempt may succeed. */
export function isPassing(error: unknown): boolean {
  return PASSING.has(codeOf(error));
}

/** What went wrong, without the path that the system names: it may be one that means nothing to anybody else. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code } = error as NodeJS.ErrnoException;
  return errno === undefined || code === undefined ? error.message : `${code}: ${getSystemErrorMessage(errno)}`;
}

/** Whether a path leads to nothing: something on it is missing, no folder, or a link in a circle. */
export function isNowhere(error: unknown): boolean {
  return missing(error) || codeOf(error) === "ELOOP";
}

function missing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

/** Nothing happens where there is none. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!missing(error)) throw error;
  }
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already placed or never made; a leftover is swept at the next start.
  }
}
