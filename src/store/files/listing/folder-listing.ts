import { type Dirent, opendirSync, readdirSync, type Stats, statSync } from "node:fs";
import { isNowhere } from "../regular-file.ts";

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

/** Both kinds of names from one look at a folder; none when there is no such folder. */
export function contentsOf(absolute: string): { files: string[]; folders: string[] } {
  const folders: string[] = [];
  const files = unlessMissing(() => {
    if (hasNoFolders(absolute)) return readdirSync(absolute);
    return namesOf(absolute, (entry) => {
      if (entry.isDirectory()) folders.push(entry.name);
      return !entry.isDirectory();
    });
  });
  return { files, folders };
}

/** A link is a link, wherever it leads; `special` are pipes, sockets and devices. */
export type EntryKind = "file" | "folder" | "link" | "special";

export interface Entry {
  name: string;
  kind: EntryKind;
}

/** Everything in a folder, hidden names too, in no order and in bounded memory: a folder may hold millions. */
export function* entriesOf(absolute: string): Generator<Entry> {
  const folder = opendirSync(absolute, { bufferSize: 1_024 });
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
      yield { name: entry.name, kind: kindOf(entry) };
  } finally {
    folder.closeSync();
  }
}

export function kindOf(entry: Dirent | Stats): EntryKind {
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  return entry.isFile() ? "file" : "special";
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
