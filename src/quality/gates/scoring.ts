import type { GateFinding, GateReason, GateStage } from "../../contract/documents/quality/gate.ts";
import { type GateVerdict, STAGE_TABLE, type StageName } from "../../contract/words/gate-words.ts";
import type { StageOutcome } from "./subject.ts";

/** What a weighted stage needs to pass, whatever the threshold of the whole. */
const LEAST_SCORE = 70;
/** What a stage can have at most while such a finding keeps it from passing. */
const CAPS: Partial<Record<GateFinding["severity"], number>> = { critical: 40, high: 65 };

/** How the whole was judged. */
export interface Judged {
  verdict: GateVerdict;
  score: number | null;
  reason?: GateReason | undefined;
}

/** Whether it keeps the change from passing as it is now. */
export function isBlocking({ blocks, state }: GateFinding): boolean {
  return blocks && (state === "open" || state === "disputed");
}

export function emptyStage(name: StageName): GateStage {
  const { kind, weight } = STAGE_TABLE[name];
  return { name, kind, weight, score: null, findings: [], evidence: [] };
}

/** A stage as its judge left it, with the rules that hold for every stage. */
export function settledStage(name: StageName, outcome: StageOutcome): GateStage {
  const stage = emptyStage(name);
  const findings = outcome.findings.map((finding) => ({ ...finding, blocks: isBlocking(finding) }));
  const isBlocked = findings.some(({ blocks }) => blocks);
  const about = { findings, evidence: outcome.evidence };
  const reason = outcome.reason === undefined ? {} : { reason: outcome.reason };
  if (!isBlocked && (outcome.verdict === "unable" || outcome.verdict === "skipped"))
    return { ...stage, ...about, ...reason, verdict: outcome.verdict };
  if (stage.kind === "binary") {
    const verdict = isBlocked ? "fail" : outcome.verdict;
    return { ...stage, ...about, ...reason, verdict, score: verdict === "pass" ? 100 : 0 };
  }
  const raw = outcome.uncapped ?? outcome.score;
  // What is no number was not scored, whoever says so.
  if (raw !== null && !Number.isFinite(raw) && !isBlocked)
    return {
      ...stage,
      ...about,
      verdict: "unable",
      reason: { code: "unreadable-answer", text: "The score is not a number." },
    };
  const whole = raw === null || !Number.isFinite(raw) ? null : Math.min(100, Math.max(0, raw));
  const score = capped(whole, findings);
  const hasPassed = outcome.verdict === "pass" && !isBlocked && (score === null || score >= LEAST_SCORE);
  return {
    ...{ ...stage, ...about, ...reason, score },
    verdict: hasPassed ? "pass" : "fail",
    ...(whole !== null && score !== whole && { uncapped: whole }),
  };
}

function capped(score: number | null, findings: readonly GateFinding[]): number | null {
  const caps = findings.filter(({ blocks }) => blocks).map(({ severity }) => CAPS[severity] ?? 100);
  return score === null ? null : Math.min(score, ...caps);
}

/** Proof and review both judge completeness: neither can make up for what the other found. */
export function mergedOutcome(proof: StageOutcome, review: StageOutcome): StageOutcome {
  const both = [proof, review];
  const verdicts = both.map(({ verdict }) => verdict);
  const worst = (["fail", "unable", "pass", "skipped"] as const).find((verdict) => verdicts.includes(verdict));
  const reasonOf = (of: GateVerdict | undefined) => both.find(({ verdict }) => verdict === of)?.reason;
  // What one of them could not judge is kept also where the other failed: a waiver may take that failure away.
  const reason = reasonOf(worst) ?? reasonOf("unable");
  const scores = both.flatMap(({ score, uncapped }) => (score === null ? [] : [uncapped ?? score]));
  return {
    verdict: worst ?? "skipped",
    score: scores.length === 0 ? null : Math.min(...scores),
    ...(reason !== undefined && { reason }),
    findings: both.flatMap(({ findings }) => findings),
    evidence: both.flatMap(({ evidence }) => evidence),
    cut: both.flatMap(({ cut = [] }) => cut),
    costUsd: both.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
  };
}

/** The average of the weighted stages that were scored, by their weights; null where none was. */
export function aggregateScore(stages: readonly GateStage[]): number | null {
  const scored = stages.flatMap(({ kind, verdict, score, weight }) =>
    kind === "weighted" && hasRun(verdict) && score !== null && weight > 0 ? [{ score, weight }] : [],
  );
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return null;
  const average = scored.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights;
  // Rounded down: what is not quite enough must not look, and count, as if it were.
  return Math.floor(average * 100 + 1e-6) / 100;
}

/** Only a change that was judged, and has nothing against it, passes. */
export function judgedBy(stages: readonly GateStage[], threshold: number): Judged {
  const score = aggregateScore(stages);
  const failed = stages.find(({ verdict }) => verdict === "fail");
  if (failed !== undefined) return { verdict: "fail", score };
  const unable = stages.find(({ verdict }) => verdict === "unable" || verdict === undefined);
  if (unable !== undefined) return { verdict: "unable", score, reason: unable.reason ?? NOT_FINISHED };
  if (!stages.some(({ kind, verdict }) => kind === "binary" && hasRun(verdict)))
    return { verdict: "unable", score, reason: NOTHING_RAN };
  const left = stages.find(({ verdict, reason }) => verdict === "skipped" && reason && LEFT_OUT.has(reason.code));
  if (left?.reason !== undefined) return { verdict: "unable", score, reason: left.reason };
  return { verdict: score !== null && score < threshold ? "fail" : "pass", score };
}

const NOT_FINISHED: GateReason = { code: "failed", text: "Not every stage was judged." };
const NOTHING_RAN: GateReason = {
  code: "nothing-ran",
  text: "Neither the syntax check nor the tests ran, so nothing shows that the code works.",
};
/** Why a stage was skipped that would have been judged otherwise. */
const LEFT_OUT: ReadonlySet<GateReason["code"]> = new Set(["early-exit", "cancelled"]);

function hasRun(verdict: GateVerdict | undefined): boolean {
  return verdict === "pass" || verdict === "fail";
}
