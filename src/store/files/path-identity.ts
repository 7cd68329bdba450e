import { lstatSync } from "node:fs";
import type { PathIdentity } from "../../contract/documents/workdir.ts";
import { realPath } from "./real-path.ts";
import { codeOf } from "./regular-file.ts";

/** What is at a real path, itself and not what a link leads to; undefined when nothing can be reached there. */
export function identityAt(path: string): PathIdentity | undefined {
  try {
    const { ino, birthtimeNs } = lstatSync(path, { bigint: true });
    // Zero: the file system keeps none.
    return { path, inode: String(ino), ...(birthtimeNs > 0n ? { born: String(birthtimeNs) } : {}) };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The folder that a path leads to now. */
export function folderIdentity(path: string): PathIdentity | undefined {
  try {
    const real = realPath(path);
    return lstatSync(real).isDirectory() ? identityAt(real) : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** A birth time counts where one was recorded: a newer system may tell one that an older one did not. */
export function isSameIdentity(recorded: PathIdentity, now: PathIdentity | undefined): boolean {
  if (now === undefined || recorded.path !== now.path || recorded.inode !== now.inode) return false;
  return recorded.born === undefined || recorded.born === now.born;
}
