import type { SuggestedAnswer } from "../../contract/documents/escalation.ts";
import type { ReviewEscalation } from "../../contract/documents/escalation-status.ts";
import type { GateReview } from "../../contract/documents/quality/review.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { unanswered } from "../../people/rules/new-escalation.ts";
import { chosenCode, offeredAnswers } from "../../people/rules/offered-answers.ts";
import type { EscalationFields, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { ReviewAnswer } from "./review-events.ts";

const ANSWERS: Record<Exclude<ReviewAnswer, "none">, SuggestedAnswer> = {
  approve: { label: "Approve anyway", description: "Merges the result as it is." },
  "request-changes": {
    label: "Request changes",
    description: "Starts another run on the same branch with the findings and your words; the gates judge it again.",
  },
  retry: { label: "Retry the gate", description: "Judges the same result again." },
  "give-up": { label: "Give up", description: "The task fails. The result is kept on its branch." },
};

/** The answers to each kind of question, the usual one first. */
const OFFERED: Record<ReviewEscalation, readonly Exclude<ReviewAnswer, "none">[]> = {
  exhausted: ["request-changes", "approve", "give-up"],
  "not-reworked": ["request-changes", "approve", "give-up"],
  unable: ["retry", "approve", "give-up"],
  moved: ["retry", "approve", "give-up"],
};

const QUESTIONS: Record<ReviewEscalation, (title: string, review: GateReview) => string> = {
  exhausted: (title, { cycle }) =>
    `“${title}” failed its quality gate ${cycle === 1 ? "once" : `${cycle} times`}. What should happen with it?`,
  unable: (title) => `“${title}” could not be judged by the quality gates. What should happen with it?`,
  moved: (title) => `The branch of “${title}” changed after you were asked about it. What should happen with it?`,
  "not-reworked": (title) => `“${title}” failed its quality gate and was not improved. What should happen with it?`,
};

const offerOf = (codes: readonly Exclude<ReviewAnswer, "none">[]) =>
  codes.map((code) => [code, ANSWERS[code]] as const);

const LONGEST_QUESTION = 500;
const LONGEST_CONTEXT = 8_000;

interface Asked {
  kind: ReviewEscalation;
  reason: string;
  title: string;
  plan?: string | undefined;
  at: string;
}

/** Straight to the person: no agent decides about results. */
export function reviewQuestion(review: GateReview, asked: Asked): EscalationFields {
  const { kind, reason, title, plan, at } = asked;
  const { id, projectId, taskId, runId, gateId, cycle, asked: number } = review;
  const context = [
    kind === "unable" ? `The gates could not judge it: ${reason}` : reason,
    `${taskId} in project ${projectId}, run ${runId}${gateId === undefined ? "" : `, ${gateId}`}.`,
  ];
  return {
    type: "approval",
    origin: "review",
    projectId,
    ...(plan === undefined ? {} : { initiative: plan }),
    question: cutText(QUESTIONS[kind](title.replaceAll(/\s+/g, " "), review), LONGEST_QUESTION),
    context: cutText(context.join("\n\n"), LONGEST_CONTEXT),
    suggestedAnswers: offeredAnswers(offerOf(OFFERED[kind])),
    escalatedBy: "hall",
    escalationPath: ["hall", "person"],
    history: [{ at, by: "hall", action: "asked" }],
    askers: [],
    priority: "high",
    blocksTask: taskId,
    blocksInitiative: false,
    createdAt: at,
    updatedAt: at,
    status: "pending",
    ...unanswered(),
    review: { id, number, kind, runId, cycle, ...(gateId === undefined ? {} : { gateId }) },
  };
}

/** What the person decided. Words without a label are what they want to be changed. */
export function answerIn(asked: Pick<StoredEscalation, "outcome" | "answer" | "suggestedAnswers">): ReviewAnswer {
  if (asked.outcome !== "answered") return "none";
  if (asked.answer === null) return "request-changes";
  return chosenCode(offerOf(["approve", "request-changes", "retry", "give-up"]), asked) ?? "none";
}
