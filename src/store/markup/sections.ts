import { plainLines, withoutReturns } from "../../contract/words/text.ts";

export interface Body {
  title: string | undefined;
  /** What stands before the first known heading, without the title. */
  preamble: string;
  /** By the name in `known`. A section that a person wrote twice is joined. */
  sections: Map<string, string>;
}

interface SectionEdit {
  name: string;
  content: string;
  /** The names whose headings divide a body, in the order in which new sections are inserted. */
  known: readonly string[];
  /** Names behind the last of which a new section goes instead, when one of them is there. */
  after?: readonly string[] | undefined;
}

interface Section {
  name: string;
  /** Start of the heading's line, of the line below it, and of what follows the section. */
  start: number;
  content: number;
  end: number;
}

interface Title {
  text: string;
  start: number;
  /** Before and behind the line break. */
  textEnd: number;
  next: number;
}

interface Outline {
  title: Title | undefined;
  sections: Section[];
  /** Where the first known heading starts. */
  first: number;
}

type Names = ReadonlyMap<string, string>;

/** Divides a body at the lines '## <name>' of known names, whatever their case. Contents come with LF line ends. */
export function readBody(body: string, known: readonly string[]): Body {
  const names = namesOf(known);
  const { title, sections, first } = outline(body, names);
  const before = plainLines(body.slice(0, title?.start ?? 0));
  const after = plainLines(body.slice(title?.next ?? 0, first));
  const preamble = [before, after].filter((text) => text !== "").join("\n\n");
  const contents = new Map<string, string>();
  for (const section of sections) {
    const text = readContent(body.slice(section.content, section.end), names);
    const earlier = contents.get(section.name);
    contents.set(section.name, earlier && text ? `${earlier}\n\n${text}` : earlier || text);
  }
  return { title: title?.text, preamble, sections: contents };
}

/**
 * Puts content under `## name`, and leaves every byte outside that section as it was. Lines that would be read as a
 * known heading get a backslash in front, which reading takes off. Empty content for an absent section changes nothing.
 */
export function writeSection(body: string, edit: SectionEdit): string {
  const names = namesOf(edit.known);
  const name = names.get(edit.name.toLowerCase()) ?? edit.name;
  const text = plainLines(edit.content);
  if ((readBody(body, edit.known).sections.get(name) ?? "") === text) return body;
  const eol = eolOf(body);
  const written = escapeHeadings(text, names).replaceAll("\n", eol);
  const { sections } = outline(body, names);
  const own = sections.filter((section) => section.name === name);
  if (own.length > 0) return replaceSections(body, own, { text: written, eol });
  return insertBlock(body, `## ${name}${eol}${written}${eol}`, findPlace(body, sections, { ...edit, name }));
}

/** Replaces the title that stands before any '## ' line, or puts one on top. An empty title changes nothing. */
export function writeTitle(body: string, title: string): string {
  const text = title.replaceAll("\r", " ").replaceAll("\n", " ").trim();
  if (text === "") return body;
  const current = findTitle(body);
  if (current)
    return current.text === text ? body : `${body.slice(0, current.start)}# ${text}${body.slice(current.textEnd)}`;
  const eol = eolOf(body);
  const start = leadingBlankLines(body);
  const blank = body.slice(0, start);
  const rest = body.slice(start);
  return `${blank}${blank.endsWith("\n") ? "" : eol}# ${text}${eol}${rest === "" ? "" : eol + rest}`;
}

function namesOf(known: readonly string[]): Names {
  return new Map(known.map((name) => [name.toLowerCase(), name]));
}

function outline(body: string, names: Names): Outline {
  const sections: Section[] = [];
  let title: Title | undefined;
  for (const line of linesOf(body)) {
    const heading = readHeading(line.text, names);
    if (heading?.backslashes === 0) {
      const last = sections.at(-1);
      if (last) last.end = line.start;
      sections.push({ name: heading.name, start: line.start, content: line.next, end: body.length });
    } else if (sections.length === 0) {
      title ??= readTitle(line);
    }
  }
  return { title, sections, first: sections[0]?.start ?? body.length };
}

function findTitle(body: string): Title | undefined {
  for (const line of linesOf(body)) {
    if (line.text.startsWith("## ")) return undefined;
    const title = readTitle(line);
    if (title) return title;
  }
  return undefined;
}

