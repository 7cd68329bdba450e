import { hash as digest } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditReport } from "../../contract/routes/event-routes.ts";
import type { Files } from "../../store/files/files.ts";
import { costsFault, journalFault, type RecordedSeal, sealsIn } from "./journal-seal.ts";
import { digestsInSlices } from "./line-seal.ts";

const SIGNED = /,"hash":"([0-9a-f]{64})"\}$/;
const MAX_FAULTS = 100;

/** How long others may wait while the log is read. */
const SLICE_MS = 2;

interface Chain {
  seq: number;
  hash: string;
}

interface Heads {
  genesis: string;
  /** The newest event that was in its file before the walk: the log must reach it. */
  filed: Chain;
  /** The newest event that was given out, asked for after the walk: the log must not go beyond it. */
  newest: () => Chain;
}

/**
 * Walks the whole chain and names every line that was changed, removed, added or moved, between other things that the
 * daemon does. Events that are written meanwhile are checked as far as the walk gets to see them.
 */
export async function auditDays(files: Files, paths: string[], heads: Heads): Promise<AuditReport> {
  const pace = new Pace();
  const walk = new Walk(heads);
  for (const file of paths) {
    walk.open(file);
    let from: number | undefined = 0;
    while (from !== undefined) {
      from = sliceOf(files, { file, from, pace, walk });
      await pace.rest();
    }
  }
  walk.end(paths.at(-1) ?? "events");
  for await (const fault of walk.seals.faults(files, pace)) walk.fault(fault);
  const { journals, ledgers } = walk.seals.counts;
  const { events, faults, chain } = walk;
  return { ok: faults.length === 0, events, days: paths.length, journals, ledgers, head: chain.hash, faults };
}

/** Reads on for a moment; answers where to go on, or undefined at the end of the file. */
function sliceOf(
  files: Files,
  { file, from, pace, walk }: { file: string; from: number; pace: Pace; walk: Walk },
): number | undefined {
  let next: number | undefined;
  files.scanLog(file, from, (text, offset) => {
    if (pace.isOver) next = offset;
    else walk.line(text);
    return next === undefined;
  });
  return next;
}

class Pace {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > SLICE_MS;
  }

  async rest(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** How far the walk has come, and what it found. */
class Walk {
  readonly seals = new Seals();
  readonly faults: AuditReport["faults"] = [];
  readonly #heads: Heads;
  chain: Chain;
  events = 0;
  #file = "";
  #line = 0;
  /** The hash of the event that the log must reach; undefined until it has. */
  #reached: string | undefined;

  constructor(heads: Heads) {
    this.#heads = heads;
    this.chain = { seq: 0, hash: heads.genesis };
    if (heads.filed.seq === 0) this.#reached = heads.genesis;
  }

  open(file: string): void {
    this.#file = file;
    this.#line = 0;
  }

  line(text: string): void {
    const [file, line] = [this.#file, ++this.#line];
    if (text.trim() === "") return;
    const link = checkLine(text, this.chain);
    for (const reason of link.faults) this.fault({ file, line, reason });
    this.chain = link.next;
    if (this.chain.seq === this.#heads.filed.seq) this.#reached = this.chain.hash;
    this.seals.read(text, { file, line });
    this.events++;
  }

  end(file: string): void {
    const { filed, newest } = this.#heads;
    const last = newest();
    const { seq, hash } = this.chain;
    const isLast = seq < last.seq || (seq === last.seq && hash === last.hash);
    if (this.#reached === filed.hash && isLast) return;
    const reason = `the log ends at event ${seq}, but event ${seq < filed.seq ? filed.seq : last.seq} was written`;
    this.fault({ file, line: this.#line + 1, reason });
  }

  fault(fault: AuditReport["faults"][number]): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }
}

/** What the log tells of journals and of the ledger. */
class Seals {
  readonly #journals = new Map<string, RecordedSeal>();
  readonly #ledgers = new Map<string, RecordedSeal[]>();

  get counts() {
    return { journals: this.#journals.size, ledgers: this.#ledgers.size };
  }

  read(text: string, event: RecordedSeal["event"]): void {
    const found = sealsIn(text);
    for (const seal of found?.journals ?? []) this.#journals.set(seal.path, { ...seal, event });
    for (const seal of found?.costs ?? [])
      this.#ledgers.set(seal.path, [...(this.#ledgers.get(seal.path) ?? []), { ...seal, event }]);
  }

  async *faults(files: Files, pace: Pace): AsyncGenerator<AuditReport["faults"][number]> {
    const digests = (path: string) => digestsInSlices(files, path, () => pace.rest());
    for (const seal of this.#journals.values()) {
      const fault = journalFault(files, seal, await digests(seal.path));
      if (fault !== undefined) yield fault;
    }
    const newest = [...this.#ledgers.keys()].sort().at(-1);
    for (const [path, told] of this.#ledgers) {
      const fault = costsFault(told, await digests(path), path === newest);
      if (fault !== undefined) yield fault;
    }
  }
}

function checkLine(text: string, chain: Chain): { faults: string[]; next: Chain } {
  const signature = SIGNED.exec(text);
  if (signature === null) return { faults: ["this line is not a signed event"], next: chain };
  const unsigned = `${text.slice(0, signature.index)}}`;
  const event = parse(unsigned);
  if (event === undefined) return { faults: ["this line is not a signed event"], next: chain };
  const faults: string[] = [];
  const hash = signature[1] ?? "";
  if (digest("sha256", unsigned, "hex") !== hash) faults.push(`event ${event.seq} was changed`);
  if (event.prev !== chain.hash)
    faults.push(`event ${event.seq} does not follow event ${chain.seq}: lines were removed, added or moved`);
  else if (event.seq !== chain.seq + 1) faults.push(`events ${chain.seq + 1} to ${event.seq - 1} are missing`);
  return { faults, next: { seq: event.seq, hash } };
}

function parse(text: string): { seq: number; prev: string } | undefined {
  try {
    const value = JSON.parse(text) as { seq?: unknown; prev?: unknown } | null;
    return typeof value?.seq === "number" && typeof value.prev === "string"
      ? { seq: value.seq, prev: value.prev }
      : undefined;
  } catch {
    return undefined;
  }
}
