import { HallError } from "../../contract/errors.ts";
import { isPrototypeKey, LIMITS } from "./yaml-layout.ts";
import { resolvePlain } from "./yaml-scalar.ts";

/** How a value stands behind its key: on the key's line, or as one line for each item below it. */
type Rendered = { inline: string } | { items: string[] };

const PLAIN_IN_BLOCK = /^[\p{L}\p{N}_/.($][^\p{C}\p{Zl}\p{Zp}]*$/u;
const PLAIN_IN_FLOW = /^[\p{L}\p{N}_/.][\p{L}\p{N}_/.@+ -]*$/u;
const PLAIN_KEY = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
// YAML 1.1 tools read these as booleans.
const OLD_BOOLEAN = /^(?:y|yes|n|no|on|off)$/i;
// Valid inside JSON strings, but invisible, deceptive or not printable in YAML.
const NEEDS_ESCAPE = /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Lists with a mapping among their items take one line an item, everything else stays on the key's line. */
export function renderValue(value: unknown): Rendered {
  if (Array.isArray(value) && value.some(isRecord)) return { items: value.map(renderFlow) };
  return { inline: typeof value === "string" ? renderString(value, PLAIN_IN_BLOCK) : renderFlow(value) };
}

export function renderEntry(key: string, value: unknown, eol: string): string {
  const head = `${renderKey(key)}:`;
  if (head.length > LIMITS.keyLength) throw unwritable(`a key has more than ${LIMITS.keyLength} characters`);
  const rendered = renderValue(value);
  if ("inline" in rendered) return `${head} ${rendered.inline}${eol}`;
  return head + eol + renderItems(rendered.items, 2, eol);
}

export function renderItems(items: readonly string[], indent: number, eol: string): string {
  const lead = " ".repeat(indent);
  return items.map((item) => `${lead}- ${item}${eol}`).join("");
}

export function renderFlow(value: unknown): string {
  if (typeof value === "string") return renderString(value, PLAIN_IN_FLOW);
  if (Array.isArray(value)) return `[${value.map(renderFlow).join(", ")}]`;
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${renderKey(key)}: ${renderFlow(item)}`)
      .join(", ")}}`;
  }
  return typeof value === "number" ? renderNumber(value) : String(value);
}

/**
 * A copy of the value with only what YAML can hold: undefined is left out of mappings and is null in lists.
 * Throws for what could not be read back.
 */
export function toPlainData(value: unknown, depth: number): unknown {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (typeof value !== "object") throw unwritable(`a ${typeof value} cannot be written`);
  if (depth > LIMITS.depth) throw unwritable(`it is nested deeper than ${LIMITS.depth} levels`);
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toPlainData(item, depth + 1)));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw unwritable("only plain objects can be written");
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length > LIMITS.keys) throw unwritable(`it has more than ${LIMITS.keys} keys`);
  if (entries.some(([key]) => isPrototypeKey(key))) throw unwritable("the key '__proto__' is not allowed");
  return Object.fromEntries(entries.map(([key, item]) => [key, toPlainData(item, depth + 1)]));
}

function unwritable(reason: string): HallError {
  return new HallError("invalid", `The frontmatter cannot be written: ${reason}.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function renderKey(key: string): string {
  return PLAIN_KEY.test(key) && staysString(key) ? key : quote(key);
}

function renderString(text: string, plain: RegExp): string {
  return plain.test(text) && staysString(text) && !endsOrSplits(text) ? text : quote(text);
}

function staysString(text: string): boolean {
  return typeof resolvePlain(text) === "string" && !OLD_BOOLEAN.test(text);
}

/** Would be cut short, or be read as a key or a comment, without quotes. */
function endsOrSplits(text: string): boolean {
  return text.includes(": ") || text.includes(" #") || text.endsWith(":") || text.trim() !== text;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(NEEDS_ESCAPE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  return Object.is(value, -0) ? "-0" : String(value);
}
