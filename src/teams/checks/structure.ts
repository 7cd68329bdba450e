import { sectionsIn } from "./sections.ts";

const MOST = 20;

/** What a document lacks: a heading, sections that were asked for, or text in one of its sections. */
export function structureFaults(text: string, wanted: readonly string[] = []): string[] {
  // A line in bold type is text here, not a section.
  const sections = sectionsIn(text).sections.filter(({ level }) => level <= 6);
  if (sections.length === 0) return ["has no headings"];
  const titles = new Set(sections.map(({ title }) => keyOf(title)));
  const missing = wanted.filter((title) => !titles.has(keyOf(title))).map((title) => `has no section '${title}'`);
  const empty = sections.filter(({ isEmpty }) => isEmpty).map(({ line, title }) => `line ${line}: '${title}' is empty`);
  return [...missing, ...empty].slice(0, MOST);
}

function keyOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[*_`]/g, "")
    .replace(/^[\d.]+\s+/, "")
    .replace(/[:.]$/, "")
    .trim();
}
