import type { TeamPlan } from "../../../contract/documents/teams/team-plan.ts";
import { isOver } from "../../../contract/runs/run-status.ts";
import { evolved } from "../autonomy/evolution.ts";
import { routesOf } from "../routing.ts";
import { chooseStrategy } from "../strategy.ts";
import type { TeamFact } from "../team-facts.ts";
import type { LeadStep, TeamState } from "../team-state.ts";
import type { SeenRun, World } from "../world.ts";

/** What the lead's run handed in, or why it did not. */
export function observeLead(state: TeamState, world: World): TeamFact[] {
  const { lead } = state;
  const run = lead === undefined ? undefined : world.run(lead.runId);
  if (lead === undefined || run === undefined || !isOver(run)) return [];
  const { step, runId } = lead;
  const { handIn } = run;
  if (step === "evolution") return [evolved(state, runId, run)];
  if (handIn?.kind === "spec" && step === "spec") return [{ type: "spec-submitted", runId, spec: handIn.spec }];
  if (handIn?.kind === "report" && step === "report")
    return [{ type: "report-submitted", runId, report: handIn.report }];
  if (handIn?.kind === "plan" && step === "plan") return [planned(state, runId, handIn.plan)];
  return [failed(step, runId, run)];
}

function planned({ document }: TeamState, runId: string, plan: TeamPlan): TeamFact {
  const strategy = chooseStrategy(plan, document.strategy);
  return { type: "plan-submitted", runId, plan, strategy, routes: routesOf(plan, strategy.value) };
}

function failed(step: LeadStep, runId: string, { status, error }: SeenRun): TeamFact {
  const reason = error ?? `The lead ended without submitting its ${step}.`;
  // Who cancels a run does not want it started again at once.
  return { type: "lead-failed", step, runId, reason, ...(status === "cancelled" ? { isFinal: true } : {}) };
}
