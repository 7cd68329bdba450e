import { posix } from "node:path";
import type { SourceFiles } from "./floor-rules.ts";
import { importsOf } from "./imports.ts";

const CONTRACT = "src/contract/";

/**
 * One line for every import under web/ that reaches into the house past the contract, or that would load more of the contract
 * into a page than words: schemas are for the daemon, and zod would be a third of what a browser has to load.
 */
export function pageProblems(files: SourceFiles, contract: SourceFiles): string[] {
  return [...files].flatMap(([path, source]) =>
    importsOf(path, source).flatMap(({ specifier, kind }) => {
      if (specifier === undefined) return [`${path}: imports a computed path, which nobody can check`];
      if (specifier === "zod") return [`${path}: pages must not load zod`];
      if (!specifier.startsWith(".")) return [];
      const target = posix.join(posix.dirname(path), specifier);
      if (target.startsWith("web/")) return [];
      if (!target.startsWith(CONTRACT)) return [`${path}: pages must not import ${target}, only contract`];
      const loaded = kind === "type" ? undefined : loadsZod(target, contract);
      return loaded === undefined ? [] : [`${path}: loads ${target}, which loads zod${loaded}; import its types only`];
    }),
  );
}

/** Undefined when it does not; otherwise through which file, in words. */
function loadsZod(path: string, contract: SourceFiles): string | undefined {
  for (const { specifier, kind } of importsOf(path, contract.get(path) ?? "")) {
    if (kind === "type" || specifier === undefined) continue;
    if (specifier === "zod") return "";
    const next = posix.join(posix.dirname(path), specifier);
    if (loadsZod(next, contract) !== undefined) return ` by ${next}`;
  }
  return undefined;
}
