import { hash as digest } from "node:crypto";
import type { AuditReport } from "../contract/routes.ts";
import type { Files } from "../store/files.ts";
import { journalFault, type SealedJournal, sealIn } from "./journal-seal.ts";

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
  const journals = new Map<string, SealedJournal>();
  for (const file of paths) {
    let line = 0;
    files.scanLog(file, 0, (text) => {
      line++;
      if (text.trim() === "") return true;
      const link = checkLine(text, chain);
      for (const reason of link.faults) if (faults.length < MAX_FAULTS) faults.push({ file, line, reason });
      chain = link.next;
      const seal = sealIn(text);
      if (seal !== undefined) journals.set(seal.path, { ...seal, event: { file, line } });
      events++;
      return true;
    });
  }
  if (chain.hash !== head.hash || chain.seq !== head.seq) {
    faults.push({
      file: paths.at(-1) ?? "events",
      line: 0,
      reason: `the log ends at event ${chain.seq}, but event ${head.seq} was written`,
    });
  }
  for (const journal of journals.values()) {
    const reason = journalFault(files, journal);
    if (reason !== undefined && faults.length < MAX_FAULTS) faults.push({ file: journal.path, line: 0, reason });
  }
  return { ok: faults.length === 0, events, days: paths.length, journals: journals.size, head: chain.hash, faults };
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