interface Line {
  /** Without its line break. */
  text: string;
  start: number;
  next: number;
}

function* linesOf(body: string): Generator<Line> {
  for (let start = 0; start < body.length; ) {
    const lineBreak = body.indexOf("\n", start);
    const next = lineBreak === -1 ? body.length : lineBreak + 1;
    yield { text: withoutReturns(body.slice(start, lineBreak === -1 ? next : lineBreak)), start, next };
    start = next;
  }
}

function readTitle({ text, start, next }: Line): Title | undefined {
  const title = text.startsWith("# ") ? text.slice(2).trim() : "";
  return title === "" ? undefined : { text: title, start, textEnd: start + text.length, next };
}

/** A known heading, and how many backslashes keep it from being one. */
function readHeading(line: string, names: Names): { name: string; backslashes: number } | undefined {
  let backslashes = 0;
  while (line[backslashes] === "\\") backslashes++;
  if (!line.startsWith("## ", backslashes)) return undefined;
  const heading = line.slice(backslashes + 3).trimEnd();
  const name = names.get(heading.toLowerCase());
  return name === undefined ? undefined : { name, backslashes };
}

function readContent(text: string, names: Names): string {
  const lines = plainLines(text).split("\n");
  return lines.map((line) => (readHeading(line, names) ? line.slice(1) : line)).join("\n");
}

function escapeHeadings(text: string, names: Names): string {
  const lines = text.split("\n");
  return lines.map((line) => (readHeading(line, names) ? `\\${line}` : line)).join("\n");
}

/** Puts the text under the first heading and takes the others of that name away. */
function replaceSections(body: string, own: readonly Section[], { text, eol }: { text: string; eol: string }): string {
  let result = "";
  let done = 0;
  for (const [index, { start, content, end }] of own.entries()) {
    const head = body.slice(done, index === 0 ? content : start);
    const below = index === 0 ? replaceText(body.slice(content, end), text, eol) : "";
    result += head + (head.endsWith("\n") || below === "" ? "" : eol) + below;
    done = end;
  }
  return result + body.slice(done);
}

/** Keeps the blank lines around a section's old text. `region` is what stands below the heading. */
function replaceText(region: string, text: string, eol: string): string {
  const start = leadingBlankLines(region);
  const isEmpty = start === region.length;
  if (isEmpty) return text === "" ? region : text + eol + region;
  const end = trailingBlankLines(region);
  if (text === "") return region.slice(region.indexOf("\n", end) + 1 || region.length);
  return region.slice(0, start) + text + region.slice(end);
}

/** Offset of the first line that is not blank. */
function leadingBlankLines(text: string): number {
  for (const line of linesOf(text)) if (line.text.trim() !== "") return line.start;
  return text.length;
}

/** Offset of the line break behind the last line that is not blank. */
function trailingBlankLines(text: string): number {
  let end = 0;
  for (const line of linesOf(text)) if (line.text.trim() !== "") end = line.start + line.text.length;
  return end;
}

function findPlace(body: string, sections: readonly Section[], edit: SectionEdit): number {
  const { name, known, after = [] } = edit;
  const before = sections.findLast((section) => after.includes(section.name));
  if (before) return before.end;
  const later = known.slice(known.indexOf(name) + 1);
  return sections.find((section) => later.includes(section.name))?.start ?? body.length;
}

/** Puts a block at the start of a line, with a blank line before it and, where text follows, behind it. */
function insertBlock(body: string, block: string, at: number): string {
  const eol = eolOf(body);
  const before = body.slice(0, at);
  const line = before === "" || before.endsWith("\n") ? "" : eol;
  const blank = hasBlankEnd(before) ? "" : eol;
  return before + line + blank + block + (at < body.length ? eol : "") + body.slice(at);
}

function hasBlankEnd(text: string): boolean {
  if (!text.endsWith("\n")) return false;
  return text.slice(text.lastIndexOf("\n", text.length - 2) + 1).trim() === "";
}

function eolOf(body: string): string {
  const lineBreak = body.indexOf("\n");
  return lineBreak > 0 && body[lineBreak - 1] === "\r" ? "\r\n" : "\n";
}
