import type { Files } from "../../store/files/files.ts";
import { digestsOf, type LineDigests, type LineSeal } from "./line-seal.ts";

/** A seal, and the line of the log that has it. */
export interface RecordedSeal extends LineSeal {
  event: { file: string; line: number };
}

/** What the log says of files that are not its own, when a run is over or a migration changed them. */
export interface RecordedSeals {
  /** Journals that are whole. */
  journals: LineSeal[];
  /** Files of costs, which may have grown since. */
  costs: LineSeal[];
}

export interface SealFault {
  file: string;
  line: number;
  reason: string;
}

/** Undefined when there is no journal any more. */
export function sealOf(files: Files, path: string): LineSeal | undefined {
  return digestsOf(files, path)?.seal(path);
}

/** The seals in a line of the log. Most lines have none, and are not parsed for it. */
export function sealsIn(text: string): RecordedSeals | undefined {
  if (!/"type":"(?:run\.ended|workspace\.migrated)"/.test(text) || !/"(?:journals?|costs)":[[{]/.test(text))
    return undefined;
  try {
    const { journal, journals, costs } = (JSON.parse(text) as { after?: Record<string, unknown> }).after ?? {};
    return { journals: [...sealsOf([journal]), ...sealsOf(journals)], costs: sealsOf(costs) };
  } catch {
    return undefined;
  }
}

function sealsOf(told: unknown): LineSeal[] {
  return Array.isArray(told) ? told.filter(isSeal).map(whole) : [];
}

function isSeal(value: unknown): value is LineSeal {
  const seal = value as Partial<LineSeal> | null | undefined;
  return typeof seal?.path === "string" && typeof seal.sha256 === "string" && typeof seal.lines === "number";
}

function whole(seal: LineSeal): LineSeal {
  const { from = 0, every = seal.lines, marks = "" } = seal as Partial<LineSeal> & LineSeal;
  return { ...seal, from, every: Math.max(1, every), marks };
}

/** What is wrong with a journal. One that left with its whole project is not missed. */
export function journalFault(files: Files, seal: RecordedSeal, now: LineDigests | undefined): SealFault | undefined {
  const { path, lines, event } = seal;
  const told = `line ${event.line} of ${event.file}`;
  if (now === undefined) {
    const project = path.split("/").slice(0, 2).join("/");
    return files.exists(project)
      ? { file: path, line: 0, reason: `this journal is missing, but ${told} refers to it` }
      : undefined;
  }
  const found = now.differs(seal) ?? (now.lines > lines ? { first: lines + 1, last: now.lines } : undefined);
  if (found === undefined) return undefined;
  const reason = `this journal was changed after its run had ended: ${among(found)}, according to ${told}`;
  return { file: path, line: found.first, reason };
}

/** What is wrong with a file of costs, of which several seals tell. One that has a newer beside it may have been put away. */
export function costsFault(
  seals: readonly RecordedSeal[],
  now: LineDigests | undefined,
  isNewest: boolean,
): SealFault | undefined {
  const [first] = seals;
  if (first === undefined) return undefined;
  if (now === undefined)
    return isNewest
      ? {
          file: first.path,
          line: 0,
          reason: `this ledger is missing, but line ${first.event.line} of ${first.event.file} refers to it`,
        }
      : undefined;
  for (const seal of seals.toSorted((left, right) => left.bytes - right.bytes)) {
    const found = now.differs(seal);
    if (found === undefined) continue;
    const reason = `this ledger was changed: ${among(found)}, according to line ${seal.event.line} of ${seal.event.file}`;
    return { file: seal.path, line: found.first, reason };
  }
  return undefined;
}

function among({ first, last }: { first: number; last: number }): string {
  return first === last
    ? `line ${first} was altered, or lines were added, removed or moved`
    : `one of the lines ${first} to ${last} was altered, or lines were added, removed or moved`;
}
