import { cutText } from "../../../contract/words/cut-text.ts";
import { lineAt, type Place } from "./edit-places.ts";

const MOST_LINES_NAMED = 10;
const LONGEST_QUOTE = 200;
/** So much is compared to find where something similar stands; more would take too long. */
const MOST_COMPARED = 2_000_000;

export function severalPlaces(text: string, places: readonly Place[], most: number): string {
  const lines = [...new Set(places.slice(0, MOST_LINES_NAMED).map(({ at }) => lineAt(text, at)))];
  const count = places.length >= most ? `${most} or more` : String(places.length);
  const others = places.length > MOST_LINES_NAMED ? " …" : "";
  return `oldText occurs ${count} times (lines ${lines.join(", ")}${others}). Add surrounding lines until it is unique, or set all.`;
}

/** Why a text that somebody believed to be in a file is not there, and what is there instead. */
export function noPlace(text: string, oldText: string): string {
  const slip = slipIn(text, oldText);
  if (slip !== undefined) return `oldText not found: ${slip}.`;
  const near = nearest(text.split("\n"), oldText.split(/\r?\n/));
  if (near === undefined)
    return "oldText not found, nor anything like its first line. Read the file again: it may have changed, or it is a different file.";
  const { line, same, differing, isAlike } = near;
  const beginning = same === 1 ? `its first line is on line ${line}` : `its first ${same} lines start at line ${line}`;
  if (differing === "nothing")
    return `oldText not found: it is on line ${line}, without the blank lines that oldText starts with.`;
  if (differing === "end") return `oldText not found: ${beginning}, then the file ends.`;
  const where = `line ${line + same} of the file is ${quoted(differing.found)}, and oldText has ${quoted(differing.wanted)}`;
  if (isAlike)
    return `oldText not found: it differs only in whitespace or similar-looking characters. ${capital(where)}.`;
  return `oldText not found: ${same === 0 ? "" : `${beginning}, but `}${where}. Read these lines again.`;
}

/** Ways of quoting a file wrongly that can be named. */
function slipIn(text: string, oldText: string): string | undefined {
  const numbered = /^ *\d+\t/;
  const lines = oldText.split("\n");
  const unnumbered = lines.map((line) => line.replace(numbered, "")).join("\n");
  const plain = text.replaceAll("\r\n", "\n");
  if (lines.some((line) => numbered.test(line)) && plain.includes(unnumbered))
    return "it includes the line numbers shown by read, which are not part of the file";
  if (oldText.includes("\\n") && plain.includes(oldText.replaceAll("\\n", "\n")))
    return "it has \\n where the file has a line break";
  if (oldText.includes("\r") && plain.includes(oldText.replaceAll("\r\n", "\n")))
    return "it has CRLF line breaks where the file has LF; remove the carriage returns";
  if (plain.includes(oldText)) return "the file mixes CRLF and LF line breaks there; edit fewer lines at once";
  return undefined;
}

interface Near {
  /** Where its first line stands. */
  line: number;
  /** How many lines are the same, from there on. */
  same: number;
  /** The first lines that differ; `end` where the file has no more. */
  differing: { wanted: string; found: string } | "end" | "nothing";
  /** Whether all lines would be the same but for what is easily taken for something else. */
  isAlike: boolean;
}

/** Where the beginning of the wanted lines stands, with the most lines alike. Blank lines before it do not count. */
function nearest(lines: readonly string[], wanted: readonly string[]): Near | undefined {
  const own = wanted.slice(wanted.findIndex((line) => line.trim() !== ""));
  const first = loose(own[0] ?? "");
  if (first === "") return undefined;
  let best: { at: number; alike: number } | undefined;
  let compared = 0;
  for (let at = 0; at < lines.length && compared < MOST_COMPARED; at++) {
    compared += (lines[at] as string).length;
    if (!isBeginning(lines[at] as string, first, own.length)) continue;
    let alike = 1;
    for (; alike < own.length && isAlike(lines[at + alike], own[alike]); alike++)
      compared += (lines[at + alike] as string).length;
    if (best === undefined || alike > best.alike) best = { at, alike };
  }
  return best && { ...difference(lines.slice(best.at), own), line: best.at + 1, isAlike: best.alike === own.length };
}

function difference(lines: readonly string[], wanted: readonly string[]): Pick<Near, "same" | "differing"> {
  const last = wanted.length - 1;
  const same = wanted.findIndex((line, at) => !isSame(lines[at], line, { first: at === 0, last: at === last }));
  if (same === -1) return { same: wanted.length, differing: "nothing" };
  const found = lines[same]?.replace(/\r$/, "");
  return { same, differing: found === undefined ? "end" : { found, wanted: wanted[same] as string } };
}

/** The wanted text may begin and end within a line. */
function isBeginning(line: string, first: string, count: number): boolean {
  const plain = loose(line);
  return count === 1 ? plain.includes(first) : plain.endsWith(first);
}

function isSame(found: string | undefined, wanted: string, place: { first: boolean; last: boolean }): boolean {
  const plain = found?.replace(/\r$/, "");
  if (plain === undefined) return false;
  if (place.first && place.last) return plain.includes(wanted);
  if (place.first) return plain.endsWith(wanted);
  return place.last ? plain.startsWith(wanted) : plain === wanted;
}

function isAlike(found: string | undefined, wanted: string | undefined): boolean {
  if (found === undefined || wanted === undefined) return false;
  const [left, right] = [loose(found), loose(wanted)];
  return left === right || (right !== "" && left.includes(right));
}

/** Without what is easily taken for something else. */
function loose(line: string): string {
  return line
    .slice(0, 2_000)
    .normalize("NFKC")
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}

function quoted(line: string): string {
  return JSON.stringify(cutText(line, LONGEST_QUOTE));
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
