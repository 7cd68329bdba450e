import { posix } from "node:path";
import type { SourceFiles } from "./floor-rules.ts";
import { importsOf } from "./imports.ts";

/** Packages that take longer to load than a whole command. */
const HEAVY = ["zod"];

/**
 * One line for every command file that loads a heavy package before its command runs. Help loads all command files, and
 * every verb of a noun loads the whole noun; what only one action needs, that action loads with `import()`.
 */
export function commandProblems(files: SourceFiles): string[] {
  const commands = [...files.keys()].filter((path) => /^src\/cli\/nouns\/(?!.*\.test\.ts$)/.test(path));
  return ["src/cli/main.ts", ...commands].flatMap((path) => {
    const trail = trailToHeavy(path, files, new Set());
    return trail === undefined
      ? []
      : [`${path}: loads ${trail.join(" → ")} before it runs; use import() in the action`];
  });
}

function trailToHeavy(path: string, files: SourceFiles, seen: Set<string>): string[] | undefined {
  const source = files.get(path);
  if (source === undefined || seen.has(path)) return undefined;
  seen.add(path);
  for (const { specifier = "", kind } of importsOf(path, source)) {
    if (kind === "type" || kind === "lazy") continue;
    if (HEAVY.includes(specifier)) return [specifier];
    if (!specifier.startsWith(".")) continue;
    const next = posix.join(posix.dirname(path), specifier);
    const trail = trailToHeavy(next, files, seen);
    if (trail !== undefined) return [next, ...trail];
  }
  return undefined;
}
