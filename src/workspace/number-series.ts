import { HallError } from "../contract/errors.ts";
import type { Counter } from "../store/files/counter.ts";

/** As many digits as an id may have. */
const HIGHEST = 999_999_999_999;

interface SeriesParts {
  /** Where the highest number is kept. */
  mark: Counter;
  markFile: string;
  /** The highest number among the documents that are known; asked for once. */
  highest: () => number;
  idOf: (number: number) => string;
  /** Whether a file has the id, known or not. */
  isTaken: (id: string) => boolean;
}

/**
 * Numbers of documents, never given twice. The mark, the files, and what was given since the start are all respected, so
 * that a file with a higher number and a mark raised by hand both count.
 */
export class NumberSeries {
  readonly #parts: SeriesParts;
  #given: number | undefined;

  constructor(parts: SeriesParts) {
    this.#parts = parts;
  }

  /** Gives the next number to what `use` makes with it. When that throws, the number stays free. */
  next<Result>(use: (id: string) => Result): Result {
    const { mark, idOf } = this.#parts;
    const marked = mark.read();
    const number = this.#free(marked);
    const result = use(idOf(number));
    this.#given = number;
    mark.raiseTo(number, marked);
    return result;
  }

  /** The id that would be given next. */
  peek(): string {
    return this.#parts.idOf(this.#free(this.#parts.mark.read()));
  }

  /** A document has this number; it stays used when the document is gone. A mark that is no file is reported by `next`. */
  seen(number: number): void {
    this.#given = Math.max(this.#highest(), number);
    try {
      this.#parts.mark.raiseTo(number);
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
    }
  }

  close(): void {
    this.#parts.mark.close();
  }

  #highest(): number {
    this.#given ??= this.#parts.highest();
    return this.#given;
  }

  #free(marked: number): number {
    const { idOf, isTaken, markFile } = this.#parts;
    let number = Math.max(this.#highest(), marked) + 1;
    while (isTaken(idOf(number))) number++;
    if (number > HIGHEST)
      throw new HallError("file_invalid", ".highwatermark is at its maximum; no id is left.", {
        file: markFile,
        hint: "Set the file to the highest number in use.",
      });
    return number;
  }
}
