import { errorText } from "../../contract/words/error-text.ts";
export type JsonOutcome =
  | {
      ok: true;
      value: unknown /** 1-based line of a member by its path, e.g. "roles/0/name". */;
      lineOf(path: string): number;
    }
  | { ok: false; line: number; reason: string };

const MAX_DEPTH = 64;

/** Reads JSON as strictly as a hand-edited file needs: one document, no key twice, no `__proto__`. Never throws. */
export function parseJsonText(text: string): JsonOutcome {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (plain.trim() === "") return { ok: false, line: 1, reason: "the file is empty" };
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    const message = errorText(error);
    return { ok: false, line: lineOfFault(message, plain), reason: `it is not JSON: ${shortened(message)}` };
  }
  return scanMembers(plain, value);
}

interface Level {
  path: string;
  keys: Set<string> | undefined;
  /** The key or position of the member being read. */
  member: string | number;
}

/** Walks the tokens of valid JSON once, to note where members stand and which key comes twice. */
function scanMembers(text: string, value: unknown): JsonOutcome {
  const lines = new Map<string, number>();
  const stack: Level[] = [];
  let line = 1;
  let latest = { text: "", line };
  for (const { token } of tokensOf(text)) {
    const level = stack.at(-1);
    if (token === "\n") line++;
    else if (token === "{" || token === "[") {
      if (stack.length >= MAX_DEPTH) return { ok: false, line, reason: `it is nested deeper than ${MAX_DEPTH} levels` };
      const path = level === undefined ? "" : memberPath(level);
      if (!lines.has(path)) lines.set(path, line);
      stack.push({ path, keys: token === "{" ? new Set() : undefined, member: 0 });
    } else if (token === "}" || token === "]") stack.pop();
    else if (token === "," && level?.keys === undefined && level !== undefined) level.member = Number(level.member) + 1;
    else if (token === ":" && level?.keys !== undefined) {
      const key = String(JSON.parse(latest.text));
      const fault = faultOfKey(key, level.keys);
      if (fault !== undefined) return { ok: false, line: latest.line, reason: fault };
      level.keys.add(key);
      level.member = key;
      lines.set(memberPath(level), latest.line);
    } else if (isLossy(token)) {
      return { ok: false, line, reason: `the number ${token.slice(0, 40)} is too large to store exactly` };
    } else latest = { text: token, line };
  }
  return { ok: true, value, lineOf: (path) => nearestLine(lines, path) };
}

function faultOfKey(key: string, before: ReadonlySet<string>): string | undefined {
  if (before.has(key)) return `the key '${key}' is duplicated in one object`;
  return key === "__proto__" ? "the key '__proto__' is not allowed" : undefined;
}

/** Whether a number would come out different when the file is written again. */
function isLossy(token: string): boolean {
  if (!/^-?\d/.test(token)) return false;
  return !Number.isFinite(Number(token)) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)));
}

function memberPath(level: Level): string {
  return level.path === "" ? String(level.member) : `${level.path}/${level.member}`;
}

function nearestLine(lines: Map<string, number>, path: string): number {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return 1;
}

/** Marks, strings, words and line breaks. Strings are not matched by a pattern: one of megabytes would exhaust it. */
export function* tokensOf(text: string): Generator<{ token: string; at: number }> {
  const start = /[{}[\],:"\n]|[^\s{}[\],:"]+/g;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    if (found[0] === '"') start.lastIndex = endOfString(text, found.index);
    yield { token: text.slice(found.index, start.lastIndex), at: found.index };
  }
}

function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(text, end));
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === "\\") first--;
  return (at - first) % 2 === 1;
}

/** Not every message of the parser names a place; those that do not are about a token where a value should stand. */
function lineOfFault(message: string, text: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  return lineAt(text, position === undefined ? unexpectedToken(text) : Number(position));
}

const NO_VALUE = new Set(["}", "]", ",", ":"]);
const VALUE_FOLLOWS = new Set(["", "[", ",", ":"]);

function unexpectedToken(text: string): number {
  let previous = "";
  for (const { token, at } of tokensOf(text)) {
    if (token === "\n") continue;
    const isClosing = previous === "[" && token === "]";
    if (VALUE_FOLLOWS.has(previous) && NO_VALUE.has(token) && !isClosing) return at;
    if (!/^["{}[\],:\d-]|^(?:true|false|null)$/.test(token)) return at;
    previous = token;
  }
  return text.length;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** Without the place, which is told apart, and without the excerpt, which may run over lines. */
function shortened(message: string): string {
  return message.replace(/ in JSON at position.*$| at position.*$|, (?:\.\.\.)?".*$/s, "").replaceAll("\n", "\\n");
}
