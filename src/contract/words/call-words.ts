import { cutText } from "./cut-text.ts";

/** What tells most about a call, in this order. */
const TELLING = [
  "command",
  "name",
  "file",
  "role",
  "title",
  "pattern",
  "path",
  "glob",
  "url",
  "query",
  "outcome",
  "text",
];
const LONGEST = 200;

/** What a call is about, without its name: `{"path":"src/login.ts"}` as `src/login.ts`. The input may be cut or no JSON at all. */
export function callWords(input: string): string {
  return shortened(callSubject(input));
}

/** The same, however long it is. */
export function callSubject(input: string): string {
  const told = TELLING.map((name) => fieldOf(input, name)).filter((value) => value !== "");
  if (told.length > 0) return told.join(" ");
  return input.trim() === "{}" ? "" : input;
}

/** By the names of fields, which are few: each call of an agent is looked through for all of them. */
const fieldShapes = new Map<string, RegExp>();

/** The text of a field of an input, as far as it is there; empty when there is none. */
export function fieldOf(input: string, name: string): string {
  const mark = `"${name}"`;
  if (!input.includes(mark)) return "";
  const shape = fieldShapes.get(name) ?? new RegExp(`${mark}\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`, "s");
  fieldShapes.set(name, shape);
  const text = shape.exec(input)?.[1] ?? "";
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/** One line of at most so many characters. */
export function shortened(text: string, longest = LONGEST): string {
  // Cut before white space is collapsed: whoever redacted the text saw no more of it than this.
  const line = text
    .slice(0, 10 * longest)
    .replace(/\s+/g, " ")
    .trim();
  return cutText(line, longest);
}
