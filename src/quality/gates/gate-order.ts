import type { GateReport } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Change } from "../../workspace/change.ts";
import type { Earlier } from "./earlier-reports.ts";
import type { Ground, Span } from "./ground.ts";

/** What is to be judged, once everything about it is known. */
export interface GateOrder extends Earlier {
  /** A finished report of this id is the answer; one that was interrupted is judged again. */
  id: string;
  ground: Ground;
  span: Span;
  title: string;
  /** The commit of a target that moved, which the span begins with. */
  onto?: string | undefined;
  /** The report that passed before the target moved: only what that can break is judged again. */
  kept?: GateReport | undefined;
  projectId?: string | undefined;
  run?: Run | undefined;
  task?: Task | undefined;
  type: TaskType;
  spec?: string | undefined;
  settings: QualityGates;
  /** What the checks are run with. */
  toolchain: string;
  cycle: number;
  /** Whether reviewers are asked. */
  hasReview: boolean;
  /** Judged again although it was before. */
  isForced: boolean;
  change: Change;
  /** Aborted with LEFT it is judged later; else nobody wants to know any more, and its reviewers stop. */
  signal?: AbortSignal | undefined;
}
