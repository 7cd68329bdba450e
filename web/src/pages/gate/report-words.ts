import type {
  CommandEvidence,
  GateFinding,
  GateReason,
  GateReport,
} from "../../../../src/contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../../../src/contract/documents/quality/integration-check.ts";
import type { FailureKind } from "../../../../src/contract/words/gate-words.ts";
import { findingPlace } from "../../../../src/contract/words/review-words.ts";
import { plural } from "../../ui/figures.tsx";
import { findingsOf, isBlocking, type PlacedFinding, shownStages, stageLabel, worstFirst } from "./report-model.ts";

/** The least score with which a weighted stage passes. */
const STAGE_PASSES = 70;

const REASONS: Record<GateReason["code"], string> = {
  off: "Turned off.",
  "not-code": "Not a code task.",
  "no-changes": "No changes to check.",
  "early-exit": "Not run: an earlier stage failed.",
  "no-spec": "No spec.",
  disabled: "",
  "no-model": "No model available for reviews.",
  "not-detected": "No command found to run.",
  "nothing-ran": "Neither syntax nor tests could be checked.",
  "no-tests": "No tests ran.",
  "infra-failure": "The command could not run.",
  timeout: "Timed out.",
  "config-error": "The command is set up incorrectly.",
  "tree-changed": "A check changed the files it was judging.",
  "no-sandbox": "No sandbox available.",
  "unreadable-answer": "The reviewer's answer could not be read.",
  "no-review": "The reviewer submitted no review.",
  "red-unclear": "The new tests fail without the change for an unrelated reason.",
  budget: "The budget is used up.",
  failed: "The check itself failed.",
  cancelled: "Cancelled.",
  interrupted: "Interrupted before it finished.",
  "no-git": "Not in a git repository.",
  "dry-run": "Not run: only shown what would be checked.",
};

/** Why something was skipped or not judged, with the detail where there is one. */
export function reasonWords({ code, text }: GateReason): string {
  const detail = text.trim();
  return `${REASONS[code]} ${detail}`.trim();
}

export const STATE_WORDS: Record<GateFinding["state"], string> = {
  open: "Open",
  refuted: "Refuted",
  resolved: "Resolved",
  waived: "Waived",
  disputed: "Disputed",
};

export const STATE_HINTS: Record<GateFinding["state"], string> = {
  open: "It counts.",
  refuted: "A second look found it wrong.",
  resolved: "A later cycle fixed it.",
  waived: "A person accepted it.",
  disputed: "Its author disagrees; another reviewer decides.",
};

export const FAILURE_WORDS: Record<FailureKind, string> = {
  none: "Passed",
  "no-tests": "No tests ran",
  "test-failures": "Tests failed",
  "infra-failure": "Could not run",
  timeout: "Timed out",
  "config-error": "Set up incorrectly",
};

/** What stopped the change, or that nothing did, in one sentence. */
export function outcomeWords(gate: GateReport): string {
  if (gate.state === "running") return runningWords(gate);
  switch (gate.verdict) {
    case "pass":
      return passWords(gate);
    case "fail":
      return failWords(gate);
    case "skipped":
      return gate.reason === undefined ? "Nothing to judge." : reasonWords(gate.reason);
    default:
      return unableWords(gate);
  }
}

function runningWords(gate: GateReport): string {
  const stages = shownStages(gate);
  const at = stages.findIndex(({ progress }) => progress === "running");
  const stage = stages[at];
  return stage === undefined ? "Finishing." : `Stage ${at + 1} of ${stages.length}: ${stageLabel(stage.name)}.`;
}

function passWords({ stages, score, threshold }: GateReport): string {
  const passed = stages.filter(({ verdict }) => verdict === "pass").length;
  const scored = score === null ? "" : ` Score ${scoreText(score)}, required ${scoreText(threshold)}.`;
  return `${plural(passed, "stage")} passed.${scored}`;
}

