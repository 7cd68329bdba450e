import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

const PROBE = Buffer.alloc(64 * 1024);

/** In bytes. */
export interface DiskRoom {
  /** What an ordinary user may still write. */
  free: number;
  size: number;
}

/** The room on the disk that a path is on; undefined when it cannot be told. */
export function diskRoom(absolute: string): DiskRoom | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(absolute);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Throws what the disk says to a file in that folder that is written, synced and removed again. */
export function assertWritable(folder: string): void {
  const path = join(folder, `guildhall-probe-${randomBytes(8).toString("hex")}`);
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    if (writeSync(fd, PROBE) < PROBE.length)
      throw Object.assign(new Error("The probe could not be written whole."), { code: "ENOSPC" });
    fsyncSync(fd);
  } finally {
    closeSync(fd);
    unlinkSync(path);
  }
}
