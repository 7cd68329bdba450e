import type { BudgetReport, ProjectBudget } from "../../../../src/contract/documents/budget.ts";
import { moneyText, tokensText } from "../../ui/figures.tsx";

type Scope = BudgetReport["scopes"][number];

export function ownLimitsOf({ projects }: BudgetReport, project: string): ProjectBudget {
  return projects.find(({ projectId }) => projectId === project)?.limits ?? {};
}

/** Of the hall, or of a project also where nothing was spent in it yet. */
export function scopesOf({ scopes }: BudgetReport, project: string): Scope[] {
  if (project === "") return scopes.filter(({ scope }) => scope === "day" || scope === "total");
  return (["project-day", "project"] as const).map(
    (scope) => scopes.find((found) => found.scope === scope && found.projectId === project) ?? unspent(scope, project),
  );
}

function unspent(scope: Scope["scope"], projectId: string): Scope {
  const none = { limit: null, spent: 0, reserved: 0, left: null };
  return { scope, projectId, assumedUsd: 0, usd: none, tokens: none };
}

const KINDS = [
  ["dayUsd", "per day", "daily cost limit", moneyText],
  ["totalUsd", "in total", "lifetime cost limit", moneyText],
  ["runUsd", "per run", "cost limit per run", moneyText],
  ["dayTokens", "tokens per day", "daily token limit", tokensText],
  ["totalTokens", "tokens in total", "lifetime token limit", tokensText],
  ["runTokens", "tokens per run", "token limit per run", tokensText],
] as const;

/** In words, each empty where there is none: what a single run may cost, by the project's own word or the hall's, and what all of
 * the project and of the hall may. */
export function limitsOnRun(report: BudgetReport, project: string): { run: string; project: string; hall: string } {
  const { runUsd, runTokens, ...own } = ownLimitsOf(report, project);
  const { runUsd: hallUsd, runTokens: hallTokens, ...hall } = report.limits;
  return {
    run: limitsText(held({ runUsd: runUsd ?? hallUsd, runTokens: runTokens ?? hallTokens })),
    project: limitsText(own),
    hall: limitsText(held(hall)),
  };
}

function held(limits: Record<string, number | "none" | null>): ProjectBudget {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => typeof limit === "number"));
}

/** `$3 per day, no token limit per run`. */
export function limitsText(limits: ProjectBudget): string {
  return KINDS.flatMap(([key, words, name, text]) => {
    const limit = limits[key];
    if (limit === undefined) return [];
    return [limit === "none" ? `no ${name}` : `${text(limit)} ${words}`];
  }).join(", ");
}
