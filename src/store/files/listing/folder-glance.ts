import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../regular-file.ts";
import { entriesOf } from "./folder-listing.ts";

const MOST_NAMES = 2_000;

/** What one sees of a folder without looking deeper. */
export interface FolderGlance {
  names: readonly string[];
  /** The text of package.json; undefined when there is none that can be read. */
  packageJson?: string | undefined;
}

/** Undefined when there is no such folder, or none that may be read. */
export function glanceAt(folder: string): FolderGlance | undefined {
  const names: string[] = [];
  try {
    for (const { name } of entriesOf(folder)) {
      names.push(name);
      if (names.length === MOST_NAMES) break;
    }
  } catch {
    return undefined;
  }
  return { names, packageJson: names.includes("package.json") ? textOf(join(folder, "package.json")) : undefined };
}

function textOf(file: string): string | undefined {
  try {
    return readRegular(file, file).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Where programs are found on a PATH, those that are there. Folders that depend on where one stands do not count. */
export function programsOn(path: string, names: readonly string[]): { name: string; path: string }[] {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return names.flatMap((name) => {
    const found = folders.map((folder) => join(folder, name)).find(isProgram);
    return found === undefined ? [] : [{ name, path: found }];
  });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
