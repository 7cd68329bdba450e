import type { Sink } from "../host.ts";
import { visibleWidth } from "../text/text-wrap.ts";

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;
const MOST_REMEMBERED = 500;
/** How often a width has to be seen before it counts: a window that is being drawn larger has many. */
const STILL = 4;

/** The rows at the bottom of a terminal, and where its cursor is among them; at the end of the last one unless told. */
export interface Region {
  rows: readonly string[];
  cursor?: { row: number; column: number };
}

/** Something that stands above the region, as it is at a width. */
export type Standing = (columns: number) => readonly string[];

/**
 * The bottom of a terminal, drawn anew in place, while finished lines scroll away above it. What a terminal does to lines
 * when its width changes differs from one to the next: what stands is written anew then, and nothing until then.
 */
export class Screen {
  readonly #out: Sink;
  readonly #compose: () => Region;
  readonly #standing: Standing[] = [];
  /** What stands above the cursor, of what was drawn. */
  #above = 0;
  #isDrawn = false;
  #drawn = "";
  /** The width that everything is written for. */
  #columns: number;
  #lastSeen: number;
  /** How often it was looked at since it changed. */
  #still = 0;

  constructor(out: Sink, compose: () => Region) {
    this.#out = out;
    this.#compose = compose;
    this.#columns = this.#actual;
    this.#lastSeen = this.#columns;
  }

  get columns(): number {
    return this.#columns;
  }

  /** Whole lines, above the region. */
  print(standing: Standing): void {
    this.#standing.push(standing);
    if (this.#standing.length > MOST_REMEMBERED) this.#standing.shift();
    this.more(standing(this.#columns));
  }

  /** More lines of what was printed last. */
  more(lines: readonly string[]): void {
    if (this.#isResized) return;
    this.#out.write(`${this.#erasing()}${lines.map((line) => `${line}\n`).join("")}${this.#drawing()}`);
  }

  redraw(): void {
    if (this.#isResized) return;
    const before = this.#drawn;
    const drawing = this.#drawing(false);
    if (this.#isDrawn && drawing === before) return;
    this.#out.write(`${this.#erasing()}${this.#drawing()}`);
  }

  /** Begins on an empty screen. */
  wipe(): void {
    this.#out.write(`\u001b[H\u001b[2J${this.#drawing()}`);
  }

  /** To be called now and then: writes everything anew when the width has changed and somebody has let go of the window. */
  settle(): void {
    const seen = this.#actual;
    this.#still = seen === this.#lastSeen ? this.#still + 1 : 0;
    this.#lastSeen = seen;
    if (this.#isResized && this.#still >= STILL) this.#restore();
  }

  /** Takes the region away for good, or for something else to be written. */
  clear(): void {
    if (this.#isResized) this.#restore();
    if (this.#isDrawn) this.#out.write(this.#erasing());
    this.#isDrawn = false;
    this.#drawn = "";
  }

  get #actual(): number {
    return Math.max(10, this.#out.columns || USUAL_COLUMNS);
  }

  get #isResized(): boolean {
    return this.#actual !== this.#columns;
  }

  /** What others wrote on the screen goes up into the terminal's memory; what is written here takes the place of itself. */
  #restore(): void {
    const rows = this.#out.rows || USUAL_ROWS;
    const before = this.#columns;
    this.#columns = this.#actual;
    const linesAt = (columns: number) => this.#standing.flatMap((standing) => standing(columns));
    const old = linesAt(before).length;
    const lines = linesAt(this.#columns);
    const away = Math.min(old, lines.length) < rows ? `\u001b[${rows};1H${"\n".repeat(rows)}` : "";
    // As many as could be seen before, at either width.
    const kept = lines.slice(-rows * Math.ceil(before / this.#columns));
    this.#out.write(`${away}\u001b[H\u001b[J${kept.map((line) => `${line}\n`).join("")}${this.#drawing()}`);
  }

  #erasing(): string {
    return this.#isDrawn ? `\r${this.#above > 0 ? `\u001b[${this.#above}A` : ""}\u001b[J` : "";
  }

  #drawing(isKept = true): string {
    const { rows, cursor } = this.#compose();
    const last = Math.max(0, rows.length - 1);
    const at = cursor ?? { row: last, column: visibleWidth(rows[last] ?? "") };
    const up = last - at.row;
    const place = `\r${up > 0 ? `\u001b[${up}A` : ""}${at.column > 0 ? `\u001b[${at.column}C` : ""}`;
    const drawing = `${rows.join("\n")}${cursor === undefined ? "" : place}`;
    if (!isKept) return drawing;
    this.#above = at.row;
    this.#isDrawn = true;
    this.#drawn = drawing;
    return drawing;
  }
}
