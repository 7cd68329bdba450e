import type { TeamPhase } from "../../../contract/documents/teams/team.ts";
import { checkerOf } from "../members.ts";
import { addTasks } from "../task-index.ts";
import type { TeamState } from "../team-state.ts";
import { become, type FactSteps, settleQuestion } from "./fact-steps.ts";

export const wholeSteps: Pick<
  FactSteps,
  | "phase-started"
  | "phase-completed"
  | "phase-blocked"
  | "check-started"
  | "check-ended"
  | "checker-started"
  | "criteria-checked"
  | "remediation"
  | "delivering"
  | "delivered"
  | "delivery-conflicted"
  | "failed"
> = {
  "phase-started": (state, { phase }) => setPhase(state, phase, "in-progress"),
  "phase-blocked": (state, { phase }) => setPhase(state, phase, "blocked"),
  "phase-completed": (state, { phase }) => {
    setPhase(state, phase, "completed");
    if (state.phases.every(({ status }) => status === "completed")) become(state, "integrating");
  },

  "check-started": (state, { checkId }) => {
    state.check = { id: checkId };
  },
  "check-ended": (state, { checkId, verdict, reason }) => {
    if (state.check?.id !== checkId) return;
    state.check.verdict = verdict;
    state.reason = verdict === "pass" ? undefined : reason;
  },

  "checker-started": (state, { runId }) => {
    state.checker = { runId };
    state.checkersStarted++;
    const member = checkerOf(state);
    if (member !== undefined) Object.assign(member, { runId, runs: member.runs + 1, change: undefined });
  },
  "criteria-checked": (state, { runId, results }) => {
    const isLook = runId !== undefined;
    const seen = new Map(results.map((result) => [result.id, result]));
    for (const criterion of state.criteria.values()) {
      if (criterion.state !== "open" || (criterion.kind === "look") !== isLook) continue;
      const result = seen.get(criterion.id);
      criterion.state = result?.met === true ? "met" : "unmet";
      criterion.evidence = result?.evidence ?? "Not checked.";
    }
    if (!isLook) return;
    state.checker = undefined;
    for (const member of state.members.values()) if (member.runId === runId) member.runId = undefined;
  },

  remediation: (state, { round, tasks, routes, by }) => {
    state.rounds = round;
    state.roundsAlone = by === undefined ? state.roundsAlone + 1 : 0;
    Object.assign(state, { check: undefined, checker: undefined, checkersStarted: 0, reason: undefined });
    Object.assign(state, { report: undefined, reportRunId: undefined });
    Object.assign(state, { deliveryRunId: undefined, deliveryConflict: undefined });
    settleQuestion(state, ({ kind }) => kind === "integration-failed");
    for (const id of new Set(tasks.map(({ phase }) => phase)))
      state.phases.push({ id, name: `Fixes ${round}`, order: state.phases.length + 1, status: "pending" });
    addTasks(state, { tasks, routes, round });
    checkAgain(state);
    for (const { key, criteria } of tasks)
      for (const id of criteria) {
        const criterion = state.criteria.get(id);
        if (criterion !== undefined) criterion.task = key;
      }
    become(state, "working");
  },

  delivering: (state, { runId }) => {
    state.deliveryRunId = runId;
    become(state, "delivering");
  },
  "delivery-conflicted": (state, { reason }) => {
    state.deliveryConflict = reason;
  },
  delivered: (state) => {
    settleQuestion(state, () => true);
    state.status = "completed";
    state.reason = undefined;
  },
  failed: (state, { reason }) => {
    settleQuestion(state, () => true);
    state.status = "failed";
    state.reason = reason;
  },
};

function setPhase(state: TeamState, id: string, status: TeamPhase["status"]): void {
  const phase = state.phases.find((one) => one.id === id);
  if (phase !== undefined) phase.status = status;
}

/** What tests and commands showed is checked again on the repaired tree. A look that was satisfied is not paid for twice. */
function checkAgain(state: TeamState): void {
  for (const criterion of state.criteria.values()) {
    if (criterion.state === "waived" || (criterion.state === "met" && criterion.kind === "look")) continue;
    criterion.state = "open";
    delete criterion.evidence;
  }
}
