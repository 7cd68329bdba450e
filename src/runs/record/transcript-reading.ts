import type { JournalEntry } from "../../contract/runs/journal.ts";
import { isPassing } from "../../store/files/regular-file.ts";
import type { PassageRows } from "../../workspace/records.ts";
import { passagesOf } from "./passages.ts";
import type { RunBook } from "./run-book.ts";

/** Of one journal: what it holds behind them is not searched. */
const READ_BYTES = 4_000_000;
/** Runs that end shortly after one another are read together: asking the index for the next one has it write all that waits. */
const TOGETHER_MS = 300;

interface Parts {
  passages: PassageRows;
  book: Pick<RunBook, "entriesIn">;
  onTrouble: (message: string, error: unknown) => void;
}

/**
 * Makes findable what was said and done in runs, once they are over: one journal after the other, between everything else
 * that the daemon does. What is still to be read stands in the index, so that no crash and no new index leaves any out.
 */
export class TranscriptReading {
  readonly #parts: Parts;
  #waiting: NodeJS.Timeout | undefined;
  #next: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.passages.onWork = () => this.wake();
  }

  /** There is something to read: before long. */
  wake(): void {
    if (this.#isClosed || this.#next !== undefined) return;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#goOn();
    }, TOGETHER_MS).unref();
  }

  #goOn(): void {
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      if (!this.#isClosed) this.#readOne();
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#waiting);
    clearImmediate(this.#next);
  }

  /** After a failure that may pass, the next run that ends or the next start has it tried again. */
  #readOne(): void {
    const { passages } = this.#parts;
    try {
      const isForgotten = passages.forgetOne();
      const run = isForgotten ? undefined : passages.nextUnread();
      if (run !== undefined) passages.put(run, passagesOf(this.#entriesIn(run.journal)));
      if (isForgotten || run !== undefined) this.#goOn();
    } catch (error) {
      this.#parts.onTrouble("a run's transcript could not be indexed", error);
    }
  }

  /** A journal that is gone, or cannot be read, has nothing to be found. */
  #entriesIn(journal: string): readonly JournalEntry[] {
    try {
      return this.#parts.book.entriesIn(journal, READ_BYTES);
    } catch (error) {
      if (isPassing(error)) throw error;
      return [];
    }
  }
}
