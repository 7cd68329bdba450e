import type { DetectedKind } from "../../contract/documents/teams/team-lessons.ts";
import type { KindLanguage } from "../../contract/words/teams/project-kinds.ts";
import type { Domain } from "../../contract/words/teams/team-words.ts";

/** Packs that only concern some domains of work; the others concern all. */
const ONLY_FOR: Readonly<Record<string, readonly Domain[]>> = {
  "react-standards": ["frontend", "ux_design", "review", "other"],
  "node-standards": ["backend", "review", "other"],
  "python-standards": ["backend", "review", "other"],
  "python-web-standards": ["backend", "frontend", "review", "other"],
  "go-standards": ["backend", "review", "other"],
  "rust-standards": ["backend", "review", "other"],
};
/** Whoever only looks for something changes no code. */
const LOOKING: readonly Domain[] = ["research", "search"];
const SOURCES: Readonly<Record<KindLanguage, RegExp>> = {
  typescript: /\.(?:[cm]?[jt]sx?|css|scss|html)$/,
  javascript: /\.(?:[cm]?[jt]sx?|css|scss|html)$/,
  python: /\.(?:py|html)$/,
  go: /\.go$/,
  rust: /\.rs$/,
  markdown: /\.(?:mdx?|rst|adoc)$/,
};
const MOST = 4;

/** The packs whose standards apply to a task: by the folders and the kind of its files, and by its domain. */
export function standardsFor(
  kinds: readonly DetectedKind[],
  { domain, files }: { domain: Domain; files: readonly string[] },
): string[] {
  if (LOOKING.includes(domain)) return [];
  const concerned = files.length === 0 ? kinds : files.flatMap((file) => kindsOf(file, kinds));
  const skills = concerned.flatMap((kind) => kind.skills).filter((slug) => ONLY_FOR[slug]?.includes(domain) ?? true);
  return [...new Set(skills)].slice(0, MOST);
}

/** Those of the innermost folder around it, and of its language where one has it. */
function kindsOf(file: string, kinds: readonly DetectedKind[]): DetectedKind[] {
  const around = kinds.filter(({ folder }) => folder === "" || file.startsWith(`${folder}/`));
  const deepest = Math.max(...around.map(({ folder }) => folder.length));
  const inner = around.filter(({ folder }) => folder.length === deepest);
  const spoken = inner.filter(({ language }) => SOURCES[language].test(file));
  return spoken.length === 0 ? inner : spoken;
}
