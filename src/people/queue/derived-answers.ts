import type { BudgetUpdate } from "../../contract/documents/budget.ts";
import type { Escalation } from "../../contract/documents/escalation.ts";
import type { SubjectKind } from "../../contract/documents/escalation-status.ts";
import type { Hint } from "../../contract/words/hint.ts";
import { ANSWER_WORDS, type QueueAction, raiseLimitWords } from "../../contract/words/queue-words.ts";

type Answer = Escalation["suggestedAnswers"][number];

/** The limit that keeps a run from continuing, and how much would let it. */
export type LimitRaise = { amount: number } & (
  | { teamId: string }
  /** Without a project, it is the workspace's limit. */
  | { field: keyof BudgetUpdate; projectId?: string | undefined }
);

const ANSWERS: Record<SubjectKind, readonly Exclude<QueueAction, "raise-limit">[]> = {
  review: ["approve", "request-changes", "discard"],
  failed: ["retry", "cancel-task"],
  budget: ["wait", "stop-run"],
  provider: ["wait", "stop-run"],
  suspended: ["resume-project", "keep-suspended"],
  problem: [],
  skill: ["accept", "leave"],
  instructions: ["accept", "leave"],
  folder: ["confirm-folder", "leave"],
  damaged: [],
};

/** Described otherwise than the same answer elsewhere. */
const OWN_WORDS: Partial<Record<SubjectKind, Partial<Record<QueueAction, string>>>> = {
  folder: { leave: "Hides this entry until the folder changes again. Agents can't write there." },
  budget: { wait: "Hides this entry. The run continues when the limit allows it, such as on the next day." },
};

export function answersFor({ kind, hintAction }: { kind: SubjectKind; hintAction?: Hint | undefined }): Answer[] {
  const usual = ANSWERS[kind].map((action) => answer(kind, action));
  const raise = kind === "budget" ? limitRaiseIn(hintAction) : undefined;
  if (raise === undefined) return usual;
  return [{ ...raiseLimitWords(amountText(raise)), action: "raise-limit" }, answer(kind, "raise-limit-to"), ...usual];
}

function answer(kind: SubjectKind, action: Exclude<QueueAction, "raise-limit">): Answer {
  const words = ANSWER_WORDS[action];
  return { ...words, description: OWN_WORDS[kind]?.[action] ?? words.description, action };
}

/** The options of `budget` that a hint names. */
const FIELDS: Record<string, keyof BudgetUpdate> = {
  "--run-usd": "runUsd",
  "--day-usd": "dayUsd",
  "--total-usd": "totalUsd",
  "--run-tokens": "runTokens",
  "--day-tokens": "dayTokens",
  "--total-tokens": "totalTokens",
};

/** Undefined where calls under way only hold money that they may not need. */
export function limitRaiseIn(hintAction: Hint | undefined): LimitRaise | undefined {
  if (hintAction === undefined) return undefined;
  const { project, limit = "", amount: given = "", text: teamId = "" } = hintAction.args;
  const amount = Number(given);
  if (given === "" || !Number.isFinite(amount)) return undefined;
  if (hintAction.action === "team-budget-raise") return { teamId, amount };
  const field = hintAction.action === "budget-raise" ? FIELDS[limit] : undefined;
  return field && { ...(project === undefined ? {} : { projectId: project }), field, amount };
}

function amountText(raise: LimitRaise): string {
  const { amount } = raise;
  return "teamId" in raise || raise.field.endsWith("Usd") ? `$${amount}` : `${amount} tokens`;
}

/** `12.50`, `$12.50` or `200000`; undefined for anything else. */
export function amountIn(text: string): number | undefined {
  const digits = /^\$?(\d{1,12}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
