import type { GateReason } from "../../contract/documents/quality/gate.ts";

/** What came of asking a model. */
export interface Reading {
  model: string;
  /** The run that it was asked in, where it was a run. */
  runId?: string | undefined;
  costUsd: number;
  /** Inputs of its calls of the tool that answers, oldest first. */
  values: unknown[];
  /** What it said last. */
  text: string;
  /** Why there is no answer, whatever it said. */
  unable?: GateReason | undefined;
}
