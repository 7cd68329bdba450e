import { HallError } from "../../contract/errors.ts";

export const BODY_LIMIT = 10 * 1_048_576;
const DEEPEST = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// A bracket and a brace differ in one bit.
const BRACKET_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** One JSON object, or a HallError that says what is wrong with the bytes. */
export function decodeJsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length === 0) throw new HallError("malformed", "The body is empty.");
  if (isDeeperThan(bytes, DEEPEST))
    throw new HallError("malformed", `The body is nested deeper than ${DEEPEST} levels.`);
  const value = parse(decode(bytes));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HallError("malformed", "The body must be one JSON object.");
  }
  if (hasProtoKey(value)) throw new HallError("invalid", "__proto__: is not allowed as a key");
  return value as Record<string, unknown>;
}

/** Looked at before parsing: the parser itself takes seconds for millions of levels. */
function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if ((byte | BRACKET_BIT) === OPENING) {
      if (++depth > limit) return true;
    } else if ((byte | BRACKET_BIT) === CLOSING) depth--;
  }
  return false;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HallError("malformed", "The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HallError("malformed", `The body is not valid JSON: ${(error as Error).message}.`);
  }
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasProtoKey);
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProtoKey);
}
