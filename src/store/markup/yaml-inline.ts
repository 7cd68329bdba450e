import { isPrototypeKey, LIMITS } from "./yaml-layout.ts";
import { resolvePlain } from "./yaml-scalar.ts";

/** Answer of a scanner that met something it does not fully understand; YAML proper must then read the whole source. */
export const UNCLEAR = Symbol("unclear");

/** A place in one line of the source: `pos` moves forward, `end` is where the line's text ends. */
export interface Cursor {
  readonly source: string;
  pos: number;
  end: number;
}

const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const COMMA = 44;
const DASH = 45;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Reads a value that ends on its own line, in block context. Behind it only a comment may follow. */
export function scanLineValue(cursor: Cursor, depth: number): unknown {
  const value = scanAny(cursor, { inFlow: false, depth });
  return value !== UNCLEAR && isLineOver(cursor) ? value : UNCLEAR;
}

/** Offset of the colon behind an unquoted key of letters, digits, '_', '.' and '-'; -1 when there is no such key. */
export function findColon({ source, pos, end }: Cursor): number {
  let at = pos;
  while (at < end && isKeyCode(source.charCodeAt(at))) at++;
  if (at === pos || at - pos > LIMITS.keyLength) return -1;
  if (source.charCodeAt(pos) === DASH || source.charCodeAt(at) !== COLON) return -1;
  return at + 1 === end || source.charCodeAt(at + 1) === SPACE ? at : -1;
}

export function skipSpaces({ source, end }: Cursor, from: number): number {
  let at = from;
  while (at < end && source.charCodeAt(at) === SPACE) at++;
  return at;
}

interface Place {
  inFlow: boolean;
  depth: number;
}

function scanAny(cursor: Cursor, place: Place): unknown {
  if (place.depth > LIMITS.depth) return UNCLEAR;
  switch (cursor.source.charCodeAt(cursor.pos)) {
    case DOUBLE_QUOTE:
      return scanDoubleQuoted(cursor);
    case SINGLE_QUOTE:
      return scanSingleQuoted(cursor);
    case OPEN_BRACKET:
      return scanSequence(cursor, place.depth);
    case OPEN_BRACE:
      return scanMapping(cursor, place.depth);
    default:
      return scanPlain(cursor, place.inFlow);
  }
}

function scanDoubleQuoted(cursor: Cursor): string | typeof UNCLEAR {
  const start = cursor.pos;
  let escaped = false;
  for (let at = start + 1; at < cursor.end; at++) {
    const code = cursor.source.charCodeAt(at);
    if (code === 92) {
      escaped = true;
      at++;
    } else if (code === DOUBLE_QUOTE) {
      cursor.pos = at + 1;
      return escaped ? parseJsonString(cursor.source.slice(start, at + 1)) : cursor.source.slice(start + 1, at);
    }
  }
  return UNCLEAR;
}

/** JSON's escapes mean the same in YAML; YAML has more of them, which are left to it. */
function parseJsonString(quoted: string): string | typeof UNCLEAR {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return UNCLEAR;
  }
}

function scanSingleQuoted(cursor: Cursor): string | typeof UNCLEAR {
  const { source, pos, end } = cursor;
  let doubled = false;
  for (let at = pos + 1; at < end; at++) {
    if (source.charCodeAt(at) !== SINGLE_QUOTE) continue;
    if (at + 1 < end && source.charCodeAt(at + 1) === SINGLE_QUOTE) {
      doubled = true;
      at++;
      continue;
    }
    cursor.pos = at + 1;
    const inner = source.slice(pos + 1, at);
    return doubled ? inner.replaceAll("''", "'") : inner;
  }
  return UNCLEAR;
}

function scanSequence(cursor: Cursor, depth: number): unknown[] | typeof UNCLEAR {
  const items: unknown[] = [];
  if (skipToClose(cursor, CLOSE_BRACKET)) return items;
  for (;;) {
    const item = scanAny(cursor, { inFlow: true, depth: depth + 1 });
    if (item === UNCLEAR) return UNCLEAR;
    items.push(item);
    const next = skipSeparator(cursor, CLOSE_BRACKET);
    if (next === "close") return items;
    if (next === "unclear") return UNCLEAR;
  }
}

