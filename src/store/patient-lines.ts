import type { Log } from "./log.ts";

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

/** Lines in their order, however often the disk refuses them. */
export class PatientLines {
  readonly #log: Pick<Log, "append">;
  readonly #trouble: WriteTrouble;
  readonly #queue: Line[] = [];
  #writing: Promise<void> | undefined;
  #isRefused = false;

  constructor(log: Pick<Log, "append">, trouble: WriteTrouble) {
    this.#log = log;
    this.#trouble = trouble;
  }

  /** Resolves when the disk takes lines, which is at once unless it did not take the last ones. */
  async writable(): Promise<void> {
    while (this.#isRefused) await this.#writing;
  }

  /** Resolves when no line is left to write. */
  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Resolves when all of them are on disk. */
  async write(texts: readonly string[]): Promise<void> {
    const written = texts.map((text) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#queue.push({ text, resolve, reject });
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
