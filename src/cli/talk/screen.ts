import type { Sink } from "../host.ts";
import { visibleWidth } from "../text-wrap.ts";

const USUAL_COLUMNS = 80;

/** The rows at the bottom of a terminal, and where its cursor is among them; at the end of the last one unless told. */
export interface Region {
  rows: readonly string[];
  cursor?: { row: number; column: number };
}

/** The bottom of a terminal, drawn anew in place, while finished lines scroll away above it. */
export class Screen {
  readonly #out: Sink;
  readonly #compose: () => Region;
  /** What stands above the cursor, of what was drawn. */
  #above: readonly string[] = [];
  #isDrawn = false;
  #drawn = "";

  constructor(out: Sink, compose: () => Region) {
    this.#out = out;
    this.#compose = compose;
  }

  get columns(): number {
    return Math.max(10, this.#out.columns || USUAL_COLUMNS);
  }

  /** Whole lines, above the region. */
  print(text: string): void {
    this.#out.write(`${this.#erasing()}${text}\n${this.#drawing()}`);
  }

  redraw(): void {
    const before = this.#drawn;
    const drawing = this.#drawing(false);
    if (this.#isDrawn && drawing === before) return;
    this.#out.write(`${this.#erasing()}${this.#drawing()}`);
  }

  /** Begins on an empty screen. */
  wipe(): void {
    this.#out.write(`\u001b[H\u001b[2J${this.#drawing()}`);
  }

  /** Takes the region away for good, or for something else to be written. */
  clear(): void {
    if (this.#isDrawn) this.#out.write(this.#erasing());
    this.#isDrawn = false;
    this.#drawn = "";
  }

  #erasing(): string {
    if (!this.#isDrawn) return "";
    // A terminal that was made narrower since then has broken the rows anew.
    const rows = this.#above.reduce((sum, row) => sum + Math.max(1, Math.ceil(visibleWidth(row) / this.columns)), 0);
    return `\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`;
  }

  #drawing(isKept = true): string {
    const { rows, cursor } = this.#compose();
    const last = Math.max(0, rows.length - 1);
    const at = cursor ?? { row: last, column: visibleWidth(rows[last] ?? "") };
    const up = last - at.row;
    const place = `\r${up > 0 ? `\u001b[${up}A` : ""}${at.column > 0 ? `\u001b[${at.column}C` : ""}`;
    const drawing = `${rows.join("\n")}${cursor === undefined ? "" : place}`;
    if (!isKept) return drawing;
    this.#above = rows.slice(0, at.row);
    this.#isDrawn = true;
    this.#drawn = drawing;
    return drawing;
  }
}
