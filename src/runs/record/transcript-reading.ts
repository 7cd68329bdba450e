import type { JournalEntry } from "../../contract/runs/journal.ts";
import { isPassing } from "../../store/files/regular-file.ts";
import type { PassageRows } from "../../workspace/records.ts";
import { passagesOf } from "./passages.ts";
import type { RunBook } from "./run-book.ts";

/** Of one journal: what it holds behind them is not searched. */
const READ_BYTES = 4_000_000;

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
  #next: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.passages.onWork = () => this.wake();
  }

  wake(): void {
    if (this.#isClosed) return;
    this.#next ??= setImmediate(() => {
      this.#next = undefined;
      this.#readOne();
    });
  }

  close(): void {
    this.#isClosed = true;
    clearImmediate(this.#next);
  }

  /** After a failure that may pass, the next run that ends or the next start has it tried again. */
  #readOne(): void {
    const { passages } = this.#parts;
    try {
      const isForgotten = passages.forgetOne();
      const run = isForgotten ? undefined : passages.nextUnread();
      if (run !== undefined) passages.put(run, passagesOf(this.#entriesIn(run.journal)));
      if (isForgotten || run !== undefined) this.wake();
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
