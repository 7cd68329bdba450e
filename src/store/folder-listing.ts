import { type Dirent, readdirSync, statSync } from "node:fs";
import { isNowhere } from "./regular-file.ts";

/**
 * Names of everything in a folder that is not a folder itself; none when there is no such folder. A board of 100,000
 * files is listed several times at a start, so entries are not asked what they are where the answer is known.
 */
export function filesIn(absolute: string): string[] {
  return unlessMissing(() => {
    if (hasNoFolders(absolute)) return readdirSync(absolute);
    return namesOf(absolute, (entry) => !entry.isDirectory());
  });
}

/** Names of the folders in a folder; none when there is no such folder. */
export function foldersIn(absolute: string): string[] {
  return unlessMissing(() => {
    if (hasNoFolders(absolute)) return [];
    return namesOf(absolute, (entry) => entry.isDirectory());
  });
}

/** Each folder inside links to the one around it, on file systems that count these links at all. */
function hasNoFolders(absolute: string): boolean {
  return statSync(absolute).nlink === 2;
}

function namesOf(absolute: string, isWanted: (entry: Dirent) => boolean): string[] {
  return readdirSync(absolute, { withFileTypes: true })
    .filter(isWanted)
    .map((entry) => entry.name);
}

function unlessMissing(list: () => string[]): string[] {
  try {
    return list();
  } catch (error) {
    if (isNowhere(error)) return [];
    throw error;
  }
}
