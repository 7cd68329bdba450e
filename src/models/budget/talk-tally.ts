import { assumedUsd } from "../../contract/runs/assumed-price.ts";
import type { Reservation, Spent, TalkSum } from "../../contract/runs/ledger.ts";

/** Days that are kept one by one; older ones are summed up by month. */
const DAYS_KEPT = 31;
const DAY_MS = 86_400_000;

type Party = Pick<Reservation, "at" | "projectId" | "model">;

/** What was spent on conversations: on calls that belong to no run. */
export class TalkTally {
  readonly #sums = new Map<string, TalkSum>();

  add({ at, projectId, model }: Party, { usd, ...spent }: Spent): void {
    const one = { period: at.slice(0, 10), projectId, model, usd: usd ?? 0, ...figures(spent), calls: 1 };
    const assumed = assumedUsd({ usd, ...spent });
    this.put({ ...one, assumed, unpriced: usd === null && spent.input + spent.output > 0 ? 1 : 0 });
  }

  put(sum: TalkSum): void {
    const key = JSON.stringify([sum.period, sum.projectId, sum.model]);
    const before = this.#sums.get(key);
    this.#sums.set(key, before === undefined ? { ...sum } : together(before, sum));
  }

  sums(): TalkSum[] {
    return [...this.#sums.values()];
  }

  /** As the file of a new day begins with them. */
  carried(day: string): TalkSum[] {
    const first = new Date(Date.parse(`${day}T00:00:00Z`) - DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
    const merged = new TalkTally();
    for (const sum of this.sums()) merged.put(sum.period < first ? { ...sum, period: sum.period.slice(0, 7) } : sum);
    return merged.sums();
  }
}

function figures({ input, output, cacheRead, cacheWrite }: Omit<Spent, "usd">) {
  return { input, output, cacheRead, cacheWrite };
}

function together(left: TalkSum, right: TalkSum): TalkSum {
  return {
    ...left,
    usd: left.usd + right.usd,
    assumed: left.assumed + right.assumed,
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    calls: left.calls + right.calls,
    unpriced: left.unpriced + right.unpriced,
  };
}
