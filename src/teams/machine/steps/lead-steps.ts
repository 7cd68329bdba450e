import type { TeamPlan } from "../../../contract/documents/teams/team-plan.ts";
import { autonomyOf } from "../autonomy/autonomy-phase.ts";
import { forgetGaps, supersede } from "../autonomy/autonomy-steps.ts";
import { leadOf } from "../members.ts";
import { addTasks, emptyIndex } from "../task-index.ts";
import type { TaskRoute } from "../team-facts.ts";
import type { TeamState } from "../team-state.ts";
import { become, type FactSteps, settleQuestion } from "./fact-steps.ts";
import { handedIn, leaves, takeSpec } from "./spec-steps.ts";

export const leadSteps: Pick<
  FactSteps,
  | "formed"
  | "setup-tried"
  | "lead-started"
  | "lead-failed"
  | "step-retried"
  | "spec-submitted"
  | "spec-edited"
  | "plan-submitted"
  | "session-imported"
  | "approved"
  | "rejected"
  | "report-submitted"
> = {
  formed: (state) => become(state, "specifying"),

  "setup-tried": (state, { passed, reason }) => {
    state.setup = { passed, reason };
  },

  "lead-started": (state, { step, runId }) => {
    state.lead = { step, runId };
    const lead = leadOf(state);
    if (lead !== undefined) Object.assign(lead, { runId, runs: lead.runs + 1, change: undefined });
    if (step !== "report") return;
    state.reportRunId = runId;
    become(state, "synthesizing");
  },

  "lead-failed": (state, { step, reason, isFinal }) => {
    leaves(state);
    // The team goes on with the spec that it has.
    if (step === "evolution") return forgetGaps(state);
    state.leadFailures = isFinal === true ? LEAD_TRIES : state.leadFailures + 1;
    state.leadFailure = reason;
    const lead = leadOf(state);
    if (lead !== undefined) lead.failures++;
  },

  "step-retried": (state, { step, remarks }) => {
    settleQuestion(state, ({ kind }) => kind === RETRIED[step]);
    if (remarks !== undefined) state.remarks = remarks;
    if (step === "setup") state.setup = undefined;
    else if (step === "lead") state.leadFailures = 0;
    else {
      state.check = undefined;
      state.checker = undefined;
      state.checkersStarted = 0;
      state.roundsAlone = 0;
    }
  },

  "spec-submitted": (state, { spec }) => {
    handedIn(state);
    takeSpec(state, spec);
    state.isSpecEdited = false;
    become(state, needsApproval(state, "spec") ? "awaiting-approval" : "planning");
  },

  "spec-edited": (state, { spec, by }) => {
    supersede(state, by);
    takeSpec(state, spec);
    state.isSpecEdited = true;
    state.roundsAlone = 0;
  },

  "plan-submitted": (state, { plan, strategy, routes }) => {
    handedIn(state);
    state.strategy = strategy;
    takePlan(state, plan, routes);
    become(state, needsApproval(state, "plan") ? "awaiting-approval" : "working");
  },

  /** Whoever hands a session over has approved its plan. */
  "session-imported": (state, { by, spec, plan, strategy, routes, roleSpecs }) => {
    state.session = { roleSpecs };
    takeSpec(state, spec);
    state.strategy = strategy;
    state.approved = { spec: true, plan: true };
    state.planApprovedBy = by;
    takePlan(state, plan, routes);
    become(state, "working");
  },

  approved: (state, { what, by, plan, strategy, routes }) => {
    if (what === "integration") {
      settleQuestion(state, ({ kind }) => kind === "integration-failed");
      state.approvedAnyway = { by, reason: state.reason ?? "" };
      return become(state, "synthesizing");
    }
    settleQuestion(state, ({ kind }) => kind === what);
    state.approved[what] = true;
    state.remarks = undefined;
    if (what === "spec") return become(state, "planning");
    state.planApprovedBy = by;
    if (strategy !== undefined) state.strategy = strategy;
    if (plan !== undefined) takePlan(state, plan, routes ?? []);
    become(state, "working");
  },

  rejected: (state, { what, remarks }) => {
    settleQuestion(state, ({ kind }) => kind === what);
    state.approved[what] = false;
    state.remarks = remarks;
    become(state, what === "spec" ? "specifying" : "planning");
  },

  "report-submitted": (state, { report }) => {
    handedIn(state);
    state.report = report;
  },
};

/** Whether the person sees it before work goes on. */
function needsApproval(state: TeamState, what: "spec" | "plan"): boolean {
  const { approval } = state.document;
  if (autonomyOf(state) !== undefined) return false;
  return what === "spec" ? approval === "spec-and-plan" : approval !== "none";
}

const RETRIED = { setup: "setup-failed", lead: "lead-failed", check: "integration-failed" } as const;

/** Runs of the lead for one step before the person is asked. */
export const LEAD_TRIES = 2;

function takePlan(state: TeamState, plan: TeamPlan, routes: readonly TaskRoute[]): void {
  state.plan = plan;
  state.phases = plan.phases.map(({ id, name }, at) => ({ id, name, order: at + 1, status: "pending" }));
  state.tasks = new Map();
  state.index = emptyIndex();
  addTasks(state, { tasks: plan.tasks, routes });
  for (const { key, criteria } of plan.tasks)
    for (const id of criteria) {
      const criterion = state.criteria.get(id);
      if (criterion !== undefined) criterion.task = key;
    }
}
