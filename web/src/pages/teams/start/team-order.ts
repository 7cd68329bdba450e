import type { TeamRequest } from "../../../../../src/contract/documents/teams/team.ts";
import type { AutonomyMode } from "../../../../../src/contract/words/teams/autonomy-words.ts";
import type { SddMode, Strategy, TeamApproval } from "../../../../../src/contract/words/teams/team-words.ts";

/** What the person has typed and chosen so far. Empty: the hall's choice. */
export interface Order {
  goal: string;
  name: string;
  autonomy: AutonomyMode;
  approval: TeamApproval;
  strategy: Strategy | "";
  sdd: SddMode | "";
  preset: NonNullable<TeamRequest["preset"]> | "";
  budget: string;
  baseBranch: string;
}

export const NO_ORDER: Order = {
  ...{
    goal: "",
    name: "",
    autonomy: "off",
    approval: "plan",
    strategy: "",
    sdd: "",
    preset: "",
    budget: "",
    baseBranch: "",
  },
};

/** What is wrong with the budget, if anything. */
export function budgetFault(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  return budgetOf(text) === undefined ? "Enter an amount above 0, such as 5 or 2.50." : undefined;
}

function budgetOf(text: string): number | undefined {
  const amount = Number(text.trim().replace(/^\$\s*/, ""));
  return Number.isFinite(amount) && amount > 0 && amount <= 1_000_000 ? amount : undefined;
}

/** What is asked for; undefined while it can't be. */
export function requestOf(order: Order, taskId?: string): TeamRequest | undefined {
  const { goal, autonomy, approval, strategy, sdd, preset, budget } = order;
  const [name, baseBranch] = [order.name.trim(), order.baseBranch.trim()];
  if (goal.trim() === "" || budgetFault(budget) !== undefined) return undefined;
  const budgetUsd = budget.trim() === "" ? undefined : budgetOf(budget);
  return {
    goal: goal.trim(),
    ...(autonomy === "off" ? { approval } : { autonomy: { mode: autonomy } }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(name === "" ? {} : { name }),
    ...(strategy === "" ? {} : { strategy }),
    ...(sdd === "" ? {} : { sdd }),
    ...(preset === "" ? {} : { preset }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(baseBranch === "" ? {} : { baseBranch }),
  };
}

/** A task as the goal of a team. */
export function goalOf({ title, description }: { title: string; description: string }): string {
  return description.trim() === "" ? title : `${title}\n\n${description.trim()}`;
}
