import { statfsSync } from "node:fs";

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
