import type { CommandEvidence, DetectedCheck, GateReason } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { FailureKind } from "../../contract/words/gate-words.ts";

/** One test, as its runner reported it. */
export interface TestCase {
  /** The same for the same test in another tree: its file and full name. */
  id: string;
  name: string;
  file?: string | undefined;
  line?: number | undefined;
  status: "passed" | "failed" | "skipped";
  /** Why it failed. */
  message?: string | undefined;
  /** `missing`: it needs something that is not there. `other`: it could not even be loaded, or its set-up failed. */
  failure?: "assertion" | "missing" | "other" | undefined;
}

/** Something a compiler refused. */
export interface CodeError {
  file?: string | undefined;
  line?: number | undefined;
  message: string;
}

export interface CheckOrder {
  /** The tree that is checked. Commands and runner settings come from `base`, whatever it has. */
  tree: string;
  base: string;
  scope: "affected" | "full";
  /** Only these test files; they must be in the tree. */
  only?: readonly string[] | undefined;
  /** A selection of tests that may miss one will do. */
  isRough?: boolean | undefined;
  /** For the evidence: "syntax", "tests", "baseline", "red", "reversal", … */
  purpose: string;
  settings: QualityGates;
  timeoutMs: number;
  /** Counts up when the same check is to be run again, to see whether it is steady. */
  attempt?: number | undefined;
  signal: AbortSignal;
}

/** `unable`: it applies, and could not be carried out. `skipped`: there is nothing of the kind here. */
export interface Checked {
  verdict: "pass" | "fail" | "unable" | "skipped";
  kind: FailureKind;
  reason?: GateReason | undefined;
  evidence: CommandEvidence[];
  errors: CodeError[];
  /** Empty where the runner tells nothing of single tests. */
  tests: TestCase[];
  /** What was left out, such as submodules. */
  notes?: string[] | undefined;
  /** What a limit cut off, such as the beginning of a long output. */
  cut?: string[] | undefined;
}

/** Compilers and test runners of one repository, in the sandbox, on exact trees. Never rejects but for defects. */
export interface LocalChecks {
  detect(base: string, settings: QualityGates): Promise<DetectedCheck[]>;
  /** What the checks of a base are run with on this machine: another one once a program or an installed package is another. */
  toolchain(base: string, settings: QualityGates): Promise<string>;
  syntax(order: CheckOrder): Promise<Checked>;
  tests(order: CheckOrder): Promise<Checked>;
  /** Whether a path is a test, by the conventions of the runners that were detected. */
  isTest(path: string): boolean;
  /** Whether a path steers compilers, runners or gates. */
  isCheckSetting(path: string): boolean;
}