function failWords(gate: GateReport): string {
  const { stages, score, threshold } = gate;
  const binary = stages.find(({ kind, verdict }) => kind === "binary" && verdict === "fail");
  const blocking = findingsOf(gate).filter(isBlocking);
  if (binary !== undefined) {
    const label = stageLabel(binary.name);
    const own = blocking.filter(({ from }) => from === label);
    return `${label} failed${own.length === 0 ? "." : `: ${worst(own)}`}`;
  }
  if (blocking.length > 0) return blockers(blocking);
  const low = stages.find(({ verdict }) => verdict === "fail");
  if (low !== undefined && low.score !== null)
    return `${stageLabel(low.name)} scored ${scoreText(low.score)}, required ${STAGE_PASSES}.`;
  if (score !== null && score < threshold) return `Score ${scoreText(score)}, required ${scoreText(threshold)}.`;
  return gate.reason === undefined ? "A stage failed." : reasonWords(gate.reason);
}

function blockers(findings: readonly PlacedFinding[]): string {
  const count = plural(findings.length, "blocking finding");
  return findings.length === 1 ? `${count}: ${worst(findings)}` : `${count}. Worst: ${worst(findings, false)}`;
}

/** The first one with its place, and how many more there are. */
function worst(findings: readonly PlacedFinding[], withCount = true): string {
  const [first] = findings;
  if (first === undefined) return "";
  const place = findingPlace(first);
  const more = withCount && findings.length > 1 ? `, and ${findings.length - 1} more` : "";
  return `${firstSentence(first.message)}${place === "" ? "" : ` (${place})`}${more}.`;
}

const LONGEST = 160;

function firstSentence(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed().trimEnd()}…` : line;
  return cut.replace(/[.!?]+$/, "");
}

function unableWords({ reason, stages }: GateReport): string {
  if (reason !== undefined) return reasonWords(reason);
  const stage = stages.find(({ verdict }) => verdict === "unable");
  if (stage === undefined) return "It could not be judged.";
  return `${stageLabel(stage.name)} could not be judged. ${stage.reason === undefined ? "" : reasonWords(stage.reason)}`.trim();
}

const STEP_LABELS: Readonly<Record<IntegrationCheck["steps"][number]["name"], string>> = {
  merge: "Merge",
  typecheck: "Type check",
  conflicts: "Conflicts",
  tests: "Full test suite",
  wiring: "Wiring of new files",
  bisect: "Bisect",
};

export function stepLabel(name: string): string {
  return (STEP_LABELS as Readonly<Record<string, string>>)[name] ?? name;
}

export function integrationOutcome(check: IntegrationCheck): string {
  const { state, verdict, steps, reason } = check;
  if (state === "running") return `Running: ${stepLabel(steps.at(-1)?.name ?? "merge")}.`;
  const blocking = worstFirst(steps, stepLabel).filter(isBlocking);
  if (verdict === "fail" && check.firstBroken !== undefined) return `Broken since ${check.firstBroken}.`;
  if (verdict === "fail" && blocking.length > 0) return blockers(blocking);
  if (reason !== undefined) return reasonWords(reason);
  const bad = steps.find((step) => step.verdict === verdict && verdict !== "pass");
  if (bad !== undefined)
    return `${stepLabel(bad.name)}: ${bad.reason === undefined ? "failed." : reasonWords(bad.reason)}`;
  return `${plural(steps.filter((step) => step.verdict === "pass").length, "step")} passed.`;
}

export function scoreText(score: number): string {
  return Number.isInteger(score) ? String(score) : score.toFixed(1);
}

const PURPOSES: Readonly<Record<string, string>> = {
  syntax: "Syntax",
  tests: "Tests",
  baseline: "Tests on the base",
  red: "New tests without the change",
  reversal: "Tests with a part reverted",
  review: "Review",
  refute: "Second look at findings",
  dispute: "Decision on a dispute",
};

export function purposeWords(purpose: string): string {
  return PURPOSES[purpose] ?? purpose;
}

/** How many tests came out how; empty where they were not counted. */
export function testWords({ tests }: Pick<CommandEvidence, "tests">): string {
  if (tests === undefined) return "";
  const parts: [number, string][] = [
    [tests.passed, "passed"],
    [tests.failed, "failed"],
    [tests.skipped, "skipped"],
    [tests.known, "known failures"],
    [tests.unsteady, "unsteady"],
  ];
  return parts
    .filter(([count], at) => count > 0 || at === 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
}
