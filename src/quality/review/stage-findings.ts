import { PASSES_AT, type ReviewAnswer } from "../../agent/tools/review-tool.ts";
import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import type { EarlierFinding, ReviewFinding } from "../../contract/runs/run-review.ts";
import { REVIEWED_STAGES, type ReviewedStage } from "../../contract/words/gate-words.ts";
import { findingId } from "../checks/finding-ids.ts";

/** The most that a stage scores with an open finding. */
const CAPS = { critical: 40, high: 65 } as const;
/** What each open finding takes off the most that a stage scores, which these alone do not make fail. */
const TAKEN_OFF = { medium: 4, low: 1 } as const;
const OWN_CODE = "rev";
const NOT_INTEGRATED = "The change is not integrated: nothing that runs uses the new code.";

/** A finding of a reviewer within one gate. */
export interface Judged {
  stage: ReviewedStage;
  finding: GateFinding;
  /** Found in this cycle. */
  isNew: boolean;
}

/** The same for the same finding in another cycle. */
export function reviewFindingId(
  stage: ReviewedStage,
  { file, message }: Pick<ReviewFinding, "file" | "message">,
): string {
  const words = message
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return findingId(OWN_CODE, stage, file, words);
}

/** All that reviewers found in the cycle before. */
export function knownFindings(before: GateReport | undefined): Judged[] {
  return (before?.stages ?? []).flatMap(({ name, findings }) => {
    const stage = REVIEWED_STAGES.find((reviewed) => reviewed === name);
    if (stage === undefined) return [];
    const own = findings.filter(({ id }) => id.startsWith(`${OWN_CODE}-`));
    return own.map((finding) => ({ stage, finding, isNew: false }));
  });
}

/** Those that a reviewer has to answer. */
export function isOpen({ finding: { state } }: Judged): boolean {
  return state === "open" || state === "disputed";
}

/** A finding of the cycle before as it stands after what the reviewer said; `disputed`: what its author says against it. */
export function answered({ stage, finding }: Judged, answer: EarlierFinding | undefined, disputed?: string): Judged {
  const by = "reviewer";
  const replies = [
    ...(finding.replies ?? []),
    ...(disputed === undefined ? [] : [{ by: "author", text: disputed }]),
    ...(answer?.reason === undefined ? [] : [{ by, text: answer.reason }]),
  ];
  const states = { fixed: "resolved", wrong: "refuted", still: disputed === undefined ? "open" : "disputed" } as const;
  const state = states[answer?.status ?? "still"];
  return { stage, isNew: false, finding: { ...finding, state, ...(replies.length === 0 ? {} : { replies }) } };
}

/** What was found in this cycle. One that was waived or refuted before stays so. */
export function found(
  stage: ReviewedStage,
  { severity, file, line, message, fix }: ReviewFinding,
  known: readonly Judged[],
): Judged {
  const id = reviewFindingId(stage, { file, message });
  const before = known.find((judged) => judged.finding.id === id)?.finding;
  const isSettled = before?.state === "waived" || before?.state === "refuted";
  return {
    stage,
    isNew: true,
    finding: {
      id,
      code: "review",
      severity,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      message,
      ...(fix === undefined ? {} : { fix }),
      blocks: false,
      ...(isSettled && before !== undefined
        ? {
            state: before.state,
            ...(before.waiver === undefined ? {} : { waiver: before.waiver }),
            ...(before.replies === undefined ? {} : { replies: before.replies }),
          }
        : { state: "open" }),
    },
  };
}

/** A change that nothing uses is a finding like any other. */
export function notIntegrated(known: readonly Judged[]): Judged {
  const judged = found("completeness", { severity: "high", message: NOT_INTEGRATED }, known);
  return { ...judged, finding: { ...judged.finding, code: "unwired" } };
}

/** Each once: what is still there from before goes before the same found again. */
export function withoutRepeats(judged: readonly Judged[]): Judged[] {
  const seen = new Set<string>();
  return judged.filter(({ finding: { id } }) => !seen.has(id) && seen.add(id));
}

/** With what keeps the change from passing. `concerns`: whether it is about what changed since the cycle before. */
export function withBlocks(judged: Judged, { cycle, concerns }: { cycle: number; concerns: boolean }): Judged {
  const { finding, isNew } = judged;
  const isGrave = finding.severity === "critical" || finding.severity === "high";
  const isLate = isNew && cycle > 1 && finding.severity !== "critical" && !concerns;
  return { ...judged, finding: { ...finding, blocks: isOpen(judged) && isGrave && !isLate } };
}

/** A score never counts alone: what was found caps it. */
export function stageVerdict(
  score: number,
  findings: readonly GateFinding[],
): { verdict: "pass" | "fail"; score: number; uncapped?: number } {
  const blocking = findings.filter(({ blocks }) => blocks);
  const open = findings.filter(({ state }) => state === "open" || state === "disputed");
  const off = open.reduce(
    (sum, { severity }) => sum + (severity === "medium" || severity === "low" ? TAKEN_OFF[severity] : 0),
    0,
  );
  const caps = blocking.map(({ severity }) => (severity === "critical" || severity === "high" ? CAPS[severity] : 100));
  const uncapped = Math.min(score, Math.max(PASSES_AT, 100 - off));
  const capped = Math.min(uncapped, ...caps);
  const verdict = blocking.length === 0 && capped >= PASSES_AT ? "pass" : "fail";
  return { score: capped, verdict, ...(capped !== uncapped && { uncapped }) };
}

/** One answer of several reviewers, each of a share of the change: the weakest share counts. */
export function joined(answers: readonly ReviewAnswer[]): ReviewAnswer {
  const stages: ReviewAnswer["stages"] = {};
  for (const name of REVIEWED_STAGES) {
    const given = answers.map((answer) => answer.stages[name]);
    if (given.some((stage) => stage === undefined) || given.length === 0) continue;
    const all = given.filter((stage) => stage !== undefined);
    stages[name] = {
      score: Math.min(...all.map(({ score }) => score)),
      findings: all.flatMap(({ findings }) => findings),
      leftOut: all.reduce((sum, { leftOut }) => sum + leftOut, 0),
    };
  }
  const integrated = answers.map((answer) => answer.integrated);
  return {
    stages,
    integrated: integrated.includes(false) ? false : integrated.includes(undefined) ? undefined : true,
    earlier: answers.flatMap(({ earlier }) => earlier),
    problems: answers.flatMap(({ problems }) => problems),
  };
}
