import type { LineUse, Log } from "./log.ts";

/** What becomes of lines that the disk does not take. */
export interface WriteTrouble {
  /** Resolves when they are to be tried again; rejects when they cannot be written. */
  waits: (error: unknown) => Promise<void>;
  /** They are written. */
  goesOn: () => void;
}

interface Line {
  text: string;
  use: LineUse;
  written: Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Lines in their order, however often the disk refuses them. Those that are given together reach the disk together. */
export class PatientLines {
  readonly #log: Pick<Log, "append">;
  readonly #trouble: WriteTrouble;
  /** Not on disk yet, the oldest first. */
  #open: Line[] = [];
  /** While the disk refuses lines: those that come wait until the open ones are written. */
  #retrying: Promise<void> | undefined;

  constructor(log: Pick<Log, "append">, trouble: WriteTrouble) {
    this.#log = log;
    this.#trouble = trouble;
  }

  /** Resolves when the disk takes lines, which is at once unless it did not take the last ones. */
  async writable(): Promise<void> {
    while (this.#retrying !== undefined) await this.#retrying;
  }

  /** Resolves when no line is left to write. */
  async idle(): Promise<void> {
    for (let last = this.#open.at(-1); last !== undefined; last = this.#open.at(-1))
      await last.written.catch(() => undefined);
  }

  /** Resolves when all of them are on disk. `onWritten`: called when the last one is in the file, unless the disk refused it at first. */
  async write(texts: readonly string[], { onWritten, ...use }: LineUse = {}): Promise<void> {
    const lines = texts.map((text, at): Line => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const isLast = at === texts.length - 1;
      return { text, use: isLast ? { ...use, onWritten } : use, written: promise, resolve, reject };
    });
    this.#open.push(...lines);
    if (this.#retrying === undefined) for (const line of lines) this.#send(line);
    await Promise.all(lines.map(({ written }) => written));
  }

  #send(line: Line): void {
    this.#log.append(line.text, line.use).then(
      () => this.#close([line]),
      (error: unknown) => {
        // A log that refuses one line refuses all that were given to it since.
        this.#retrying ??= this.#retry(error);
      },
    );
  }

  #close(lines: readonly Line[]): void {
    this.#open = this.#open.filter((line) => !lines.includes(line));
    for (const { resolve } of lines) resolve();
  }

  /** Never rejects. */
  async #retry(refusal: unknown): Promise<void> {
    let error: unknown = refusal;
    while (this.#open.length > 0) {
      if (error !== undefined && !(await this.#waits(error))) return;
      const batch = [...this.#open];
      error = undefined;
      await Promise.all(batch.map(({ text }) => this.#log.append(text))).then(
        () => this.#close(batch),
        (reason: unknown) => {
          error = reason;
        },
      );
    }
    this.#retrying = undefined;
    this.#trouble.goesOn();
  }

  /** Whether it is worth trying again; if not, nothing that is open will be written. */
  async #waits(error: unknown): Promise<boolean> {
    try {
      await this.#trouble.waits(error);
      return true;
    } catch (reason) {
      this.#retrying = undefined;
      for (const { reject } of this.#open.splice(0)) reject(reason);
      return false;
    }
  }
}
