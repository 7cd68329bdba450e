import type { CostRow } from "../../../../src/contract/routes/cost-routes.ts";

export const SPANS = [
  { id: "1", name: "Today", days: 1 },
  { id: "7", name: "7 days", days: 7 },
  { id: "30", name: "30 days", days: 30 },
  { id: "90", name: "90 days", days: 90 },
  { id: "all", name: "All time", days: undefined },
] as const;

export type Span = (typeof SPANS)[number]["id"];
export const SPAN_IDS: readonly Span[] = SPANS.map(({ id }) => id);

/** The first day of a span that ends today, as the costs endpoint takes it. Days are the daemon's, in UTC. */
export function sinceOf(span: Span, today: Date): { since?: string } {
  const days = SPANS.find(({ id }) => id === span)?.days;
  return days === undefined ? {} : { since: dayText(today, 1 - days) };
}

function dayText(today: Date, offset: number): string {
  const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + offset));
  return day.toISOString().slice(0, 10);
}

export interface DayCost {
  day: string;
  usd: number;
  /** False: the cost is an estimate. */
  isKnown: boolean;
  calls: number;
  tokens: number;
}

/** Every day from the first to today, those without costs too; at most `most`, the newest. */
export function everyDay(
  rows: readonly Pick<CostRow, "key" | "costUsd" | "unpriced" | "calls" | "inputTokens" | "outputTokens">[],
  today: Date,
  span: Span,
  most = 120,
): DayCost[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const first = sinceOf(span, today).since ?? rows.map(({ key }) => key).sort()[0] ?? dayText(today, 0);
  const days: DayCost[] = [];
  for (let offset = 0; days.length < most; offset -= 1) {
    const day = dayText(today, offset);
    if (day < first) break;
    const { costUsd: usd = 0, unpriced = 0, calls = 0, inputTokens = 0, outputTokens = 0 } = known.get(day) ?? {};
    days.unshift({ day, usd, isKnown: unpriced === 0, calls, tokens: inputTokens + outputTokens });
  }
  return days;
}

/** A round number at or above, for the top of a scale. */
export function roundUp(value: number): number {
  if (value <= 0) return 0.01;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= value - 1e-12) ?? 10;
  return step * power;
}
