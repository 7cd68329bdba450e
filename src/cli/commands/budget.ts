import { activityOf, activityWithHint } from "../../contract/activity-words.ts";
import { type BudgetReport, type BudgetUpdate, NO_LIMIT } from "../../contract/budget.ts";
import { HallError } from "../../contract/errors.ts";
import type { Action, Context } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { grouped, money } from "../run-text.ts";
import { type Column, textTable } from "../text-table.ts";

const WORDS = new Set([NO_LIMIT, "hall"]);
const LIMITS = ["runUsd", "dayUsd", "totalUsd", "runTokens", "dayTokens", "totalTokens"] as const;

type Standing = BudgetReport["scopes"][number];

export const budget: Action<"budget"> = async ({ project, ...limits }, context) => {
  const update = changeOf(limits);
  if (update === undefined) return show(project, context);
  const { call, output } = context;
  if (project === undefined) {
    const before = await waitingRuns(context);
    const answer = await call("updateBudget", { body: update });
    const still = before.length === 0 ? [] : await waitingRuns(context);
    const freed = before.filter(({ runId }) => !still.some((run) => run.runId === runId)).length;
    output.answer(answer, () => `Changed the limits in config.yml.${goOn(freed)}`);
  } else {
    const own = { ...update, ...withoutLimit(limits) };
    const before = await waitingRuns(context);
    const answer = await call("updateProject", { params: { id: project }, body: { config: { budget: own } } });
    const isWaiting = before.some(({ projectId }) => projectId === answer.project.id);
    const waiting = isWaiting ? " Its runs that wait for budget go on as soon as there is room for them." : "";
    output.answer(answer, () => `Changed the limits of the project ${answer.project.id}.${waiting}`);
  }
  return 0;
};

/** A program that wants to know who waits asks for it. */
async function waitingRuns({ call, output }: Context): Promise<BudgetReport["waiting"]> {
  if (output.json) return [];
  return (await call("getBudget", {})).waiting.filter(({ reason }) => reason === "budget");
}

function goOn(runs: number): string {
  if (runs === 0) return "";
  return runs === 1 ? " 1 run that waited for budget goes on." : ` ${runs} runs that waited for budget go on.`;
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
  const words = "'none' for no limit, or, with -p, 'hall' for the hall's";
  throw new HallError("usage", `A limit is a number from 0 up, ${words}; not '${text}'.`);
}

async function show(project: string | undefined, { call, output }: Context): Promise<number> {
  const all = await call("getBudget", {});
  const scopes = all.scopes.filter(({ projectId }) => project === undefined || projectId === project);
  const answer = { ...all, scopes };
  output.answer(answer, () => {
    const shown = scopes.filter(
      ({ scope, usd, tokens }) => scope !== "run" || usd.limit !== null || tokens.limit !== null,
    );
    const table = shown.length === 0 ? "Nothing was spent yet." : textTable(columns, shown, output);
    return [table, ...notes(answer, output.calledAs).map((note) => output.paint("yellow", oneLine(note)))].join("\n");
  });
  return 0;
}

function notes({ waiting, unpriced, paused, scopes }: BudgetReport, calledAs: string): string[] {
  return [
    ...(scopes.some((standing) => assumedIn(standing) > 0)
      ? ["~: with what is assumed for models without a known price, which counts for the limits."]
      : []),
    ...waiting.map((wait) => `${wait.runId} is ${activityWithHint(activityOf(wait), calledAs)}`),
    ...paused.map(({ provider, until, reason }) => `${provider} is asked again at ${until}: ${reason}`),
    ...unpriced.map(
      ({ model, calls, tokens }) =>
        `${model} has no known price: ${grouped(tokens)} tokens of ${calls} calls today count at an assumed one. Set it under models.prices in config.yml.`,
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

/** Where tokens are limited, they alone count for models without a price. */
function assumedIn({ assumedUsd, tokens }: Standing): number {
  return tokens.limit === null ? assumedUsd : 0;
}

function spentText(standing: Standing): string {
  const assumed = assumedIn(standing);
  return assumed === 0 ? money(standing.usd.spent) : `~${money(standing.usd.spent + assumed)}`;
}

function nameOf({ scope, id = "", projectId = "" }: Standing): string {
  switch (scope) {
    case "run":
      return id;
    case "project-day":
      return `${projectId}, today`;
    case "project":
      return `${projectId}, ever`;
    case "day":
      return "all, today";
    case "total":
      return "all, ever";
  }
}
