import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LedgerLine } from "../../src/contract/runs/ledger.ts";
import type { Hall } from "./daemon.ts";
import type { SeenRequest, Turn } from "./scripted-provider.ts";

/** US dollars for a million tokens, of `own/m`. */
const PRICE = { input: 50, output: 10 };
export const models = { default: "own/m", prices: { "own/m": PRICE } };

/** What a provider wants for a call. */
export function priceOf(usage: Turn["usage"]): number {
  return ((usage?.input ?? 0) * PRICE.input + (usage?.output ?? 0) * PRICE.output) / 1_000_000;
}

/** Follows a script, and keeps the provider's own books: what it has begun to answer has to be paid. */
export function bookkeeper(script: (request: SeenRequest) => Turn | Promise<Turn>) {
  const served: { request: SeenRequest; turn: Turn }[] = [];
  return {
    served,
    bill: () => served.reduce((sum, { turn }) => sum + priceOf(turn.usage), 0),
    script: async (request: SeenRequest): Promise<Turn> => {
      const turn = await script(request);
      if ((turn.status ?? 200) === 200) served.push({ request, turn });
      return turn;
    },
  };
}

export function ledgerOf(workspace: string): LedgerLine[] {
  const folder = join(workspace, "costs");
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as LedgerLine);
}

export function linesOf<Type extends LedgerLine["type"]>(lines: LedgerLine[], type: Type) {
  return lines.filter((line): line is Extract<LedgerLine, { type: Type }> => line.type === type);
}

const millionths = (usd: number) => Math.round(usd * 1e6);

/** What was spent so far in millionths of a dollar, by everybody who keeps an account of it. */
export async function accountsOf(hall: Hall): Promise<Record<"ledger" | "costs" | "budget" | "runs", number>> {
  const { total } = (await hall.call("GET", "/api/costs?by=run")).body;
  const { scopes } = (await hall.call("GET", "/api/budget")).body;
  const { runs } = (await hall.call("GET", "/api/runs?limit=500")).body;
  const settled = linesOf(ledgerOf(hall.workspace), "settled");
  const ever = scopes.find(({ scope }: { scope: string }) => scope === "total");
  return {
    ledger: millionths(settled.reduce((sum, { usd }) => sum + (usd ?? 0), 0)),
    costs: millionths(total.costUsd),
    budget: millionths(ever?.usd.spent ?? 0),
    runs: millionths(runs.reduce((sum: number, { usage }: { usage: { costUsd: number } }) => sum + usage.costUsd, 0)),
  };
}

/** All of them, where they are agreed. */
export function agreed(usd: number): Awaited<ReturnType<typeof accountsOf>> {
  const amount = millionths(usd);
  return { ledger: amount, costs: amount, budget: amount, runs: amount };
}
