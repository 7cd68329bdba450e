import type { Rank } from "../../contract/documents/rank.ts";
import type { PlannedTask, TeamPlan } from "../../contract/documents/teams/team-plan.ts";
import type { Domain, Strategy } from "../../contract/words/teams/team-words.ts";
import { roleForDomain } from "../../runs/plan/built-in-roles.ts";
import type { TaskRoute } from "./team-facts.ts";

interface DomainRule {
  rank: Rank;
  /** Neither the strategy nor a setting lowers the rank, and the best model does it. */
  isHard?: true;
}

const RULES: Readonly<Record<Domain, DomainRule>> = {
  ux_design: { rank: "head", isHard: true },
  frontend: { rank: "worker" },
  backend: { rank: "worker" },
  research: { rank: "worker" },
  search: { rank: "worker" },
  review: { rank: "reviewer" },
  other: { rank: "worker" },
};

/** Whether tasks of a domain always get a head with the best model. */
export function needsTopModel(domain: Domain): boolean {
  return RULES[domain].isHard === true;
}

/** Who does a task. Heads work side by side; with one writer at a time the rank of the domain is enough. */
export function routeOf({ key, domain, role }: PlannedTask, strategy: Strategy): TaskRoute {
  const { rank } = RULES[domain];
  const isRaised = strategy !== "single" && rank === "worker";
  return { key, roleId: role ?? roleForDomain(domain), rank: isRaised ? "head" : rank };
}

/** Also for a plan that a person edited before the approval. */
export function routesOf({ tasks }: TeamPlan, strategy: Strategy): TaskRoute[] {
  return tasks.map((task) => routeOf(task, strategy));
}
