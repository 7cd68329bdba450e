import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Whether something new can be put at this path: nothing is there, or an empty folder. */
export function isFree(absolute: string): boolean {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  return stats.isDirectory() && readdirSync(absolute).length === 0;
}

/** A path beside the folder where it can be prepared. Makes the folders above it. */
export function placeToPrepare(absolute: string): string {
  mkdirSync(dirname(absolute), { recursive: true });
  return join(dirname(absolute), `.${basename(absolute)}.guildhall-${randomBytes(4).toString("hex")}`);
}

/** Moves a prepared folder to its place. Throws when something was put there meanwhile. */
export function putInPlace(prepared: string, absolute: string): void {
  renameSync(prepared, absolute);
}
