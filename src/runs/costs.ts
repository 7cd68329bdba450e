import type { CostRow, RouteQuery, RouteResponse } from "../contract/routes.ts";
import type { Run } from "../contract/run.ts";

/** Sums what runs used, by one of their sides. */
export function costsOf(runs: readonly Run[], query: RouteQuery<"getCosts">): RouteResponse<"getCosts"> {
  const rows = new Map<string, CostRow>();
  const total = blank("total");
  const since = query.since === undefined ? "" : new Date(query.since).toISOString();
  for (const run of runs) {
    if (run.createdAt < since) continue;
    const key = keyOf(run, query.by);
    const row = rows.get(key) ?? blank(key);
    rows.set(key, row);
    add(row, run);
    add(total, run);
  }
  const sorted = [...rows.values()].sort((left, right) =>
    query.by === "day"
      ? left.key.localeCompare(right.key)
      : right.costUsd - left.costUsd || left.key.localeCompare(right.key),
  );
  return { by: query.by, rows: sorted, total };
}

function keyOf(run: Run, by: RouteQuery<"getCosts">["by"]): string {
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
