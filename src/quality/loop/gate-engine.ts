import type { GateReport } from "../../contract/documents/quality/gate.ts";
import type { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Run } from "../../contract/runs/run.ts";

/** What is judged, and under which id. */
export interface GateOrder {
  gateId: string;
  run: Run;
  /** Commits. */
  base: string;
  head: string;
  /** The commit of the target that it is judged together with, where that moved. */
  onto?: string | undefined;
  /** The gate that passed before the target moved. */
  passed?: string | undefined;
  cycle: number;
  /** The gates of the cycles before, the oldest first. */
  earlier: readonly string[];
}

/** What the review loop needs of the gates. */
export interface GateEngine {
  /**
   * Under one id a tree is judged once: a finished report is answered as it is. What it cannot judge is `unable`. Rejects only
   * for defects, and when it is stopped.
   */
  judge(order: GateOrder, signal: AbortSignal): Promise<GateReport>;
  /** A report of before; undefined where it is gone or can't be read. */
  report(gateId: string): GateReport | undefined;
  /** The hall's settings with those of the project. */
  settingsOf(projectId: string): QualityGates;
}
