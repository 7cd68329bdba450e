import { assumedUsd } from "../../contract/runs/assumed-price.ts";
import type { Charge } from "../../contract/runs/ledger.ts";
import type { Files } from "../../store/files/files.ts";

/** What the model calls of a period cost, with estimates. */
export interface PeriodSpent {
  usd: number;
  /** Part of `usd`: calls without a known price. */
  estimatedUsd: number;
  calls: number;
  tokens: number;
}

type LedgerFiles = Pick<Files, "scanLog" | "exists">;

interface Period {
  from: Date;
  until: Date;
}

const DAY_MS = 86_400_000;

/** From the ledger's own lines, by the project that pays. A call counts for the time at which it began. */
export function spentBetween(files: LedgerFiles, period: Period): ReadonlyMap<string, PeriodSpent> {
  const sums = new Map<string, PeriodSpent>();
  for (const charge of chargesIn(files, period)) add(sums, charge);
  return sums;
}

/** What the calls of a period cost that are of some kind, with estimates. */
export function spentOn(
  files: LedgerFiles,
  period: Period,
  isWanted: (of: NonNullable<Charge["of"]>) => boolean,
): number {
  return chargesIn(files, period)
    .filter(({ of }) => of !== undefined && isWanted(of))
    .reduce((sum, { usd, input, output }) => sum + (usd ?? 0) + assumedUsd({ usd, input, output }), 0);
}

function chargesIn(files: LedgerFiles, { from, until }: Period): Charge[] {
  const charges: Charge[] = [];
  const [first, last] = [from.toISOString(), until.toISOString()];
  // A call that began before midnight is settled in the file of the next day.
  for (const day of daysOf(from, new Date(until.getTime() + DAY_MS))) {
    const path = `costs/${day}.jsonl`;
    if (!files.exists(path)) continue;
    files.scanLog(path, 0, (text) => {
      const charge = text.includes('"type":"settled"') ? chargeIn(text) : undefined;
      const at = charge?.of?.at ?? charge?.at ?? "";
      if (charge !== undefined && at >= first && at < last) charges.push(charge);
      return true;
    });
  }
  return charges;
}

function add(sums: Map<string, PeriodSpent>, { usd, input, output, how, of }: Charge): void {
  const project = of?.projectId ?? "";
  const before = sums.get(project) ?? { usd: 0, estimatedUsd: 0, calls: 0, tokens: 0 };
  const estimated = assumedUsd({ usd, input, output });
  sums.set(project, {
    usd: before.usd + (usd ?? 0) + estimated,
    estimatedUsd: before.estimatedUsd + estimated,
    calls: before.calls + (how === "answered" ? 1 : 0),
    tokens: before.tokens + input + output,
  });
}

function chargeIn(text: string): Charge | undefined {
  try {
    const line = JSON.parse(text) as Charge & { type?: string };
    return line.type === "settled" && typeof line.input === "number" && typeof line.output === "number"
      ? line
      : undefined;
  } catch {
    return undefined;
  }
}

function daysOf(from: Date, until: Date): string[] {
  const days: string[] = [];
  for (let day = from.toISOString().slice(0, 10); day <= until.toISOString().slice(0, 10); ) {
    days.push(day);
    day = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  }
  return days;
}
