/**
 * Apart from the schemas, so that commands and pages can load them without. `lead` hands in what its team needs next: a spec, a plan or
 * a report. `check` looks whether acceptance criteria are met.
 */
export const RUN_PURPOSES = ["work", "review", "lead", "check"] as const;
/** What a person can start a run for; the others belong to teams. */
export const SPAWN_PURPOSES = ["work", "review"] as const;

export const REVIEW_VERDICTS = ["approve", "request_changes", "unable"] as const;
type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

/** The worst first. */
export const FINDING_SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** What a reviewer's verdict is called where people read it. */
export const VERDICT_WORDS: Record<ReviewVerdict, string> = {
  approve: "Approved",
  request_changes: "Changes requested",
  unable: "No verdict",
};

/** Where a finding is, as editors take it; empty where it has no place. */
export function findingPlace({ file, line }: { file?: string | undefined; line?: number | undefined }): string {
  if (file === undefined) return "";
  return line === undefined ? file : `${file}:${line}`;
}
