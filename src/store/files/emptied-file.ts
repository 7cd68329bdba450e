import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const CHUNK = 65_536;

/**
 * Whether a file is what a power cut leaves of one whose content did not reach the disk: empty, or nothing but NULs. One
 * that was changed after `writtenNs` is not: somebody may have wanted it so.
 */
export function isEmptied(absolute: string, writtenNs: bigint): boolean {
  let fd: number;
  try {
    fd = openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    const stats = fstatSync(fd, { bigint: true });
    return stats.isFile() && stats.mtimeNs <= writtenNs && isNothing(fd);
  } finally {
    closeSync(fd);
  }
}

function isNothing(fd: number): boolean {
  const chunk = Buffer.alloc(CHUNK);
  for (let at = 0; ; ) {
    const count = readSync(fd, chunk, 0, CHUNK, at);
    if (count === 0) return true;
    if (!chunk.subarray(0, count).every((byte) => byte === 0)) return false;
    at += count;
  }
}
