/** What Guildhall verifies of what a member returns, in this order. */
export const TASK_CHECKS = [
  "report",
  "artifact",
  "structure",
  "placeholders",
  "findings",
  "files-changed",
  "planned-files",
  "syntax",
  "tests",
  "coverage",
] as const;
export type TaskCheckName = (typeof TASK_CHECKS)[number];

/** `unable`: it applies and could not be carried out. `skipped`: there is nothing of the kind. Neither counts as passed. */
export const CHECK_VERDICTS = ["pass", "fail", "unable", "skipped"] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

/** In a list of tasks: "checks failed (2 of 3)". */
export function checksText(of: { verdict: string; attempt: number; attempts: number } | undefined): string {
  if (of === undefined) return "";
  if (of.verdict === "fail") return `checks failed (${of.attempt} of ${of.attempts})`;
  return of.verdict === "pass" ? "checks passed" : "checks incomplete";
}

export const TASK_CHECK_WORDS: Readonly<Record<TaskCheckName, string>> = {
  report: "Report",
  artifact: "Artifact",
  structure: "Sections",
  placeholders: "No placeholders",
  findings: "Findings",
  "files-changed": "Changed files",
  "planned-files": "Planned files",
  syntax: "Syntax",
  tests: "Tests",
  coverage: "Coverage",
};

/** "Syntax: fail: a.ts:1 Unexpected token". */
export function checkLine({
  name,
  verdict,
  detail = "",
}: {
  name: TaskCheckName;
  verdict: string;
  detail?: string | undefined;
}): string {
  return `${TASK_CHECK_WORDS[name]}: ${verdict}${detail === "" ? "" : `: ${detail}`}`;
}
