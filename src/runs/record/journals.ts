import { journalLines, planIn } from "../../agent/journal-entries.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import type { Files } from "../../store/files/files.ts";
import { isSameStamp, type Stamp } from "../../store/files/regular-file.ts";

const MOST_PLANS = 200;
/** Journals of runs that have just ended are read for what they come to, and once more for the search. */
const MOST_READ = 32;
const LARGEST_READ = 64 * 1024;

/** Reads the journals of runs, which others write. */
export class Journals {
  readonly #files: Files;
  /** Of runs that are not settled: they are asked for again and again. */
  readonly #plans = new Map<string, RunPlan>();
  readonly #read = new Map<string, { stamp: Stamp; entries: JournalEntry[] }>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** `through`: entries that begin behind so many bytes are left out. */
  entriesIn(journal: string, through = Number.POSITIVE_INFINITY): readonly JournalEntry[] {
    const stamp = this.#files.stamp(journal);
    const known = this.#read.get(journal);
    this.#read.delete(journal);
    if (known !== undefined && isSameStamp(known.stamp, stamp) && known.stamp.size <= through) return known.entries;
    const entries = this.#scan(journal, through);
    if (stamp !== undefined && stamp.size <= LARGEST_READ && known === undefined)
      this.#remember(journal, stamp, entries);
    return entries;
  }

  #remember(journal: string, stamp: Stamp, entries: JournalEntry[]): void {
    if (this.#read.size >= MOST_READ) this.#read.clear();
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
    const plan = this.#plans.get(runId) ?? this.#readPlan(journal);
    if (plan !== undefined) this.keep(plan);
    return plan;
  }

  keep(plan: RunPlan): void {
    if (this.#plans.size >= MOST_PLANS) this.#plans.clear();
    this.#plans.set(plan.runId, plan);
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
