/** Apart from the schemas, so that commands and pages can load them without. */
export const STAGES = [
  "syntax",
  "tests",
  "architecture",
  "simplicity",
  "errors",
  "completeness",
  "spec_compliance",
  "traceability",
  "rollout_safety",
] as const;
export type StageName = (typeof STAGES)[number];

/** Those that a reviewer scores. */
export const REVIEWED_STAGES = ["architecture", "simplicity", "errors", "completeness"] as const;
export type ReviewedStage = (typeof REVIEWED_STAGES)[number];

interface StageKind {
  /** `binary`: 100 or 0, outside the average. `weighted`: 0 to 100, by its weight. */
  kind: "binary" | "weighted";
  weight: number;
  label: string;
  /** What it looks at, in one line. */
  about: string;
}

export const STAGE_TABLE: Readonly<Record<StageName, StageKind>> = {
  syntax: { kind: "binary", weight: 0, label: "Syntax", about: "Whether the code compiles." },
  tests: { kind: "binary", weight: 20, label: "Tests", about: "Whether the tests pass." },
  architecture: { kind: "weighted", weight: 25, label: "Architecture", about: "Separation of concerns, patterns." },
  simplicity: { kind: "weighted", weight: 10, label: "Simplicity", about: "Over-engineering." },
  errors: { kind: "weighted", weight: 25, label: "Errors", about: "Error handling, security, crash safety." },
  completeness: {
    kind: "weighted",
    weight: 25,
    label: "Completeness",
    about: "Whether requirements and tests are complete.",
  },
  spec_compliance: {
    kind: "weighted",
    weight: 20,
    label: "Spec compliance",
    about: "Whether every requirement is met.",
  },
  traceability: {
    kind: "weighted",
    weight: 15,
    label: "Traceability",
    about: "Whether requirements are linked to code and tests.",
  },
  rollout_safety: {
    kind: "weighted",
    weight: 10,
    label: "Rollout safety",
    about: "Whether the change can be rolled back.",
  },
};

/** `unable`: it could not be judged, which never counts as a pass. `skipped`: it does not apply. */
export const GATE_VERDICTS = ["pass", "fail", "unable", "skipped"] as const;
export type GateVerdict = (typeof GATE_VERDICTS)[number];

export const GATE_VERDICT_WORDS: Readonly<Record<GateVerdict, string>> = {
  pass: "Passed",
  fail: "Failed",
  unable: "Not judged",
  skipped: "Skipped",
};

/** The state of a result that waits because of the quality gates, by its review code. */
export const GATE_CODE_WORDS = {
  "gate-running": "Checking",
  "gate-failed": "Gate failed",
  "gate-unable": "Not judged",
} as const;
export type GateCode = keyof typeof GATE_CODE_WORDS;

export function isGateCode(code: string | undefined): code is GateCode {
  return code !== undefined && Object.hasOwn(GATE_CODE_WORDS, code);
}

/** How a command that checks code ended. */
export const FAILURE_KINDS = ["none", "no-tests", "test-failures", "infra-failure", "timeout", "config-error"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Exit codes of `guildhall gate check`. */
export const GATE_EXIT: Readonly<Record<GateVerdict, number>> = { pass: 0, skipped: 0, fail: 1, unable: 2 };

/** The branch that a ref names. */
export const branchOf = (ref: string) => ref.replace(/^refs\/heads\//, "");
