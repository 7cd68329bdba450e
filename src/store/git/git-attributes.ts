import { join } from "node:path";
import { textOf } from "./git-checkout.ts";

const FILTER = /(?:^|\s)filter=(\S*)/g;

/** The filters that a file with git attributes asks for, each once. */
export function filterNames(text: string): string[] {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  const names = lines.flatMap((line) => Array.from(line.matchAll(FILTER), ([, name = ""]) => name));
  return [...new Set(names)];
}

/** Those of the two files that nearly every repository with filters has them in. */
export function filtersAtTop({ checkout, repository }: { checkout: string; repository: string }): string[] {
  const files = [join(checkout, ".gitattributes"), join(repository, "info/attributes")];
  return [...new Set(files.flatMap((path) => filterNames(textOf(path))))];
}
