/** How long to pause between attempts. */
export interface Backoff {
  /** After the first failure. */
  firstMs: number;
  longestMs: number;
  /** How much longer each further pause is; twice unless given. */
  factor?: number;
}

/** Beyond this many failures the pause is the longest in any case, and the power would overflow. */
const MOST_DOUBLINGS = 30;

/**
 * The pause after a number of failures in a row, at least 1. It grows exponentially up to the longest. `random`, from 0
 * to 1, takes up to half of it off, so that callers that failed together do not come back together.
 */
export function backoffMs({ firstMs, longestMs, factor = 2 }: Backoff, failures: number, random: () => number): number {
  const full = Math.min(longestMs, firstMs * factor ** Math.min(failures - 1, MOST_DOUBLINGS));
  return full * (0.5 + random() / 2);
}

/** For pauses whose end is announced, or that one caller alone waits for: nothing is taken off. */
export const NO_JITTER = () => 1;
