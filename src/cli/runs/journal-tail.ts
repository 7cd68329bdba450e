import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Context } from "../context.ts";

const PAGE = 1_000;

/** Hands on the entries of a run's journal, each once and in order, as far as they have come. */
export class JournalTail {
  readonly #runId: string;
  readonly #call: Context["call"];
  readonly #onEntry: (entry: JournalEntry) => void;
  #at: number;
  #isStale = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    runId: string,
    { call }: Pick<Context, "call">,
    from: { after: number; onEntry: (entry: JournalEntry) => void },
  ) {
    this.#runId = runId;
    this.#call = call;
    this.#onEntry = from.onEntry;
    this.#at = from.after;
  }

  /** There may be more by now; `refresh` will see. */
  touch(): void {
    this.#isStale = true;
  }

  /** Reads on if there may be more. A failure is left for whoever reads the live stream, which fails as well. */
  refresh(): void {
    if (this.#isStale) this.catchUp().catch(() => undefined);
  }

  /** Resolves when everything that was there at the call has been handed on. */
  catchUp(): Promise<void> {
    this.#isStale = false;
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    for (;;) {
      const query = { after: this.#at, limit: PAGE };
      const { entries, total } = await this.#call("getTranscript", { params: { runId: this.#runId }, query });
      this.#at += entries.length;
      for (const entry of entries) this.#onEntry(entry);
      if (this.#at >= total || entries.length === 0) return;
    }
  }
}
