import type { CostRow } from "../../contract/cost-routes.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteQuery } from "../../contract/routes.ts";
import { type Action, chosenProject } from "../context.ts";
import { grouped, money } from "../run-text.ts";
import { count } from "../text-card.ts";
import { type Column, textTable } from "../text-table.ts";

export const cost: Action<"cost"> = async ({ project, by, since }, context) => {
  const { call, output } = context;
  if (since !== undefined && !(/^\d{4}-\d{2}-\d{2}/.test(since) && !Number.isNaN(Date.parse(since))))
    throw new HallError("usage", `--since takes a date as 2026-11-01, not '${since}'.`);
  const answer = await call("getCosts", {
    query: { project: chosenProject(project, context), by: by as RouteQuery<"getCosts">["by"] | undefined, since },
  });
  output.answer(answer, () => {
    const { rows, total } = answer;
    if (rows.length === 0)
      return since === undefined ? "No model was called yet." : `No model was called since ${since}.`;
    const shown = rows.length === 1 ? rows : [...rows, total];
    return [textTable(columnsFor(answer.by), shown, output), ...unpricedLines(total)].join("\n");
  });
  return 0;
};

function unpricedLines({ unpriced }: CostRow): string[] {
  if (unpriced === 0) return [];
  return [
    `≥: ${count(unpriced, "run")} used a model whose price is not known; set it under models.prices in config.yml.`,
  ];
}

function columnsFor(by: string): Column<CostRow>[] {
  return [
    { title: by.toUpperCase(), text: ({ key }) => key, style: () => "bold" },
    { title: "RUNS", text: ({ runs }) => grouped(runs) },
    { title: "CALLS", text: ({ calls }) => grouped(calls), spare: 2 },
    { title: "IN", text: ({ inputTokens }) => grouped(inputTokens) },
    { title: "CACHED", text: ({ cacheReadTokens }) => grouped(cacheReadTokens), spare: 1 },
    { title: "OUT", text: ({ outputTokens }) => grouped(outputTokens) },
    { title: "COST", text: ({ costUsd, unpriced }) => money(costUsd, unpriced === 0) },
  ];
}
