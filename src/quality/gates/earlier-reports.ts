import type { GateReport } from "../../contract/documents/quality/gate.ts";
import { REVIEWED_STAGES } from "../../contract/words/gate-words.ts";

/** What the next cycle of a change needs of those before. */
export interface Earlier {
  /** The newest report: what a person waived in it counts again. */
  before?: GateReport | undefined;
  /** The newest that reviewers came to a verdict in: what they found, and what has changed since then. */
  reviewed?: GateReport | undefined;
}

/**
 * Of the reports of earlier cycles, the oldest first. A gate that ended before the review has not reviewed anything, nor has
 * one of a target that moved, whose tree has the changes of others too.
 */
export function earlierOf(all: readonly GateReport[]): Earlier {
  const reports = all.filter(({ onto }) => onto === undefined);
  return { before: reports.at(-1), reviewed: reports.findLast(isReviewed) };
}

function isReviewed({ stages }: GateReport): boolean {
  const verdictOf = (name: string) => stages.find((stage) => stage.name === name)?.verdict;
  return REVIEWED_STAGES.every((name) => verdictOf(name) === "pass" || verdictOf(name) === "fail");
}
