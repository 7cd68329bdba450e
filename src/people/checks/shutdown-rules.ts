import type { Finding } from "./findings.ts";
import { type CheckedTask, orphanedTasks } from "./idle-rules.ts";

/** What there is to see before a project is suspended or completed. */
export interface ShutdownState {
  /** Escalations that no reviewer has passed on yet. */
  drafts: readonly string[];
  tasks: readonly CheckedTask[];
  /** Runs whose end the project's agent has not been told, or has not dealt with. */
  unread: readonly string[];
  inReview: readonly { runId: string; taskId: string }[];
}

type ShutdownRule = (state: ShutdownState) => Finding[];

export const SHUTDOWN_RULES = {
  "drafts-reviewed": ({ drafts }) => drafts.map((escalationId) => ({ code: "draft_question", escalationId })),
  "no-orphaned-tasks": ({ tasks }) => orphanedTasks(tasks),
  "results-processed": ({ unread, inReview }) => [
    ...unread.map((runId) => ({ code: "unread_result" as const, runId })),
    ...inReview.map((waiting) => ({ code: "result_in_review" as const, ...waiting })),
  ],
} as const satisfies Record<string, ShutdownRule>;
