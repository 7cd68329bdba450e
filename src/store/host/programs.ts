import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

/** Where a program lies that would be started by its name; undefined when there is none. */
export function findProgram(name: string, path: string): string | undefined {
  return path
    .split(":")
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(absolute: string): boolean {
  try {
    accessSync(absolute, constants.X_OK);
    return statSync(absolute).isFile();
  } catch {
    return false;
  }
}

/** The permission bits of a file or folder; undefined when there is none. */
export function modeOf(absolute: string): number | undefined {
  const stats = statSync(absolute, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o777;
}
