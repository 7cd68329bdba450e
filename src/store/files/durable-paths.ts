import { closeSync, constants, fsync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { HallError } from "../../contract/errors.ts";
import { codeOf } from "./regular-file.ts";

const syncOpen = promisify(fsync);
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Leaves threads to others: a sync can take long. */
const AT_ONCE = 2;
/** Nothing to sync there: gone, a link, a socket, or closed to us, so that we did not write it either. */
const PASSED_OVER = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES", "EPERM"];

/**
 * Resolves when files that another program wrote below a folder, and their names, are on disk. Paths that are gone count
 * too: then the folder they were in is synced. Rejects when the disk does.
 */
export async function syncFiles(root: string, paths: readonly string[]): Promise<void> {
  const files = paths.map((path) => join(root, path));
  const folders = new Set(files.flatMap((file) => foldersUpTo(root, file)));
  await syncAll(files);
  // The deepest first: what a folder names is safe before its own name is.
  await syncAll([...folders].sort((left, right) => right.length - left.length));
}

/** Resolves when these files or folders are on disk; those that are missing are passed over. */
export async function syncAll(absolute: readonly string[]): Promise<void> {
  const waiting = [...absolute].reverse();
  const work = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) await syncOne(path);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, absolute.length) }, work));
}

async function syncOne(absolute: string): Promise<void> {
  let fd: number;
  try {
    fd = openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (PASSED_OVER.includes(codeOf(error) ?? "")) return;
    throw error;
  }
  try {
    await syncOpen(fd);
  } catch (error) {
    // A pipe or a device has nothing to sync.
    if (codeOf(error) === "EINVAL") return;
    throw new HallError("storage_failed", `The disk did not confirm '${absolute}' (${codeOf(error)}).`, {
      hint: "The change may have been saved. Check the disk, reload, then retry.",
    });
  } finally {
    closeSync(fd);
  }
}

/** The folders that a path is in, up to the root itself. */
export function foldersUpTo(root: string, absolute: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(absolute); folder.length > root.length; folder = dirname(folder)) folders.push(folder);
  return [...folders, root];
}
