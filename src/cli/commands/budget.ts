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
    const answer = await call("updateBudget", { body: update });
    output.answer(answer, () => "Changed the limits in config.yml. Runs that waited for them go on.");
  } else {
    const own = { ...update, ...withoutLimit(limits) };
    const answer = await call("updateProject", { params: { id: project }, body: { config: { budget: own } } });
    output.answer(answer, () => `Changed the limits of the project ${answer.project.id}.`);
  }
  return 0;
};

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
  throw new HallError("usage", `A limit is a number or 'none', not '${text}'.`);
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
    return [table, ...notes(answer).map((note) => output.paint("yellow", oneLine(note)))].join("\n");
  });
  return 0;
}

function notes({ waiting, unpriced, paused }: BudgetReport): string[] {
  return [
    ...waiting.map(({ runId, reason, text }) => `${runId} waits for ${reason}: ${text}`),
    ...paused.map(({ provider, until, reason }) => `${provider} is asked again at ${until}: ${reason}`),
    ...unpriced.map(
      ({ model, calls, tokens }) =>
        `${model} has no known price: ${grouped(tokens)} tokens of ${calls} calls today count at an assumed one. Set it under models.prices in config.yml.`,
    ),
  ];
}

const columns: Column<Standing>[] = [
  { title: "FOR", text: nameOf, style: () => "bold" },
  { title: "SPENT", text: ({ usd }) => money(usd.spent) },
  { title: "HELD", text: ({ usd }) => money(usd.reserved), spare: 1 },
  { title: "LIMIT", text: ({ usd }) => (usd.limit === null ? "none" : money(usd.limit)) },
  { title: "LEFT", text: ({ usd }) => (usd.left === null ? "" : money(usd.left)) },
  { title: "TOKENS", text: ({ tokens }) => grouped(tokens.spent), spare: 2 },
  { title: "LIMIT", text: ({ tokens }) => (tokens.limit === null ? "none" : grouped(tokens.limit)), spare: 3 },
];

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
