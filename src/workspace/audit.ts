import { hash as digest } from "node:crypto";
import type { AuditReport } from "../contract/event-routes.ts";
import type { Files } from "../store/files.ts";
import { costsFault, journalFault, sealsIn, type ToldSeal } from "./journal-seal.ts";

const SIGNED = /,"hash":"([0-9a-f]{64})"\}$/;
const MAX_FAULTS = 100;

interface Chain {
  seq: number;
  hash: string;
}

/** Walks the whole chain and names every line that was changed, removed, added or moved. `head` is where it must end. */
export function auditDays(files: Files, paths: string[], head: Chain & { genesis: string }): AuditReport {
  const faults: AuditReport["faults"] = [];
  let chain: Chain = { seq: 0, hash: head.genesis };
  let events = 0;
  const seals = new Seals();
  let last = 0;
  for (const file of paths) {
    last = 0;
    files.scanLog(file, 0, (text) => {
      const line = ++last;
      if (text.trim() === "") return true;
      const link = checkLine(text, chain);
      for (const reason of link.faults) if (faults.length < MAX_FAULTS) faults.push({ file, line, reason });
      chain = link.next;
      seals.read(text, { file, line });
      events++;
      return true;
    });
  }
  if (chain.hash !== head.hash || chain.seq !== head.seq) {
    faults.push({
      file: paths.at(-1) ?? "events",
      line: last + 1,
      reason: `the log ends at event ${chain.seq}, but event ${head.seq} was written`,
    });
  }
  for (const fault of seals.faults(files)) if (faults.length < MAX_FAULTS) faults.push(fault);
  const { journals, ledgers } = seals.counts;
  return { ok: faults.length === 0, events, days: paths.length, journals, ledgers, head: chain.hash, faults };
}

/** What the log tells of journals and of the ledger. */
class Seals {
  readonly #journals = new Map<string, ToldSeal>();
  readonly #ledgers = new Map<string, ToldSeal[]>();

  get counts() {
    return { journals: this.#journals.size, ledgers: this.#ledgers.size };
  }

  read(text: string, event: ToldSeal["event"]): void {
    const found = sealsIn(text);
    if (found?.journal !== undefined) this.#journals.set(found.journal.path, { ...found.journal, event });
    for (const seal of found?.costs ?? [])
      this.#ledgers.set(seal.path, [...(this.#ledgers.get(seal.path) ?? []), { ...seal, event }]);
  }

  *faults(files: Files): Generator<AuditReport["faults"][number]> {
    for (const seal of this.#journals.values()) {
      const fault = journalFault(files, seal);
      if (fault !== undefined) yield fault;
    }
    const newest = [...this.#ledgers.keys()].sort().at(-1);
    for (const [path, told] of this.#ledgers) {
      const fault = costsFault(files, told, path === newest);
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
