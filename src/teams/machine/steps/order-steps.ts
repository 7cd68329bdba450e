import { pauseAutonomy, resumeAutonomy } from "../autonomy/autonomy-steps.ts";
import { moveTask } from "../task-index.ts";
import type { TeamState } from "../team-state.ts";
import { type FactSteps, settleQuestion, stageOf } from "./fact-steps.ts";

/** Questions, the person's orders, and what is only told. */
export const orders: Pick<
  FactSteps,
  | "asked"
  | "question-filed"
  | "question-withdrawn"
  | "cost-warned"
  | "budget-changed"
  | "paused"
  | "resumed"
  | "stopped"
  | "noted"
> = {
  asked: (state, { number, kind, task, issue, proposal, reason }) => {
    state.question = { number, kind, task, issue, proposal, reason };
    state.questions = Math.max(state.questions, number);
  },
  "question-filed": (state, { number, escalationId }) => {
    const settled = state.settledQuestions.find((question) => question.number === number);
    const question = state.question?.number === number ? state.question : settled;
    if (question !== undefined) question.escalationId = escalationId;
  },
  "question-withdrawn": (state, { number }) => {
    state.settledQuestions = state.settledQuestions.filter((question) => question.number !== number);
    if (state.question?.number === number) state.question = undefined;
  },
  "cost-warned": (state) => {
    state.warnedOfCost = true;
  },
  /** The person is warned of the new limit, too. */
  "budget-changed": (state, { budgetUsd }) => {
    state.budgetUsd = budgetUsd;
    state.warnedOfCost = false;
  },
  /** A question that nobody answers is asked again when the team continues. */
  paused: (state, { reason, code }) => {
    if (state.status === "paused") return;
    pauseAutonomy(state, code);
    state.pausedFrom = state.status;
    state.status = "paused";
    state.reason = reason;
  },
  resumed: (state) => {
    if (state.status !== "paused") return;
    resumeAutonomy(state);
    state.status = stageOf(state);
    state.pausedFrom = undefined;
    state.reason = undefined;
  },
  stopped: (state, { reason }) => {
    settleQuestion(state, () => true);
    for (const key of [...state.index.blocked]) failed(state, key);
    state.status = "stopped";
    state.pausedFrom = undefined;
    state.reason = reason;
  },
  noted: (state, { event = 0 }) => {
    state.notedEvent = Math.max(state.notedEvent, event);
  },
};

function failed(state: TeamState, key: string): void {
  const task = state.tasks.get(key);
  if (task !== undefined) moveTask(state, task, "failed");
}
