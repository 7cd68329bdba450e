import type { Sink } from "./host.ts";

const ERASE = "\r\u001b[2K";
const USUAL_COLUMNS = 80;

/** The last line of a terminal, redrawn in place, while finished lines scroll away above it. */
export class LiveLine {
  readonly #out: Sink;
  #shown = "";

  constructor(out: Sink) {
    this.#out = out;
  }

  /** One column stays free: a terminal that wraps the line would leave its first half behind. */
  get width(): number {
    return Math.max(1, (this.#out.columns ?? USUAL_COLUMNS) - 1);
  }

  draw(line: string): void {
    if (line === this.#shown) return;
    this.#out.write(`${ERASE}${line}`);
    this.#shown = line;
  }

  /** Takes the line away, so that something else can be written where it was. */
  clear(): void {
    if (this.#shown !== "") this.#out.write(ERASE);
    this.#shown = "";
  }
}
