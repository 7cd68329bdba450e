import type { CostRow } from "../contract/cost-routes.ts";
import type { RouteQuery, RouteResponse } from "../contract/routes.ts";
import type { Run } from "../contract/run.ts";
import type { TalkSum } from "../models/ledger-line.ts";
import type { UseSum } from "../store/use-table.ts";

/** Under this name the main agent's calls are paid for; no project can have it. */
export const MAIN_PAYER = "@main";

type By = RouteQuery<"getCosts">["by"];

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
  const rows = new Map(settled.map((sum): [string, CostRow] => [sum.key, { ...sum }]));
  const total = blank("total");
  for (const sum of settled) addSum(total, sum);
  for (const run of unsettled) {
    if (run.createdAt < since) continue;
    const key = keyOf(run, query.by);
    const row = rows.get(key) ?? blank(key);
    rows.set(key, row);
    add(row, run);
    add(total, run);
  }
  for (const talk of talks) {
    if (talk.period < since.slice(0, talk.period.length)) continue;
    if (query.project !== undefined && query.project !== talk.projectId) continue;
    const key = talkKeyOf(talk, query.by);
    const row = rows.get(key) ?? blank(key);
    rows.set(key, row);
    addTalk(row, talk);
    addTalk(total, talk);
  }
  const sorted = [...rows.values()].sort((left, right) =>
    query.by === "day"
      ? left.key.localeCompare(right.key)
      : right.costUsd - left.costUsd || left.key.localeCompare(right.key),
  );
  return { by: query.by, rows: sorted, total };
}

function talkKeyOf({ period, projectId, model }: TalkSum, by: By): string {
  const isMain = projectId === MAIN_PAYER;
  switch (by) {
    case "run":
      return isMain ? "talk main agent" : `talk ${projectId}`;
    case "role":
      return isMain ? "main agent" : "project agent";
    case "project":
      return isMain ? "main agent" : projectId;
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

function add(row: CostRow, run: Run): void {
  row.runs++;
  row.calls += run.usage.turns + (run.reflection?.rounds ?? 0);
  row.inputTokens += run.usage.inputTokens;
  row.outputTokens += run.usage.outputTokens;
  row.cacheReadTokens += run.usage.cacheReadTokens;
  row.cacheWriteTokens += run.usage.cacheWriteTokens;
  row.costUsd += run.usage.costUsd;
  if (!run.usage.costKnown) row.unpriced++;
}

function addSum(row: CostRow, sum: UseSum): void {
  row.runs += sum.runs;
  row.calls += sum.calls;
  row.inputTokens += sum.inputTokens;
  row.outputTokens += sum.outputTokens;
  row.cacheReadTokens += sum.cacheReadTokens;
  row.cacheWriteTokens += sum.cacheWriteTokens;
  row.costUsd += sum.costUsd;
  row.unpriced += sum.unpriced;
}

function addTalk(row: CostRow, talk: TalkSum): void {
  row.calls += talk.calls;
  row.inputTokens += talk.input;
  row.outputTokens += talk.output;
  row.cacheReadTokens += talk.cacheRead;
  row.cacheWriteTokens += talk.cacheWrite;
  row.costUsd += talk.usd;
  row.unpriced += talk.unpriced;
}
