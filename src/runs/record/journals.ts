import { journalLines, planIn } from "../../agent/journal-entries.ts";
import { HallError } from "../../contract/errors.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import type { Files } from "../../store/files/files.ts";
import { isSameStamp, type OpenFile, type Stamp } from "../../store/files/regular-file.ts";
import { lineText, type ReadLine } from "../../store/logs/durable-line.ts";
import { linesIn } from "../../store/logs/log-reader.ts";
import { sealOf } from "../../workspace/events/journal-seal.ts";
import { digestsIn, type LineSeal } from "../../workspace/events/line-seal.ts";

const MOST_PLANS = 200;
/** Journals of runs that have just ended are read for what they come to, and once more for the search. */
const MOST_READ = 128;
const LARGEST_READ = 64 * 1024;
/** Larger ones are read line by line, and once more to seal them. */
const LARGEST_WHOLE = 8 * 1024 * 1024;

type First = Extract<JournalEntry, { type: "plan" }>;

interface KeptPlan {
  plan: RunPlan;
  /** The first line of the journal, if it was written here, and the hash of its text. */
  first?: { entry: First; hash: string };
}

/** The journal of a run that is over. */
interface EndedJournal {
  entries: readonly JournalEntry[];
  /** Of what it holds when it is called. */
  seal: () => LineSeal | undefined;
}

/** Reads the journals of runs, which others write. */
export class Journals {
  readonly #files: Files;
  /** Of runs that are not settled: they are asked for again and again. */
  readonly #plans = new Map<string, KeptPlan>();
  readonly #read = new Map<string, { stamp: Stamp; entries: JournalEntry[] }>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** `through`: entries that begin behind so many bytes are left out. */
  entriesIn(journal: string, through = Number.POSITIVE_INFINITY): readonly JournalEntry[] {
    const known = this.#read.get(journal);
    this.#read.delete(journal);
    const isSame = known !== undefined && isSameStamp(known.stamp, this.#files.stamp(journal));
    if (isSame && known.stamp.size <= through) return known.entries;
    return this.#scan(journal, through);
  }

  /** Everything that a run's journal holds when it is over. Its seal comes from the same look, unless it changed since. */
  ended(runId: string, journal: string): EndedJournal {
    const file = this.#openSmall(journal);
    if (file === undefined) return { entries: this.entriesIn(journal), seal: () => sealOf(this.#files, journal) };
    const bytes = closing(file, () => file.all());
    const read = this.#reading(runId, journal);
    const entries = linesIn(bytes).flatMap((text) => read(text) ?? []);
    if (file.size <= LARGEST_READ) this.#remember(journal, file.stamp, entries);
    const isSame = () => isSameStamp(file.stamp, this.#files.stamp(journal));
    return { entries, seal: () => (isSame() ? digestsIn(bytes).seal(journal) : sealOf(this.#files, journal)) };
  }

  /** Undefined when it is too large to be read whole, or not there. */
  #openSmall(journal: string): OpenFile | undefined {
    const file = unlessMissing(() => this.#files.openContained(journal, "."));
    if (file === undefined || file.size <= LARGEST_WHOLE) return file;
    file.close();
    return undefined;
  }

  /** What was written here a moment ago is not read once more. */
  #reading(runId: string, journal: string): ReadLine<JournalEntry> {
    const read = journalLines(this.#files, journal);
    const first = this.#plans.get(runId)?.first;
    let isFirst = true;
    return (line) => {
      const isKnown = isFirst && first !== undefined && typeof line === "string" && contentHash(line) === first.hash;
      isFirst = false;
      return isKnown ? first.entry : read(line);
    };
  }

  #remember(journal: string, stamp: Stamp, entries: JournalEntry[]): void {
    if (this.#read.size >= MOST_READ) this.#read.delete(this.#read.keys().next().value ?? journal);
    this.#read.set(journal, { stamp, entries });
  }

  #scan(journal: string, through: number): JournalEntry[] {
    const entries: JournalEntry[] = [];
    const read = journalLines(this.#files, journal);
    this.#files.scanLog(journal, 0, (text, offset) => {
      if (offset > through) return false;
      const entry = read(text);
      if (entry !== undefined) entries.push(entry);
      return true;
    });
    return entries;
  }

  /** What was decided about a run before it began: the first line of its journal, which never changes. */
  planOf(runId: string, journal: string): RunPlan | undefined {
    const kept = this.#plans.get(runId);
    if (kept !== undefined) return kept.plan;
    const plan = this.#readPlan(journal);
    if (plan !== undefined) this.#keep({ plan });
    return plan;
  }

  /** The first line of a journal that is about to be written; answers its text. */
  begin(entry: First): string {
    const line = lineText(entry);
    this.#keep({ plan: entry.plan, first: { entry, hash: contentHash(line) } });
    return line;
  }

  #keep(kept: KeptPlan): void {
    if (this.#plans.size >= MOST_PLANS) this.#plans.clear();
    this.#plans.set(kept.plan.runId, kept);
  }

  forget(runId: string): void {
    this.#plans.delete(runId);
  }

  #readPlan(journal: string): RunPlan | undefined {
    let plan: RunPlan | undefined;
    const read = journalLines(this.#files, journal);
    this.#files.scanLog(journal, 0, (text) => {
      const entry = read(text);
      if (entry !== undefined) plan = planIn([entry]);
      return plan === undefined;
    });
    return plan;
  }
}

function unlessMissing<Result>(open: () => Result): Result | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof HallError && error.code === "file_not_found") return undefined;
    throw error;
  }
}

function closing<Result>(file: OpenFile, use: () => Result): Result {
  try {
    return use();
  } finally {
    file.close();
  }
}
