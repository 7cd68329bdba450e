/** US dollars for a million tokens of a model whose price is unknown: that of the more expensive models in daily use. */
const ASSUMED_PRICE = { input: 5, output: 25 };
const MILLION = 1_000_000;

interface Counted {
  /** null: the price is unknown. */
  usd: number | null;
  input: number;
  output: number;
}

/** What counts, marked as an estimate, in place of a cost that is unknown; 0 where it is known. */
export function assumedUsd({ usd, input, output }: Counted): number {
  return usd === null ? (input * ASSUMED_PRICE.input + output * ASSUMED_PRICE.output) / MILLION : 0;
}
