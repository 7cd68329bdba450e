import { manyLines } from "../text/plain-text.ts";
import { brokenLine, type LineRest } from "./word-rows.ts";

/** The first half of a line break or of a character, which is not shown before the other is there. */
const HALF = /[\r\ud800-\udbff]$/;

/**
 * An answer as it is being written, in rows of a terminal: those that cannot change any more are handed out once, and the
 * last one is there to be drawn.
 */
export class AnswerStream {
  #text = "";
  #width: number;
  /** What was not handed out yet of the line that grows. */
  #rest: LineRest = { text: "" };
  #isEnded = false;

  constructor(width: number) {
    this.#width = width;
  }

  /** All that was written, as it came. */
  get text(): string {
    return this.#text;
  }

  /** The row that still grows. */
  get row(): string {
    return this.#broken(this.#rest).rows.at(-1) ?? "";
  }

  /** The rows that are finished with it. */
  add(piece: string): string[] {
    // Empty lines before the first word say nothing.
    const fresh = this.#text === "" ? piece.trimStart() : piece;
    this.#text += fresh;
    return this.#take(fresh);
  }

  /** Takes back the word that may still grow, so that it is not shown in two halves. */
  takeBack(): string {
    const word = /\S*$/.exec(this.#rest.text)?.[0] ?? "";
    if (word === "" || !this.#text.endsWith(word)) return "";
    this.#rest = { ...this.#rest, text: this.#rest.text.slice(0, -word.length) };
    this.#text = this.#text.slice(0, -word.length);
    return word;
  }

  /** What is left. */
  end(): string[] {
    this.#isEnded = true;
    const rest = this.#rest.text.trim() === "" ? [] : this.#broken(this.#rest).rows;
    this.#rest = { text: "" };
    return rest;
  }

  /** All rows that are finished, at another width, which also those that follow have then. */
  anew(width: number): string[] {
    this.#width = width;
    this.#rest = { text: "" };
    const rows = this.#take(this.#text);
    return this.#isEnded ? [...rows, ...this.end()] : rows;
  }

  #take(fresh: string): string[] {
    const [first = "", ...others] = fresh.split("\n");
    const lines: LineRest[] = [{ ...this.#rest, text: this.#rest.text + first }, ...others.map((text) => ({ text }))];
    const growing = lines.pop() ?? { text: "" };
    const finished = lines.flatMap((line) => this.#broken(line).rows);
    const half = HALF.exec(growing.text)?.[0] ?? "";
    const { rows, rest } = this.#broken(growing);
    this.#rest = { ...rest, text: rest.text + half };
    return [...finished, ...rows.slice(0, -1)];
  }

  #broken({ text, ...rest }: LineRest) {
    return brokenLine({ ...rest, text: manyLines(text.replace(HALF, "")) }, this.#width);
  }
}
