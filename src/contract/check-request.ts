import type { GateReport } from "./documents/quality/gate.ts";

/** A change in the folder of a repository that is judged without a daemon. */
export interface CheckRequest {
  workspace: string;
  /** Where the person runs the command. */
  folder: string;
  base?: string | undefined;
  head?: string | undefined;
  isDryRun: boolean;
  /** Hears of every stage. */
  onStage: (report: GateReport) => void;
  signal: AbortSignal;
}
