import { readPlan } from "../agent/hand-ins/plan.ts";
import type { TeamPlan } from "../contract/documents/teams/team-plan.ts";
import { HallError } from "../contract/errors.ts";
import { routesOf } from "./machine/routing.ts";
import { chooseStrategy } from "./machine/strategy.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";

type Approved = Extract<TeamFact, { type: "approved" }>;

/** A plan that the person edited before approving it is checked like one of the lead, and so is its size. */
export function editedPlan(
  { spec, document }: TeamState,
  edited: TeamPlan,
  roles: readonly string[],
): Required<Pick<Approved, "plan" | "strategy" | "routes">> {
  if (spec === undefined) throw new HallError("team_refused", "There is no spec to compare the plan with.");
  const read = readPlan(edited, { spec, roles });
  if (!read.ok) throw new HallError("invalid", read.faults.map((fault) => `plan.${fault}`).join("\n"));
  const { value: plan } = read;
  const strategy = chooseStrategy(plan, document.strategy);
  return { plan, strategy, routes: routesOf(plan, strategy.value) };
}
