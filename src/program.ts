import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this program, with its package.json. */
export const PROGRAM_FOLDER = folderWithPackage(import.meta.dirname);

const isBuilt = import.meta.filename.endsWith(".js");

/** A file that a process or thread of its own starts with, given as its path below src without ".ts". */
export function programFile(name: string): string {
  return isBuilt
    ? join(import.meta.dirname, `${name.replaceAll("/", "-")}.js`)
    : join(import.meta.dirname, `${name}.ts`);
}

function folderWithPackage(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : folderWithPackage(dirname(folder));
}
