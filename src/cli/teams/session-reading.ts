import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HallError } from "../../contract/errors.ts";

/** Files of a session folder that count; those in folders are read one level deep. */
const FILES = ["team.json", "spec.md", "plan.json"];
const FOLDERS = ["role-specs", "roles", "artifacts", "wisdom"];
const LARGEST = 1_000_000;

/** The texts of a session folder by path. What is missing is left out: the daemon says what it needs. Links are not followed. */
export function readSessionFolder(folder: string): Record<string, string> {
  try {
    return textsIn(folder);
  } catch (error) {
    if (error instanceof HallError) throw error;
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new HallError("usage", `Can't read the folder${reason}.`, {
      file: folder,
      hint: "Pass the folder of a session.",
    });
  }
}

function textsIn(folder: string): Record<string, string> {
  const inFolders = FOLDERS.flatMap((name) => {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return found?.isDirectory() ? readdirSync(join(folder, name)).map((file) => `${name}/${file}`) : [];
  });
  // Of an empty folder, too, it is seen whether it can be read.
  readdirSync(folder);
  const texts = [...FILES, ...inFolders].flatMap((path): [string, string][] => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!found?.isFile()) return [];
    if (found.size > LARGEST) throw new HallError("usage", `${path} has more than 1 MB.`, { file: folder });
    return [[path, readFileSync(join(folder, path), "utf8")]];
  });
  return Object.fromEntries(texts);
}
