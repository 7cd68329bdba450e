import type { BudgetReport, BudgetUpdate, NO_LIMIT as NoLimit } from "../../contract/documents/budget.ts";
import { HallError } from "../../contract/errors.ts";
import type { CostRow } from "../../contract/routes/cost-routes.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import { payerName } from "../../contract/runs/payers.ts";
import { activityOf, activityWithHint } from "../../contract/words/activity-words.ts";
import { command } from "../command.ts";
import { type Context, chosenProject } from "../context.ts";
import { grouped, money } from "../runs/run-text.ts";
import { onlyProject, project } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const NO_LIMIT: typeof NoLimit = "none";
const WORDS = new Set([NO_LIMIT, "hall"]);
const LIMITS = ["runUsd", "dayUsd", "totalUsd", "runTokens", "dayTokens", "totalTokens"] as const;

const usd = (help: string) => ({ kind: "text", value: "USD", help }) as const;

const tokens = (help: string) => ({ kind: "text", value: "N", help }) as const;

export const commands = {
  cost: command(
    {
      summary: "Show model costs",
      options: {
        project: onlyProject,
        by: {
          kind: "text",
          value: "SIDE",
          help: "Group by run, role, project, model or day (default: day)",
          words: ["run", "role", "project", "model", "day"],
        },
        since: { kind: "text", value: "DATE", help: "Start date, such as 2026-11-01" },
      },
      examples: ["cost", "cost --by model --since 2026-11-01", "cost --by run -p shop"],
    },
    async ({ project, by, since }, context) => {
      const { call, output } = context;
      if (since !== undefined && !(/^\d{4}-\d{2}-\d{2}/.test(since) && !Number.isNaN(Date.parse(since))))
        throw new HallError("usage", `--since must be a date such as 2026-11-01, not '${since}'.`);
      const answer = await call("getCosts", {
        query: { project: chosenProject(project, context), by: by as RouteQuery<"getCosts">["by"] | undefined, since },
      });
      output.answer(answer, () => {
        const { rows, total } = answer;
        if (rows.length === 0) return since === undefined ? "No model calls yet." : `No model calls since ${since}.`;
        const shown = rows.length === 1 ? rows : [...rows, total];
        return [textTable(columnsFor(answer.by), shown, output), ...unpricedLines(total)].join("\n");
      });
      return 0;
    },
  ),

  budget: command(
    {
      summary: "Show or change spending and token limits",
      detail:
        "Without a limit option, shows what is spent, reserved for open calls and left, and the runs that are waiting. " +
        "With one, updates config.yml, or the project with -p, and resumes runs that were waiting. " +
        "'none' removes a limit; 0 blocks all calls that cost money. A run's limit includes its subagents. " +
        "With -p, --run-usd none exempts the project's runs from the workspace limit, and --run-usd hall applies it again.",
      options: {
        project: { ...project, help: "Project whose limits to show or change" },
        runUsd: usd("Limit per run"),
        dayUsd: usd("Limit per day"),
        totalUsd: usd("Lifetime limit"),
        runTokens: tokens("Token limit per run"),
        dayTokens: tokens("Token limit per day"),
        totalTokens: tokens("Lifetime token limit"),
      },
      examples: ["budget", "budget --day-usd 50 --run-usd 10", "budget -p shop --day-usd 5 --run-usd none"],
    },
    async ({ project, ...limits }, context) => {
      const update = changeOf(limits);
      if (update === undefined) return show(project, context);
      const { call, output } = context;
      if (project === undefined) {
        const before = await waitingRuns(context);
        const answer = await call("updateBudget", { body: update });
        const still = before.length === 0 ? [] : await waitingRuns(context);
        const freed = before.filter(({ runId }) => !still.some((run) => run.runId === runId)).length;
        output.answer(answer, () => `Updated the limits in config.yml.${goOn(freed)}`);
      } else {
        const own = { ...update, ...withoutLimit(limits) };
        const before = await waitingRuns(context);
        const answer = await call("updateProject", { params: { id: project }, body: { config: { budget: own } } });
        const isWaiting = before.some(({ projectId }) => projectId === answer.project.id);
        const waiting = isWaiting ? " Runs waiting for budget resume as soon as it allows." : "";
        output.answer(answer, () => `Updated the limits of project ${answer.project.id}.${waiting}`);
      }
      return 0;
    },
  ),
};

