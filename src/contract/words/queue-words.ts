import type { EscalationType, SubjectKind } from "../documents/escalation-status.ts";

/** What an answer to a derived entry does, as a code. */
export const QUEUE_ACTIONS = [
  "approve",
  "request-changes",
  "discard",
  "retry",
  "cancel-task",
  "raise-limit",
  "raise-limit-to",
  "stop-run",
  "wait",
  "resume-project",
  "keep-suspended",
  "accept",
  "leave",
  "confirm-folder",
] as const;
export type QueueAction = (typeof QUEUE_ACTIONS)[number];

/** What has to be written with an answer: what should change, or a limit as a number. */
export const ANSWER_TEXTS = ["feedback", "amount"] as const;
export type AnswerText = (typeof ANSWER_TEXTS)[number];

export interface AnswerWords {
  label: string;
  description: string;
  needs?: AnswerText;
}

/** The buttons of the queue. An answer names one by its label. */
export const ANSWER_WORDS: Record<Exclude<QueueAction, "raise-limit">, AnswerWords> = {
  approve: { label: "Approve", description: "Merges the changes, or accepts them in the folder. The task is done." },
  "request-changes": {
    label: "Request changes",
    description: "Starts another run that continues with the result and your feedback.",
    needs: "feedback",
  },
  discard: { label: "Discard", description: "Removes the changes and reopens the task. Can be undone for a while." },
  retry: { label: "Retry", description: "Starts a new run of the task." },
  "cancel-task": { label: "Cancel the task", description: "Closes the task without a result." },
  "raise-limit-to": {
    label: "Raise the limit to another amount",
    description: "Enter the new limit as a number.",
    needs: "amount",
  },
  "stop-run": { label: "Stop the run", description: "Ends the run. Its task can be retried later." },
  wait: { label: "Wait", description: "Hides this entry. The run continues automatically when it can." },
  "resume-project": { label: "Resume", description: "Lets the project's agents work again." },
  "keep-suspended": { label: "Keep suspended", description: "Hides this entry until the project changes." },
  accept: { label: "Accept", description: "Agents use the current version." },
  leave: { label: "Leave", description: "Hides this entry until the file changes. Agents don't use this version." },
  "confirm-folder": {
    label: "Confirm the folder",
    description: "Uses the folder as it is now.",
  },
};

export function raiseLimitWords(limit: string): AnswerWords {
  return { label: `Raise the limit to ${limit}`, description: "The run continues within the new limit." };
}

/** The type of a question, in front of it. */
export const TYPE_WORDS: Record<EscalationType, string> = {
  decision: "Decision",
  blocker: "Blocker",
  question: "Question",
  approval: "Approval",
};

/** A call that needs consent. */
export const PERMISSION_WORD = "Permission";

/** What kind of decision an entry is, in front of its question. */
export const SUBJECT_WORDS: Record<SubjectKind, string> = {
  review: "Review",
  failed: "Failed",
  budget: "Budget",
  provider: "Waiting",
  suspended: "Suspended",
  problem: "Unreadable file",
  skill: "Skill to accept",
  instructions: "Instructions to accept",
  folder: "Working folder changed",
  damaged: "Damaged repository",
};
