import { findingPlace, VERDICT_WORDS } from "../contract/review-words.ts";
import type { Run } from "../contract/run.ts";
import { agentWords } from "./agent-words.ts";
import type { TableSpace } from "./text-table.ts";

/** The verdict of a review and each of its findings, in the reviewer's words; nothing for a run that is no review. */
export function reviewLines(run: Run, space: TableSpace): string[] {
  const review = run.result?.review;
  if (review === undefined) return [];
  const findings = review.findings.map(({ severity, message, suggestion, ...place }) => {
    const head = [severity, findingPlace(place)].filter((part) => part !== "").join(" ");
    return agentWords([`${head}: ${message}`, ...(suggestion === undefined ? [] : [suggestion])].join("\n"), space);
  });
  return [`${space.paint("bold", "Verdict")}  ${VERDICT_WORDS[review.verdict]}`, ...findings];
}
