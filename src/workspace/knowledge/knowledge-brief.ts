import { charactersIn } from "../../contract/words/tokens.ts";
import type { KnowledgePage, Known } from "./knowledge-pages.ts";
import { askedWords, byDate, ranked } from "./knowledge-rank.ts";
import { render } from "./knowledge-text.ts";

/** What is told to an agent, and what is left out. */
export interface KnowledgeBrief {
  /** One for each statement. */
  lines: string[];
  /** `<topic>-…` of the hall, `<project>/<topic>-…` of a project. */
  used: string[];
  of: number;
}

/** The hall's pages and a project's as they are read together: what both have, or was promoted, counts once. */
export function together(hall: readonly KnowledgePage[], own: readonly KnowledgePage[]): (item: Known) => boolean {
  const known = new Set(hall.flatMap(({ items }) => items.map(({ key }) => key)));
  if (own.every(({ items }) => items.length === 0)) return () => true;
  return ({ projectId, promoted, key }) => projectId === undefined || (promoted !== true && !known.has(key));
}

/** What is nearest to a text first, as far as the tokens reach. The same pages and text give the same brief. */
export function briefFor(pages: readonly KnowledgePage[], counts: (item: Known) => boolean, text: string) {
  const words = askedWords(text);
  return (tokens: number): KnowledgeBrief =>
    within(
      ranked(pages, words)
        .map(({ item }) => item)
        .filter(counts),
      tokens,
    );
}

/** The newest first, as far as the tokens reach, with the number of those left out. */
export function indexText(items: Known[], tokens: number): string {
  const { lines, of } = within(items.sort(byDate), tokens);
  const rest = of - lines.length;
  const more = rest === 0 ? [] : [`(${rest} more: find them with knowledge_search)`];
  return [...lines, ...more].join("\n");
}

/** The same words on two pages are told once. */
function within(all: readonly Known[], tokens: number): KnowledgeBrief {
  const items = [...new Map(all.toReversed().map((item) => [item.key, item])).values()].reverse();
  let left = charactersIn(tokens);
  const lines: string[] = [];
  const used: string[] = [];
  for (const item of items) {
    const line = lineOf(item);
    if (line.length + 1 > left) continue;
    left -= line.length + 1;
    lines.push(line);
    used.push(item.projectId === undefined ? item.id : `${item.projectId}/${item.id}`);
  }
  return { lines, used, of: items.length };
}

function lineOf({ projectId, text, date, origins }: Known): string {
  const where = projectId === undefined ? "all projects: " : "";
  return `- ${where}${render({ text, date, origins, promoted: false })}`;
}
