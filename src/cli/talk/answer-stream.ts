import { manyLines } from "../plain-text.ts";
import { wordRows } from "./word-rows.ts";

/**
 * An answer as it is being written, in rows of a terminal: those that cannot change any more are handed out once, and the
 * last one is there to be drawn.
 */
export class AnswerStream {
  readonly #width: () => number;
  #text = "";
  #line = "";
  /** Rows of the present line that were handed out. */
  #shown = 0;

  constructor(width: () => number) {
    this.#width = width;
  }

  /** All that was written, as it came. */
  get text(): string {
    return this.#text;
  }

  /** The row that still grows. */
  get row(): string {
    return this.#rows(this.#line).at(-1) ?? "";
  }

  /** The rows that are finished with it. */
  add(piece: string): string[] {
    // Empty lines before the first word say nothing.
    const fresh = this.#text === "" ? piece.trimStart() : piece;
    this.#text += fresh;
    const lines = (this.#line + fresh).split("\n");
    this.#line = lines.pop() ?? "";
    const finished = lines.flatMap((line) => {
      const rows = this.#rows(line).slice(this.#shown);
      this.#shown = 0;
      return rows;
    });
    const growing = this.#rows(this.#line);
    const more = growing.slice(this.#shown, -1);
    this.#shown = Math.max(this.#shown, growing.length - 1);
    return [...finished, ...more];
  }

  /** What is left. */
  end(): string[] {
    const rest = this.#line.trim() === "" ? [] : this.#rows(this.#line).slice(this.#shown);
    this.#line = "";
    this.#shown = 0;
    return rest;
  }

  /** A \r at the end may be the first half of a line break. */
  #rows(line: string): string[] {
    return wordRows(manyLines(line.replace(/\r$/, "")), this.#width());
  }
}