function scanMapping(cursor: Cursor, depth: number): Record<string, unknown> | typeof UNCLEAR {
  const data: Record<string, unknown> = {};
  if (skipToClose(cursor, CLOSE_BRACE)) return data;
  for (let count = 1; count <= LIMITS.keys; count++) {
    const key = scanFlowKey(cursor);
    if (key === UNCLEAR || isPrototypeKey(key) || Object.hasOwn(data, key)) return UNCLEAR;
    const value = scanAny(cursor, { inFlow: true, depth: depth + 1 });
    if (value === UNCLEAR) return UNCLEAR;
    data[key] = value;
    const next = skipSeparator(cursor, CLOSE_BRACE);
    if (next === "close") return data;
    if (next === "unclear") return UNCLEAR;
  }
  return UNCLEAR;
}

/** Leaves the cursor on the value. */
function scanFlowKey(cursor: Cursor): string | typeof UNCLEAR {
  const { source, pos } = cursor;
  if (source.charCodeAt(pos) !== DOUBLE_QUOTE) {
    const colon = findColon(cursor);
    if (colon === -1) return UNCLEAR;
    cursor.pos = skipSpaces(cursor, colon + 1);
    return source.slice(pos, colon);
  }
  const key = scanDoubleQuoted(cursor);
  const colon = cursor.pos;
  if (source.charCodeAt(colon) !== COLON || source.charCodeAt(colon + 1) !== SPACE) return UNCLEAR;
  cursor.pos = skipSpaces(cursor, colon + 1);
  return key;
}

/** Steps over the opening bracket; true when the closing one follows at once. */
function skipToClose(cursor: Cursor, close: number): boolean {
  cursor.pos = skipSpaces(cursor, cursor.pos + 1);
  if (cursor.source.charCodeAt(cursor.pos) !== close) return false;
  cursor.pos++;
  return true;
}

function skipSeparator(cursor: Cursor, close: number): "comma" | "close" | "unclear" {
  const at = skipSpaces(cursor, cursor.pos);
  const code = cursor.source.charCodeAt(at);
  if (code === close) {
    cursor.pos = at + 1;
    return "close";
  }
  cursor.pos = skipSpaces(cursor, at + 1);
  return code === COMMA ? "comma" : "unclear";
}

function scanPlain(cursor: Cursor, inFlow: boolean): unknown {
  const { source, pos, end } = cursor;
  if (!mayStartPlain(cursor)) return UNCLEAR;
  let textEnd = pos;
  for (let at = pos; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === SPACE) continue;
    if (code === COLON && !isInsideWord(cursor, at + 1, inFlow)) return UNCLEAR;
    if (code === HASH && source.charCodeAt(at - 1) === SPACE) {
      if (inFlow) return UNCLEAR;
      break;
    }
    if (inFlow && isFlowIndicator(code)) break;
    textEnd = at + 1;
  }
  cursor.pos = textEnd;
  return resolvePlain(source.slice(pos, textEnd));
}

function mayStartPlain({ source, pos, end }: Cursor): boolean {
  if (pos >= end) return false;
  const code = source.charCodeAt(pos);
  if (code !== DASH) return !"!&*|>%@`#,[]{}?:".includes(source.charAt(pos));
  const next = source.charCodeAt(pos + 1);
  return pos + 1 < end && next !== SPACE && !isFlowIndicator(next);
}

/** A colon followed by more of the same word does not end a plain scalar. */
function isInsideWord({ source, end }: Cursor, next: number, inFlow: boolean): boolean {
  if (next >= end) return false;
  const code = source.charCodeAt(next);
  return code !== SPACE && !(inFlow && isFlowIndicator(code));
}

function isFlowIndicator(code: number): boolean {
  return (
    code === COMMA || code === OPEN_BRACKET || code === CLOSE_BRACKET || code === OPEN_BRACE || code === CLOSE_BRACE
  );
}

/** Nothing but spaces, or a comment set off by a space. */
function isLineOver(cursor: Cursor): boolean {
  const at = skipSpaces(cursor, cursor.pos);
  return at === cursor.end || (at > cursor.pos && cursor.source.charCodeAt(at) === HASH);
}

function isKeyCode(code: number): boolean {
  if (code >= 97) return code <= 122;
  if (code >= 65) return code <= 90 || code === 95;
  return (code >= 48 && code <= 57) || code === DASH || code === 46;
}
