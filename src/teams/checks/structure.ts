interface Section {
  line: number;
  level: number;
  title: string;
  isEmpty: boolean;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const MOST = 20;

/** What a document lacks: a heading, sections that were asked for, or text in one of its sections. */
export function structureFaults(text: string, wanted: readonly string[] = []): string[] {
  const sections = sectionsIn(text);
  if (sections.length === 0) return ["has no headings"];
  const titles = new Set(sections.map(({ title }) => keyOf(title)));
  const missing = wanted.filter((title) => !titles.has(keyOf(title))).map((title) => `has no section '${title}'`);
  const empty = sections.filter(({ isEmpty }) => isEmpty).map(({ line, title }) => `line ${line}: '${title}' is empty`);
  return [...missing, ...empty].slice(0, MOST);
}

/** A section is empty where neither text nor a deeper heading follows. */
function sectionsIn(text: string): Section[] {
  const sections: Section[] = [];
  let isCode = false;
  for (const [at, line] of text.split("\n").entries()) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    const [, marks, title = ""] = (!isCode && !isFence && HEADING.exec(line.replace(/\r$/, ""))) || [];
    const open = sections.at(-1);
    if (marks === undefined) {
      if (open !== undefined && line.trim() !== "") open.isEmpty = false;
      continue;
    }
    if (open !== undefined && marks.length > open.level) open.isEmpty = false;
    sections.push({ line: at + 1, level: marks.length, title, isEmpty: true });
  }
  return sections;
}

function keyOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[*_`]/g, "")
    .replace(/^[\d.]+\s+/, "")
    .replace(/[:.]$/, "")
    .trim();
}
