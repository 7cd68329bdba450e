import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { HallError } from "../../contract/errors.ts";
import { type Fenced, splitFence } from "./fence.ts";
import { editSource } from "./frontmatter-edit.ts";
import { scanFast } from "./yaml-fast.ts";
import { readFull, rewriteFull } from "./yaml-full.ts";
import type { Layout, LayoutOutcome } from "./yaml-layout.ts";
import { renderEntry, toPlainData } from "./yaml-render.ts";

export interface Parsed {
  data: Record<string, unknown>;
  body: string;
  /** 1-based line of a top-level key in the file, or of the fence when there is no such key. */
  lineOf(key: string): number;
}

export type ParseOutcome = { ok: true; parsed: Parsed } | { ok: false; line: number; reason: string };

/** Reads the frontmatter and the body of a document. Never throws, whatever the text. */
export function parseFrontmatter(text: string): ParseOutcome {
  const fenced = splitFence(text);
  if (!fenced.ok) return fenced;
  const read = readSource(fenced.source);
  if (!read.ok) return { ok: false, line: read.line + 1, reason: read.reason };
  const { data, entries } = read.layout;
  const lineOf = (key: string) => 1 + (entries.find((entry) => entry.key === key)?.line ?? 0);
  return { ok: true, parsed: { data, body: text.slice(fenced.body), lineOf } };
}

/** What follows the frontmatter, whatever that holds; undefined where there is none. */
export function bodyOf(text: string): string | undefined {
  const fenced = splitFence(text);
  return fenced.ok ? text.slice(fenced.body) : undefined;
}

/**
 * Sets and, with undefined, removes top-level keys. Every byte that is not theirs stays as it is, and a key that
 * already has the value asked for is not touched; only YAML that cannot be edited as text is reformatted.
 * `missing`: what keys get that are not there. Throws `file_invalid` when the document cannot be read, or would afterwards hold anything but the change.
 */
export function editFrontmatter(
  text: string,
  changes: Record<string, unknown>,
  missing: Record<string, unknown> = {},
): string {
  const fenced = splitFence(text);
  if (!fenced.ok) throw notEditable(fenced.reason, fenced.line);
  const read = readSource(fenced.source);
  if (!read.ok) throw notEditable(read.reason, read.line + 1);
  const { data } = read.layout;
  const absent = Object.entries(missing).filter(([key]) => !Object.hasOwn(data, key));
  const wanted = realChanges(data, { ...Object.fromEntries(absent), ...changes });
  if (wanted.size === 0) return text;
  const expected = { data: applyChanges(data, wanted), body: text.slice(fenced.body) };
  const asText = editSource(fenced.source, read.layout, { changes: wanted, eol: fenced.eol });
  const edited = replaceSource(text, fenced, asText);
  const problem = deviation(edited, expected);
  if (problem === undefined) return edited;
  const rewritten = replaceSource(text, fenced, rewriteFull(fenced.source, wanted)?.replaceAll("\n", fenced.eol));
  if (deviation(rewritten, expected) === undefined) return rewritten;
  throw notEditable(`'${[...wanted.keys()].join("', '")}' cannot be changed: ${problem}`, 1);
}

/** A new frontmatter in our own form, its keys in the order given. Values that are undefined are left out. */
export function renderFrontmatter(data: Record<string, unknown>): string {
  const plain = toPlainData(data, 1) as Record<string, unknown>;
  const source = Object.entries(plain)
    .map(([key, value]) => renderEntry(key, value, "\n"))
    .join("");
  const text = `---\n${source}---\n`;
  const fenced = splitFence(text);
  if (!fenced.ok) throw new HallError("too_large", `The frontmatter cannot be written: ${fenced.reason}.`);
  return text;
}

/** Undefined for bytes that are not UTF-8. A byte order mark is kept as U+FEFF. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function readSource(source: string): LayoutOutcome {
  const layout = scanFast(source);
  return layout ? { ok: true, layout } : readFull(source);
}

function realChanges(data: Layout["data"], changes: Record<string, unknown>): Map<string, unknown> {
  const plain = new Map(Object.entries(toPlainData(changes, 1) as Record<string, unknown>));
  const isReal = (key: string) =>
    Object.hasOwn(data, key) ? !isDeepStrictEqual(data[key], plain.get(key)) : plain.has(key);
  return new Map(
    Object.keys(changes)
      .filter(isReal)
      .map((key) => [key, plain.get(key)]),
  );
}

function applyChanges(data: Layout["data"], changes: ReadonlyMap<string, unknown>): Layout["data"] {
  const next = { ...data };
  for (const [key, value] of changes) {
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return next;
}

/** The text with another YAML between its fences; unchanged when there is none. */
function replaceSource(text: string, fenced: Fenced, source: string | undefined): string {
  return source === undefined ? text : text.slice(0, fenced.start) + source + text.slice(fenced.close);
}

/** Why a text does not hold exactly the data and the body expected. */
function deviation(text: string, expected: { data: Layout["data"]; body: string }): string | undefined {
  const outcome = parseFrontmatter(text);
  if (!outcome.ok) return outcome.reason;
  const { data, body } = outcome.parsed;
  if (body === expected.body && isDeepStrictEqual(data, expected.data)) return undefined;
  return "it can't be changed without changing other keys";
}

function notEditable(reason: string, line: number): HallError {
  return new HallError("file_invalid", `The frontmatter is not valid: ${reason}.`, { line });
}
