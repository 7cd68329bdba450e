const LONGEST_CIRCLE = 3;
const SLOWDOWN_MS = 1_000;

/** How often in a row the same was decided: one thing again and again, or two or three in turn. */
export class Repeats {
  /** The newest decisions, oldest first. */
  #last: (string | undefined)[] = [];
  /** For each length of a circle, how many decisions in a row were those of one round before. */
  readonly #same: number[] = Array.from({ length: LONGEST_CIRCLE }, () => 0);

  /** Undefined: nothing was decided, and nothing goes on. */
  add(decision: string | undefined): void {
    for (let circle = 1; circle <= LONGEST_CIRCLE; circle++) {
      const isSame = decision !== undefined && this.#last.at(-circle) === decision;
      this.#same[circle - 1] = isSame ? (this.#same[circle - 1] ?? 0) + 1 : 0;
    }
    this.#last = [...this.#last, decision].slice(-LONGEST_CIRCLE);
  }

  get times(): number {
    return Math.max(...this.#same.map((same, at) => Math.floor((same + at + 1) / (at + 1))));
  }
}

/** Before a run that goes in circles is stopped it is told twice, and the second time it also has to wait. */
export function warningOf(times: number, most: number): string {
  const left = most - times;
  if (times < 2 || left < 1 || left > 2) return "";
  const end = left === 1 ? "One more" : `After ${left} more`;
  return `\n\n(You have now made the same calls ${times} times in a row. Repeating them won't help. Do something else, or report what blocks you. ${end} and the run is stopped.)`;
}

/** In milliseconds. */
export function slowdownOf(times: number, most: number): number {
  return times >= 2 && times === most - 1 ? SLOWDOWN_MS : 0;
}
