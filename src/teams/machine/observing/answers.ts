import { withResume } from "../autonomy/pausing.ts";
import type { TeamFact } from "../team-facts.ts";
import type { OpenQuestion, TeamState } from "../team-state.ts";
import type { Answer, World } from "../world.ts";

/** What follows from the answer to the open question. */
export function answered(state: TeamState, world: World): TeamFact[] {
  const { question } = state;
  const answer = question === undefined ? undefined : world.answer(question.number);
  if (question === undefined || answer === undefined) return [];
  const { by } = answer;
  if (answer.answer === "stop") return [{ type: "stopped", by, reason: withRemarks("Stopped by answer.", answer) }];
  return withResume(state, carriedOut(state, question, answer), by);
}

function carriedOut(state: TeamState, question: OpenQuestion, answer: Answer): TeamFact[] {
  const { by } = answer;
  // A change that nobody approves is not made.
  if (question.kind === "spec-change") return decidedChange(question, answer);
  if (answer.answer === "none") return unanswered(state, question, by);
  switch (question.kind) {
    case "spec":
    case "plan":
      return [judged(question.kind, answer)];
    case "lead-failed":
      return [{ type: "step-retried", step: "lead", by, ...remarksOf(answer) }];
    case "integration-failed":
      return answer.answer === "approve"
        ? [{ type: "approved", what: "integration", by }]
        : [{ type: "step-retried", step: "check", by, ...remarksOf(answer) }];
    case "setup-failed":
      return question.task === undefined
        ? [{ type: "step-retried", step: "setup", by, ...remarksOf(answer) }]
        : aboutTask(state, question, answer);
    case "member-stuck":
      return aboutMember(state, question, answer);
    case "task-failed":
      return aboutTask(state, question, answer);
  }
}

function decidedChange({ proposal: number = 0 }: OpenQuestion, answer: Answer): TeamFact[] {
  const outcome = answer.answer === "approve" ? "applied" : "rejected";
  return [{ type: "evolution-decided", number, outcome, by: answer.by, ...remarksOf(answer) }];
}

/** Where its issue is no longer known, nobody is stuck. */
function aboutMember(state: TeamState, question: OpenQuestion, answer: Answer): TeamFact[] {
  const { by } = answer;
  const { issue = 0, number, task = "" } = question;
  const found = state.health.open.get(issue);
  if (found === undefined) return [{ type: "question-withdrawn", number }];
  const isTask = state.tasks.has(task);
  if (answer.answer === "leave-out" && isTask) return aboutTask(state, question, answer);
  const restart = answer.answer !== "approve";
  return [{ type: "member-resolved", member: found.member, by, restart, ...remarksOf(answer) }];
}

/** Nobody wants to decide now: the team waits, and asks again when it is resumed. */
function unanswered({ status }: TeamState, { number }: OpenQuestion, by: string): TeamFact[] {
  const paused: TeamFact = {
    type: "paused",
    by,
    code: "approval-required",
    reason: "The question was closed without an answer. Resume to ask again.",
  };
  const withdrawn: TeamFact = { type: "question-withdrawn", number };
  return status === "paused" ? [withdrawn] : [paused, withdrawn];
}

function judged(what: "spec" | "plan", { answer, by, remarks }: Answer): TeamFact {
  return answer === "approve" ? { type: "approved", what, by } : { type: "rejected", what, by, remarks };
}

/** The task of the question comes last: until then the question is open, so that a crash in between loses no part of the answer. */
function aboutTask({ index, tasks }: TeamState, { kind, task: asked = "" }: OpenQuestion, answer: Answer): TeamFact[] {
  const { by } = answer;
  const rest = kind === "setup-failed" ? [...index.blocked].filter((key) => key !== asked) : [];
  const keys = [...rest, ...(tasks.has(asked) ? [asked] : [])];
  if (answer.answer !== "leave-out")
    return keys.map((key) => ({ type: "task-retried", key, by, ...remarksOf(answer) }));
  const reason = withRemarks("Left out by answer.", answer);
  return keys.slice(-1).map((key) => ({ type: "task-left-out", key, by, reason }));
}

function remarksOf({ remarks }: Answer): { remarks?: string } {
  return remarks.trim() === "" ? {} : { remarks };
}

function withRemarks(text: string, { remarks }: Answer): string {
  return remarks.trim() === "" ? text : `${text} ${remarks}`;
}
