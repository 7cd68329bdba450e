import { type Cursor, findColon, scanLineValue, skipSpaces, UNCLEAR } from "./yaml-inline.ts";
import { type Entry, isPrototypeKey, type Layout, LIMITS } from "./yaml-layout.ts";

const HASH = 35;
const DASH = 45;
const SPACE = 32;
const TAB_OR_LONE_RETURN = /\t|\r(?!\n)/;

interface Lines extends Cursor {
  /** 1-based. */
  line: number;
  /** Where the next line starts. */
  next: number;
}

/**
 * Reads the shape that frontmatter usually has: top-level keys with a scalar, a flow collection or a block list of
 * these, each value on one line. Answers undefined for anything else, right or wrong: it never guesses. What it does
 * read, it reads as the `yaml` package would, at about a fiftieth of the cost. `source` is empty or ends in a line break.
 */
export function scanFast(source: string): Layout | undefined {
  if (TAB_OR_LONE_RETURN.test(source)) return undefined;
  const data: Record<string, unknown> = {};
  const entries: Entry[] = [];
  const lines: Lines = { source, pos: 0, end: 0, line: 0, next: 0 };
  nextLine(lines);
  while (skipToContent(lines)) {
    const entry = scanHead(lines);
    if (!entry || isPrototypeKey(entry.key) || Object.hasOwn(data, entry.key)) return undefined;
    if (entries.length === LIMITS.keys) return undefined;
    const value = scanBehindColon(lines, entry);
    if (value === UNCLEAR) return undefined;
    data[entry.key] = value;
    entries.push(entry);
  }
  return { data, entries };
}

function nextLine(lines: Lines): void {
  const { source, next } = lines;
  const lineBreak = source.indexOf("\n", next);
  lines.pos = next;
  lines.line++;
  lines.next = lineBreak === -1 ? source.length : lineBreak + 1;
  lines.end = lineBreak === -1 ? source.length : lineBreak;
  if (lines.end > next && source.charCodeAt(lines.end - 1) === 13) lines.end--;
}

/** Moves to the next line that is neither blank nor a comment; false at the end of the source. */
function skipToContent(lines: Lines): boolean {
  while (lines.pos < lines.source.length) {
    const first = skipSpaces(lines, lines.pos);
    if (first < lines.end && lines.source.charCodeAt(first) !== HASH) return true;
    nextLine(lines);
  }
  return false;
}

function scanHead(lines: Lines): Entry | undefined {
  const { source, pos: start, line } = lines;
  const colon = findColon(lines);
  if (colon === -1) return undefined;
  const value = colon + 1;
  const key = source.slice(start, colon);
  return { key, line, start, colon, valueStart: value, valueEnd: value, end: lines.next, listIndent: undefined };
}

/** Leaves `lines` at the start of the first line that does not belong to the entry. */
function scanBehindColon(lines: Lines, entry: Entry): unknown {
  const first = skipSpaces(lines, entry.colon + 1);
  if (first === lines.end || lines.source.charCodeAt(first) === HASH) {
    nextLine(lines);
    return scanList(lines, entry);
  }
  lines.pos = first;
  const value = scanLineValue(lines, 2);
  entry.valueStart = first;
  entry.valueEnd = lines.pos;
  nextLine(lines);
  return value;
}

/** The items of a block list, or null when the next content is something else. */
function scanList(lines: Lines, entry: Entry): unknown {
  const items: unknown[] = [];
  while (skipToContent(lines)) {
    const dash = skipSpaces(lines, lines.pos);
    const indent = dash - lines.pos;
    if (!isItem(lines, dash)) {
      if (indent > 0) return UNCLEAR;
      break;
    }
    entry.listIndent ??= indent;
    if (indent !== entry.listIndent) return UNCLEAR;
    lines.pos = skipSpaces(lines, dash + 1);
    if (items.length === 0) entry.valueStart = dash;
    const item = scanLineValue(lines, 3);
    if (item === UNCLEAR) return UNCLEAR;
    items.push(item);
    entry.valueEnd = lines.pos;
    entry.end = lines.next;
    nextLine(lines);
  }
  return items.length > 0 ? items : null;
}

function isItem({ source }: Lines, at: number): boolean {
  return source.charCodeAt(at) === DASH && source.charCodeAt(at + 1) === SPACE;
}
