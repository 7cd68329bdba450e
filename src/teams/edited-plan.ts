import { readPlan } from "../agent/hand-ins/plan.ts";
import type { TeamPlan } from "../contract/documents/teams/team-plan.ts";
import { HallError } from "../contract/errors.ts";
import { routeOf } from "./machine/routing.ts";
import type { TaskRoute } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";

/** A plan that the person edited before approving it is checked like one of the lead. */
export function editedPlan(
  { spec, strategy }: TeamState,
  edited: TeamPlan,
  roles: readonly string[],
): { plan: TeamPlan; routes: TaskRoute[] } {
  if (spec === undefined) throw new HallError("team_refused", "There is no spec to compare the plan with.");
  const read = readPlan(edited, { spec, roles });
  if (!read.ok) throw new HallError("invalid", read.faults.map((fault) => `plan.${fault}`).join("\n"));
  const { value: plan } = read;
  return { plan, routes: plan.tasks.map((task) => routeOf(task, strategy?.value ?? "single")) };
}
