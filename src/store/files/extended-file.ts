import { closeSync, constants, fstatSync, ftruncateSync, futimesSync, openSync } from "node:fs";
import { isNowhere, type Stamp, stampOf, writeAll } from "./regular-file.ts";

const { O_APPEND, O_NOFOLLOW, O_WRONLY } = constants;

interface Extension {
  /** The file as it must be: without other names, of this size, and the one that was looked at. */
  from: Pick<Stamp, "inode" | "size" | "mtime">;
  /** Undone by a failure before, it has another time. */
  wasTried: boolean;
  added: Uint8Array;
  /** The time that the file gets, in milliseconds since the epoch. */
  at: number;
}

/** Writes at the end of a file, all or nothing. Undefined where the path leads to another file by now, or to none. */
export function extendFile(path: string, { from, wasTried, added, at }: Extension): Stamp | undefined {
  const fd = openEnd(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    const isSame = stats.ino === from.inode && stats.size === from.size && stats.nlink === 1 && stats.isFile();
    if (!isSame || (!wasTried && stats.mtimeMs !== from.mtime)) return undefined;
    try {
      writeAll(fd, added);
    } catch (error) {
      ftruncateSync(fd, from.size);
      throw error;
    }
    futimesSync(fd, at / 1_000, at / 1_000);
    return stampOf(fstatSync(fd));
  } finally {
    closeSync(fd);
  }
}

function openEnd(path: string): number | undefined {
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  } catch (error) {
    if (isNowhere(error)) return undefined;
    throw error;
  }
}
