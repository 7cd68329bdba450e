import type { JournalEntry } from "../contract/journal.ts";
import type { Log } from "../store/log.ts";

/** One for each who waits: what all wait for together would be kept in memory for ever. */
const never = () => new Promise<never>(() => undefined);

/** What becomes of lines that the disk does not take. */
export interface WriteTrouble {
  /** Resolves when they are to be tried again; rejects when they cannot be written. */
  waits: (error: unknown) => Promise<void>;
  /** They are written. */
  goesOn: () => void;
}

interface Line {
  text: string;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * Writes to the journal until it is closed or fails for good. `broken` rejects with the failure then; whoever writes later
 * waits for ever, so that an agent whose journal is gone never goes on.
 *
 * What asks for nothing to be done is written together with what follows it: the note that the run was taken up, and the
 * answer with which the model ends its turn, which the end of the run follows at once.
 */
export function journalWriter(log: Pick<Log, "append">, trouble: WriteTrouble) {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const lines = new Lines(log, trouble);
  let isOpen = true;
  let held: JournalEntry[] = [];
  const flush = async (...entries: JournalEntry[]): Promise<void> => {
    const all = [...held, ...entries];
    held = [];
    try {
      await lines.write(all);
    } catch (error) {
      reject(error);
      await never();
    }
  };
  return {
    broken,
    /** Resolves when the disk takes lines, which is at once unless it did not take the last ones. */
    writable: () => lines.writable(),
    journal: async (entry: JournalEntry): Promise<void> => {
      if (!isOpen) await never();
      else if (canWait(entry)) held.push(entry);
      else await flush(entry);
    },
    /** Nobody else writes any more; what is left is written, and the end if there is one. */
    close: (...end: JournalEntry[]): Promise<void> => {
      isOpen = false;
      return flush(...end);
    },
  };
}

/** Lines in their order, however often the disk refuses them. */
class Lines {
  readonly #log: Pick<Log, "append">;
  readonly #trouble: WriteTrouble;
  readonly #queue: Line[] = [];
  #writing: Promise<void> | undefined;
  #isRefused = false;

  constructor(log: Pick<Log, "append">, trouble: WriteTrouble) {
    this.#log = log;
    this.#trouble = trouble;
  }

  async writable(): Promise<void> {
    while (this.#isRefused) await this.#writing;
  }

  /** Resolves when all of them are on disk. */
  async write(entries: readonly JournalEntry[]): Promise<void> {
    const written = entries.map((entry) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#queue.push({ text: JSON.stringify(entry), resolve, reject });
      return promise;
    });
    this.#writing ??= this.#work();
    await Promise.all(written);
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = [...this.#queue];
      try {
        await Promise.all(batch.map(({ text }) => this.#log.append(text)));
      } catch (error) {
        await this.#refused(error);
        continue;
      }
      this.#queue.splice(0, batch.length);
      if (this.#isRefused) this.#trouble.goesOn();
      this.#isRefused = false;
      for (const { resolve } of batch) resolve();
    }
    this.#writing = undefined;
  }

  async #refused(error: unknown): Promise<void> {
    this.#isRefused = true;
    try {
      await this.#trouble.waits(error);
    } catch (reason) {
      this.#isRefused = false;
      for (const { reject } of this.#queue.splice(0)) reject(reason);
    }
  }
}

function canWait(entry: JournalEntry): boolean {
  return entry.type === "started" || (entry.type === "answer" && (entry.calls ?? []).length === 0);
}
