import { type Node, type TemplateLiteral, Visitor } from "oxc-parser";
import type { SourceFiles } from "./floor-rules.ts";
import { readPages, readSources } from "./source-files.ts";
import { syntaxTreeOf } from "./syntax-tree.ts";
import { WORD_RULES } from "./word-list.ts";

interface WordFinding {
  path: string;
  line: number;
  found: string;
  instead: string;
}

/** A text that people or models read, and where it begins in its file. */
interface ReadText {
  text: string;
  start: number;
}

/**
 * One line for every phrase of the word list in a text that people or models read: string and template literals with more than
 * one word, text in JSX, Markdown and YAML as a whole. `exempt` are folders or files that still have such phrases; one that has
 * none left is a problem too, so that the list can only become shorter.
 */
export function wordProblems(files: SourceFiles, exempt: readonly string[]): string[] {
  const unused = new Set(exempt);
  const problems: string[] = [];
  for (const [path, source] of files) {
    const found = wordFindings(path, source);
    const excuses = exempt.filter((place) => isWithin(path, place));
    if (found.length > 0) for (const place of excuses) unused.delete(place);
    if (excuses.length === 0) problems.push(...found.map(shownFinding));
  }
  return [...problems, ...[...unused].map((place) => `${place}: is exempt from the word list, but has no findings`)];
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place.replace(/\/$/, "")}/`);
}

function shownFinding({ path, line, found, instead }: WordFinding): string {
  return `${path}:${line}: '${found}' in a text for people; write: ${instead}`;
}

function wordFindings(path: string, source: string): WordFinding[] {
  if (/\.test\.tsx?$/.test(path)) return [];
  return readTexts(path, source).flatMap(({ text, start }) =>
    WORD_RULES.flatMap(({ pattern, instead }) =>
      Array.from(text.matchAll(new RegExp(pattern, `${pattern.flags}g`)), (match) => ({
        path,
        line: lineOf(source, start + match.index),
        found: match[0].replace(/\s+/g, " ").replaceAll(/\$\{·+\}/g, "…"),
        instead,
      })),
    ),
  );
}

/** What is read of a file. In code that is what is written out in it; comments, identifiers and codes are not. */
function readTexts(path: string, source: string): ReadText[] {
  if (path.endsWith(".md")) return [{ text: withoutCodes(source), start: 0 }];
  if (!/\.tsx?$/.test(path)) return [{ text: source, start: 0 }];
  const texts: ReadText[] = [];
  const add = (text: string, start: number) => {
    if (/[a-z].*\s.*[a-z]/is.test(text)) texts.push({ text, start });
  };
  new Visitor({
    Literal: (literal) => {
      if (typeof literal.value === "string") add(source.slice(literal.start + 1, literal.end - 1), literal.start + 1);
    },
    TemplateLiteral: (literal) => add(templateText(literal, source), literal.start + 1),
    JSXText: ({ start, end }) => add(source.slice(start, end), start),
  }).visit(syntaxTreeOf(path, source));
  return texts;
}

/** With every code span of one word blanked out, such as the type of an event, so that places stay the same. */
function withoutCodes(page: string): string {
  return page.replaceAll(/`[^`\s]+`/g, (code) => "·".repeat(code.length));
}

/** As written, with what is filled in blanked out, so that places in it are places in the source. */
function templateText({ start, end, expressions }: TemplateLiteral, source: string): string {
  let text = source.slice(start + 1, end - 1);
  for (const { start: from, end: to } of expressions as Node[])
    text = text.slice(0, from - start - 1) + "·".repeat(to - from) + text.slice(to - start - 1);
  return text;
}

/** `node scripts/word-rules.ts --list src/cli` lists findings, exempt or not; `--texts` lists every text that is checked. */
function main([mode, ...places]: readonly string[]): void {
  const files = new Map([...readSources("src", "web/src"), ...readPages()]);
  const wanted = [...files].filter(([path]) => places.length === 0 || places.some((place) => isWithin(path, place)));
  for (const [path, source] of wanted) {
    if (mode !== "--texts") for (const finding of wordFindings(path, source)) console.log(shownFinding(finding));
    else if (!path.includes(".test."))
      for (const { text, start } of readTexts(path, source)) console.log(`${path}:${lineOf(source, start)}: ${text}`);
  }
}

function lineOf(source: string, place: number): number {
  return source.slice(0, place).split("\n").length;
}

if (import.meta.main) main(process.argv.slice(2));