function unpricedLines({ unpriced }: CostRow): string[] {
  if (unpriced === 0) return [];
  return ["≈ estimated: some calls used a model without a price."];
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

type Standing = BudgetReport["scopes"][number];

/** A program that wants to know who waits asks for it. */
async function waitingRuns({ call, output }: Context): Promise<BudgetReport["waiting"]> {
  if (output.json) return [];
  return (await call("getBudget", {})).waiting.filter(({ reason }) => reason === "budget");
}

function goOn(runs: number): string {
  if (runs === 0) return "";
  return runs === 1 ? " 1 waiting run resumes." : ` ${runs} waiting runs resume.`;
}

function changeOf(given: Partial<Record<keyof BudgetUpdate, string | undefined>>): BudgetUpdate | undefined {
  const named = LIMITS.flatMap((name) => {
    const text = given[name];
    return text === undefined ? [] : [[name, WORDS.has(text) ? null : amountIn(text)] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** For its runs a project can say that there is no limit; the others it has only when it says so. */
function withoutLimit(given: Partial<Record<"runUsd" | "runTokens", string | undefined>>) {
  const named = (["runUsd", "runTokens"] as const).filter((name) => given[name] === NO_LIMIT);
  return Object.fromEntries(named.map((name) => [name, NO_LIMIT]));
}

function amountIn(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const words = "'none' for no limit, or (with -p) 'hall' for the workspace limit";
  throw new HallError("usage", `A limit must be a number of at least 0, ${words}. Got '${text}'.`);
}

async function show(project: string | undefined, { call, output }: Context): Promise<number> {
  const all = await call("getBudget", {});
  const scopes = all.scopes.filter(({ projectId }) => project === undefined || projectId === project);
  const answer = { ...all, scopes };
  output.answer(answer, () => {
    const shown = scopes.filter(
      ({ scope, usd, tokens }) => scope !== "run" || usd.limit !== null || tokens.limit !== null,
    );
    const table = shown.length === 0 ? "No spending yet." : textTable(columns, shown, output);
    return [table, ...notes(answer, output.calledAs).map((note) => output.paint("yellow", oneLine(note)))].join("\n");
  });
  return 0;
}

function notes({ waiting, unpriced, paused, scopes }: BudgetReport, calledAs: string): string[] {
  return [
    ...(scopes.some(({ assumedUsd }) => assumedUsd > 0)
      ? [
          "≈ estimated: models without a price are counted at $5 per million input tokens and $25 per million output tokens.",
        ]
      : []),
    ...waiting.map((wait) => `${wait.runId} is ${activityWithHint(activityOf(wait), calledAs)}`),
    ...paused.map(({ provider, until, reason }) => `${provider} is paused until ${until}: ${reason}`),
    ...unpriced.map(
      ({ model, calls, tokens }) =>
        `No price for ${model}: ${count(calls, "call")}, ${grouped(tokens)} tokens today. Set it with '${calledAs} model price ${model} INPUT OUTPUT'.`,
    ),
  ];
}

const columns: Column<Standing>[] = [
  { title: "FOR", text: nameOf, style: () => "bold" },
  { title: "SPENT", text: spentText },
  { title: "HELD", text: ({ usd }) => money(usd.reserved), spare: 1 },
  { title: "LIMIT", text: ({ usd }) => (usd.limit === null ? "none" : money(usd.limit)) },
  { title: "LEFT", text: ({ usd }) => (usd.left === null ? "" : money(usd.left)) },
  { title: "TOKENS", text: ({ tokens }) => grouped(tokens.spent), spare: 2 },
  { title: "LIMIT", text: ({ tokens }) => (tokens.limit === null ? "none" : grouped(tokens.limit)), spare: 3 },
];

function spentText({ usd, assumedUsd }: Standing): string {
  return money(usd.spent, assumedUsd === 0);
}

function nameOf({ scope, id = "", projectId = "" }: Standing): string {
  switch (scope) {
    case "run":
      return id;
    case "team":
      return `team ${id}`;
    case "project-day":
      return `${payerName(projectId) ?? projectId}, today`;
    case "orchestrator-day":
      return "orchestrator, today";
    case "project":
      return `${payerName(projectId) ?? projectId}, total`;
    case "day":
      return "all, today";
    case "total":
      return "all, total";
  }
}
