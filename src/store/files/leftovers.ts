import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { TEMPORARY_NAME } from "./draft-file.ts";
import { removeQuietly } from "./regular-file.ts";

/** Where the system does not tell who holds a file, one that was not written to for this long counts as left behind. */
const ABANDONED_MS = 60_000;

/** Whether a path, or a name, is that of a file which the hall makes for the moment of a write. */
export function isTemporary(path: string): boolean {
  return TEMPORARY_NAME.test(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Removes those of the files that an interrupted write left behind: regular ones with a name that only the hall gives, and
 * that no process holds open. Paths are absolute. `before`: milliseconds since the epoch; what was written since then stays.
 */
export function removeLeftovers(paths: readonly string[], before = Number.POSITIVE_INFINITY): void {
  const found = paths.filter(isTemporary).flatMap((path) => {
    const stats = statsOf(path);
    return stats?.isFile() && stats.mtimeMs < before ? [{ path, stats }] : [];
  });
  if (found.length === 0) return;
  const held = heldFiles();
  for (const { path, stats } of found) {
    const isHeld = held === undefined ? Date.now() - stats.mtimeMs < ABANDONED_MS : held.has(keyOf(stats));
    if (!isHeld) removeQuietly(path);
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Files that processes of the machine hold open, as far as this one may know; undefined where the system does not tell. */
function heldFiles(): Set<string> | undefined {
  const held = new Set<string>();
  try {
    for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid)) addHeld(`/proc/${pid}/fd`, held);
    return held;
  } catch {
    return undefined;
  }
}

/** A process may end, or be another user's. */
function addHeld(folder: string, held: Set<string>): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    try {
      held.add(keyOf(statSync(`${folder}/${name}`)));
    } catch {}
  }
}

function keyOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}
