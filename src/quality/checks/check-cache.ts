import { createHash } from "node:crypto";
import { z } from "zod";
import { CommandEvidence } from "../../contract/documents/quality/gate.ts";
import { FAILURE_KINDS } from "../../contract/words/gate-words.ts";
import type { Files } from "../../store/files/files.ts";
import { statOf } from "../../store/files/regular-file.ts";
import { parsedJson } from "./formats/parsed.ts";
import type { Checked } from "./local-checks.ts";

/** Counts up when results of before would not be the same now. */
const VERSION = 3;
const MOST_ENTRIES = 2_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** Kept in memory too: the same verdicts are asked for again and again. */
const MOST_HELD = 200;

/** The hall wrote the file; a disk or a person may have cut it. */
const Kept = z.object({
  checked: z.looseObject({
    verdict: z.enum(["pass", "fail", "unable", "skipped"]),
    kind: z.enum(FAILURE_KINDS),
    evidence: z.array(CommandEvidence),
    errors: z.array(z.looseObject({ message: z.string() })),
    tests: z.array(
      z.looseObject({ id: z.string(), name: z.string(), status: z.enum(["passed", "failed", "skipped"]) }),
    ),
  }),
  witnesses: z.record(z.string(), z.string()),
});

interface Entry {
  checked: Checked;
  /** Files of this machine, and what they were. */
  witnesses: Record<string, string>;
}

/** What came of checks, by everything that decides it: trees, command and toolchain. Generated: losing it costs time only. */
export class CheckCache {
  readonly #files: Files | undefined;
  readonly #folder: string;
  readonly #most: number;
  readonly #held = new Map<string, Entry>();
  /** Files that were there, and those written since; counted when the first is written. */
  #count: number | undefined;

  /** Without files it lasts as long as the process. */
  constructor(files?: Files, folder = ".", most = MOST_ENTRIES) {
    this.#files = files;
    this.#folder = folder;
    this.#most = most;
    files?.makeFolder(folder);
  }

  get(parts: unknown): Checked | undefined {
    const key = keyOf(parts);
    const entry = this.#held.get(key) ?? this.#read(key);
    if (entry === undefined) return undefined;
    const isStill = Object.entries(entry.witnesses).every(([path, stamp]) => stampOf(path) === stamp);
    if (!isStill) return undefined;
    this.#hold(key, entry);
    return { ...entry.checked, evidence: entry.checked.evidence.map((one) => ({ ...one, cached: true })) };
  }

  put(parts: unknown, checked: Checked, witnesses: readonly string[]): void {
    const key = keyOf(parts);
    const entry = { checked, witnesses: Object.fromEntries(witnesses.map((path) => [path, stampOf(path)])) };
    this.#hold(key, entry);
    const text = JSON.stringify(entry);
    if (this.#files === undefined || text.length > MOST_BYTES) return;
    try {
      this.#files.replaceGenerated(`${this.#folder}/${key}.json`, text);
      this.#count = this.#count === undefined ? this.#files.names(this.#folder).length : this.#count + 1;
      if (this.#count > this.#most) this.#prune(this.#files, `${key}.json`);
    } catch {
      // A full disk: the next check takes its time again.
    }
  }

  #hold(key: string, entry: Entry): void {
    this.#held.delete(key);
    this.#held.set(key, entry);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MOST_HELD && oldest !== undefined) this.#held.delete(oldest);
  }

  #read(key: string): Entry | undefined {
    const path = `${this.#folder}/${key}.json`;
    try {
      if (this.#files?.isReached(path) !== true) return undefined;
      const value = parsedJson(this.#files.read(path).toString("utf8"));
      const entry = Kept.safeParse(value);
      return entry.success ? (entry.data as Entry) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The oldest quarter goes when there are too many, but never the newest: times are coarse. */
  #prune(files: Files, newest: string): void {
    const names = files.names(this.#folder);
    this.#count = names.length;
    if (names.length <= this.#most) return;
    const ages = names
      .filter((name) => name !== newest)
      .map((name) => ({ name, at: files.stamp(`${this.#folder}/${name}`)?.mtime ?? 0 }));
    for (const { name } of ages.toSorted((left, right) => left.at - right.at).slice(0, Math.ceil(this.#most / 4)))
      files.discard(`${this.#folder}/${name}`);
    this.#count = names.length - Math.ceil(this.#most / 4);
  }
}

function keyOf(parts: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([VERSION, process.version, parts]))
    .digest("hex")
    .slice(0, 40);
}

/** Another one once the file was replaced. */
export function stampOf(path: string): string {
  const stat = statOf(path);
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
