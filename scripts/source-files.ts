import { existsSync, globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export const root = join(import.meta.dirname, "..");

/** The text of every TypeScript file, JSX or not, in the named folders, by its path from the root, in a stable order. */
export function readSources(...folders: string[]): Map<string, string> {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  return readMatching(...present.map((folder) => `${folder}/**/*.{ts,tsx}`));
}

/** What users and contributors read: documentation, and the Markdown and playbooks of the demo. Decisions and changelog record the past. */
export function readPages(): Map<string, string> {
  return readMatching("README.md", "ARCHITECTURE.md", "CONTEXT.md", "docs/*.md", "src/**/*.{md,yml}");
}

function readMatching(...patterns: string[]): Map<string, string> {
  const paths = globSync(patterns, { cwd: root });
  return new Map(paths.toSorted().map((path) => [path.replaceAll(sep, "/"), readFileSync(join(root, path), "utf8")]));
}
