import type { CostRow } from "../../contract/routes/cost-routes.ts";
import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { TalkSum } from "../../contract/runs/ledger.ts";
import { payerName, TESTS_PAYER } from "../../contract/runs/payers.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { UseSum } from "../../workspace/records.ts";

type By = RouteQuery<"getCosts">["by"];
type Use = Omit<CostRow, "key">;

/** What was spent: by runs that are over and by others, and on conversations with agents, which belong to no run. */
export interface Spending {
  /** Of the project and the time asked for. */
  settled: readonly UseSum[];
  unsettled: readonly Run[];
  talks: readonly TalkSum[];
}

interface Asked {
  by: By;
  project?: string | undefined;
  /** As an ISO time; empty: all. */
  since: string;
}

/** Sums what was used, by one of its sides. */
export function costsOf({ settled, unsettled, talks }: Spending, query: Asked): RouteResponse<"getCosts"> {
  const { since } = query;
  const rows = new Map<string, CostRow>();
  const total = blank("total");
  const count = (key: string, use: Use) => {
    const row = rows.get(key) ?? blank(key);
    rows.set(key, row);
    add(row, use);
    add(total, use);
  };
  for (const sum of settled) count(sum.key, sum);
  for (const run of unsettled) {
    if (run.createdAt >= since) count(keyOf(run, query.by), useOfRun(run));
  }
  for (const talk of talks) {
    if (talk.period < since.slice(0, talk.period.length)) continue;
    if (query.project === undefined || query.project === talk.projectId)
      count(talkKeyOf(talk, query.by), useOfTalk(talk));
  }
  const sorted = [...rows.values()].sort((left, right) =>
    query.by === "day"
      ? left.key.localeCompare(right.key)
      : right.costUsd - left.costUsd || left.key.localeCompare(right.key),
  );
  return { by: query.by, rows: sorted, total };
}

function talkKeyOf({ period, projectId, model }: TalkSum, by: By): string {
  const payer = payerName(projectId);
  switch (by) {
    case "run":
      return projectId === TESTS_PAYER ? "connection tests" : `talk ${payer ?? projectId}`;
    case "role":
      return payer ?? "project agent";
    case "project":
      return payer ?? projectId;
    case "model":
      return model;
    case "day":
      return period;
  }
}

function keyOf(run: Run, by: By): string {
  switch (by) {
    case "run":
      return run.id;
    case "role":
      return run.roleId;
    case "project":
      return run.projectId;
    case "model":
      return run.model;
    case "day":
      return run.createdAt.slice(0, 10);
  }
}

function blank(key: string): CostRow {
  return {
    key,
    runs: 0,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0,
    unpriced: 0,
  };
}

function useOfRun({ usage, reflection }: Run): Use {
  const { turns, costKnown, estimatedUsd: _, ...used } = usage;
  return { ...used, runs: 1, calls: turns + (reflection?.rounds ?? 0), unpriced: costKnown ? 0 : 1 };
}

function useOfTalk({ calls, input, output, cacheRead, cacheWrite, usd, assumed, unpriced }: TalkSum): Use {
  const tokens = { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite };
  return { ...tokens, runs: 0, calls, costUsd: usd + assumed, unpriced };
}

function add(row: CostRow, use: Use): void {
  row.runs += use.runs;
  row.calls += use.calls;
  row.inputTokens += use.inputTokens;
  row.outputTokens += use.outputTokens;
  row.cacheReadTokens += use.cacheReadTokens;
  row.cacheWriteTokens += use.cacheWriteTokens;
  row.costUsd += use.costUsd;
  row.unpriced += use.unpriced;
}
