/** What a frontmatter may hold. Beyond this it is refused before it can cost memory or time. */
export const LIMITS = {
  bytes: 256 * 1024,
  /** Collections inside one another, the root mapping included. */
  depth: 32,
  /** Keys of one mapping. */
  keys: 1_000,
  aliases: 100,
  /** Values copied by aliases, over the whole frontmatter. */
  aliasValues: 10_000,
  /** Characters of a top-level key as written; YAML itself ends at 1,024. */
  keyLength: 1_000,
} as const;

/** Where a top-level key stands in the YAML source. All offsets count from the start of that source. */
export interface Entry {
  key: string;
  /** 1-based. */
  line: number;
  /** Start of the key's line. */
  start: number;
  colon: number;
  /** The value, without quotes taken off; both stand right behind the colon when there is none. */
  valueStart: number;
  valueEnd: number;
  /** End of the key's own lines, the last line break included. Comments and blank lines behind them are not its own. */
  end: number;
  /** Column of the dashes when the value is a block list with one line for each item, else undefined. */
  listIndent: number | undefined;
}

export interface Layout {
  data: Record<string, unknown>;
  /** Keys that can be edited as text. A key of `data` missing here is written in a way that only YAML itself can edit. */
  entries: Entry[];
}

export type LayoutOutcome = { ok: true; layout: Layout } | { ok: false; line: number; reason: string };

/** Assigning this key would replace the prototype of the object it is read into. */
export function isPrototypeKey(key: string): boolean {
  return key === "__proto__";
}
