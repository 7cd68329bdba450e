import type { GateEvidence, GateFinding, GateReason, GateReport } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { GateVerdict, ReviewedStage } from "../../contract/words/gate-words.ts";
import type { LocalChecks } from "../checks/local-checks.ts";
import type { TreeChange, TreeSource } from "../trees/tree-source.ts";

/** What is judged: the difference between two trees of a repository, and what it is meant to be. */
export interface GateSubject {
  trees: TreeSource;
  checks: LocalChecks;
  /** A commit, and its tree. */
  base: string;
  baseTree: string;
  /** Absent where the tree is not committed. */
  head?: string | undefined;
  tree: string;
  changes: readonly TreeChange[];
  settings: QualityGates;
  cycle: number;
  /** The newest report of an earlier cycle that reviewers came to a verdict in. */
  before?: GateReport | undefined;
  projectId?: string | undefined;
  run?: Run | undefined;
  task?: Task | undefined;
  /** Of the task, or inferred. */
  type: TaskType;
  /** The text with the requirements; absent outside spec-driven work. */
  spec?: string | undefined;
  signal: AbortSignal;
}

/** How one stage was judged. A score is null where nothing was scored. */
export interface StageOutcome {
  verdict: GateVerdict;
  score: number | null;
  /** The score without what findings that block take off it; as the score unless given. */
  uncapped?: number | undefined;
  /** Why it is not judged; of a failure, what of it could not be judged beside. */
  reason?: GateReason | undefined;
  findings: GateFinding[];
  evidence: GateEvidence[];
  /** What a limit left out, such as parts of a large diff. */
  cut?: readonly string[] | undefined;
  costUsd?: number | undefined;
}

/** One judge per part of the pipeline. None rejects but for defects, which make the gate `unable`. */
export interface Judges {
  syntax(subject: GateSubject): Promise<StageOutcome>;
  tests(subject: GateSubject): Promise<StageOutcome>;
  /** Red before green, weakened tests, changed gate settings, reversals: counts for completeness. */
  proof(subject: GateSubject): Promise<StageOutcome>;
  /** Undefined: without reviewers. */
  review: ((subject: GateSubject) => Promise<Record<ReviewedStage, StageOutcome>>) | undefined;
  specCompliance(subject: GateSubject): Promise<StageOutcome>;
  traceability(subject: GateSubject): Promise<StageOutcome>;
  rolloutSafety(subject: GateSubject): Promise<StageOutcome>;
}
