import { readProse } from "./markdown-lines.ts";

/** A heading of a Markdown document, with what is below it. */
export interface Section {
  /** From 1. */
  line: number;
  /** 7 of a line that is only in bold type: it reads like a heading. */
  level: number;
  title: string;
  /** Lines up to the next heading, without code blocks and comments. */
  text: string[];
  /** Neither text nor code nor a deeper heading follows. */
  isEmpty: boolean;
}

const MARKED = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const BOLD = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*(?!\s)(.+?)\*\*|__(?!\s)(.+?)__):?\s*$/;
const BOLD_LEVEL = 7;

/** What a reader takes for headings, also underlined ones. Those in code blocks and comments are none. */
export function sectionsIn(text: string): { sections: Section[]; open?: number } {
  const { lines, code, open } = readProse(text);
  const written = text.split("\n");
  const sections: Omit<Section, "isEmpty">[] = [];
  let below: string[] = [];
  for (const { number, text: line } of lines) {
    const above = below.at(-1) ?? "";
    const marked = headingOf(line) && headingOf(written[number - 1]?.replace(/\r$/, "") ?? line);
    const found = marked ?? (/^ {0,3}[A-Za-z]/.test(above) ? underlined(line, above.trim()) : undefined);
    if (found === undefined) {
      below.push(line);
      continue;
    }
    const { isUnderlined = false, ...heading } = found;
    if (isUnderlined) below.pop();
    below = [];
    sections.push({ ...heading, line: isUnderlined ? number - 1 : number, text: below });
  }
  const whole = sections.map((section, at): Section => {
    const next = sections[at + 1];
    const hasCode = code.some((line) => line > section.line && line < (next?.line ?? Number.POSITIVE_INFINITY));
    const hasText = hasCode || section.text.some((line) => line.trim() !== "");
    return { ...section, isEmpty: !hasText && (next?.level ?? 0) <= section.level };
  });
  return { sections: whole, ...(open === undefined ? {} : { open }) };
}

type Heading = Pick<Section, "level" | "title"> & { isUnderlined?: boolean };

function underlined(line: string, title: string): Heading | undefined {
  const [, marks] = UNDERLINE.exec(line) ?? [];
  return marks === undefined ? undefined : { level: marks.startsWith("=") ? 1 : 2, title, isUnderlined: true };
}

function headingOf(line: string): Heading | undefined {
  const [, marks, title = ""] = MARKED.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, title };
  const [, stars, underscores] = BOLD.exec(line) ?? [];
  const bold = stars ?? underscores;
  return bold === undefined ? undefined : { level: BOLD_LEVEL, title: bold };
}
