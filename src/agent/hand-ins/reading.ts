import type { z } from "zod";
import { plainWords } from "../../contract/words/issue-words.ts";

/** What a model sent, read: complete, or everything that is wrong with it, each fault with its path. */
export type Read<Value> = { ok: true; value: Value } | { ok: false; faults: string[] };

/** A model that makes the same mistake a thousand times reads it this often. */
const MOST_FAULTS = 50;

/** Everything that is wrong, in the order in which it was found. */
export class Faults {
  readonly #found = new Set<string>();
  /** Where something is wrong already, in better words than a schema has. */
  readonly #paths = new Set<string>();

  add(path: string, problem: string): void {
    this.#found.add(`${path}: ${problem}`);
    this.#paths.add(path);
  }

  /** The value if the schema takes it and nothing else was wrong. */
  judge<Schema extends z.ZodType>(schema: Schema, value: unknown): Read<z.output<Schema>> {
    const parsed = schema.safeParse(value, { error: plainWords });
    for (const { path, message } of parsed.error?.issues ?? [])
      if (!this.#paths.has(path.join("."))) this.#found.add(`${path.join(".") || "input"}: ${message}`);
    if (parsed.success && this.#found.size === 0) return { ok: true, value: parsed.data };
    return { ok: false, faults: shortened([...this.#found]) };
  }
}

export function refused(fault: string): { ok: false; faults: string[] } {
  return { ok: false, faults: [fault] };
}

export type Fields = Record<string, unknown>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text in one line; what is no text stays what it is, for the schema to refuse. */
export function oneLine(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : value;
}

/** One entry counts as a list of one, and none as an empty list. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null || value === "") return [];
  return Array.isArray(value) ? value : [value];
}

export function linesOf(value: unknown): unknown[] {
  return listOf(value)
    .map(oneLine)
    .filter((line) => line !== "");
}

function shortened(faults: string[]): string[] {
  const more = faults.length - MOST_FAULTS;
  return more <= 0 ? faults : [...faults.slice(0, MOST_FAULTS), `and ${more} more`];
}
