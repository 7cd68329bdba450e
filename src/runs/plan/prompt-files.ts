import { isAbsolute, posix, relative } from "node:path";
import { HallError } from "../../contract/errors.ts";
import type { Files } from "../../store/files/files.ts";
import { checkPath } from "../../store/files/paths.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { NamedText } from "./prompt.ts";

/** A folder that prompts quote from; nothing outside it is reached. */
export interface QuotedFolder {
  files: Files;
  /** Within the files; "." is all of them. */
  within: string;
  isSecret: (path: string) => boolean;
}

/** The first of the paths that is there. What may not be quoted says why; what is not there is empty. */
export function quote(folder: QuotedFolder, path: string, places: readonly string[] = [path]): NamedText {
  if (places.some(folder.isSecret)) return { path, text: "", leftOut: "it is one of the project's env files" };
  for (const place of places) {
    const found = readText(folder, place);
    if (found !== undefined) return { path, ...found };
  }
  return { path, text: "" };
}

/** Judges a path as a person would, however it is written, against env files named by path or as a whole folder. */
export function envFileJudge(envFiles: readonly string[], roots: readonly string[]): (path: string) => boolean {
  const secrets = envFiles
    .flatMap((path) => (isAbsolute(path) ? roots.map((root) => relative(root, path)) : [path]))
    .map(plainPath);
  return (path) => secrets.some((secret) => plainPath(path) === secret || plainPath(path).startsWith(`${secret}/`));
}

/** Some file systems take names that differ in case for the same. */
function plainPath(path: string): string {
  return posix.normalize(path).replace(/\/$/, "").normalize("NFC").toLowerCase();
}

function readText({ files, within }: QuotedFolder, path: string): { text: string; leftOut?: string } | undefined {
  try {
    const checked = checkPath(path, "read");
    const text = decodeText(files.readContained(within === "." ? checked : `${within}/${checked}`, within));
    return text === undefined ? { text: "", leftOut: "it is not text" } : { text };
  } catch (error) {
    if (!(error instanceof HallError)) return { text: "", leftOut: "it cannot be read" };
    return error.code === "file_not_found" ? undefined : { text: "", leftOut: error.message.replace(/\.$/, "") };
  }
}
