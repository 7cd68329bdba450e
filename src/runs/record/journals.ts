import { journalLines, planIn } from "../../agent/journal-entries.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import type { Files } from "../../store/files/files.ts";

const MOST_PLANS = 200;

/** Reads the journals of runs, which others write. */
export class Journals {
  readonly #files: Files;
  /** Of runs that are not settled: they are asked for again and again. */
  readonly #plans = new Map<string, RunPlan>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** `through`: entries that begin behind so many bytes are left out. */
  entriesIn(journal: string, through = Number.POSITIVE_INFINITY): JournalEntry[] {
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
