import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of this program, with its package.json. */
export const PROGRAM_FOLDER = folderWithPackage(import.meta.dirname);

const isBuilt = !import.meta.filename.endsWith(".ts");

/** A file that a process or thread of its own starts with, given as its path below src without ".ts"; built, it ends otherwise. */
export function programFile(name: string, ending: "js" | "cjs" = "js"): string {
  return isBuilt
    ? join(import.meta.dirname, `${name.replaceAll("/", "-")}.${ending}`)
    : join(import.meta.dirname, `${name}.ts`);
}

function folderWithPackage(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : folderWithPackage(dirname(folder));
}
