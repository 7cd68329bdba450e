import type { Run } from "../../contract/runs/run.ts";
import { errorText } from "../../contract/words/error-text.ts";
import type { Judgement } from "./lifecycle-events.ts";

/** What there is to judge: a commit with where it forked off, or the folder that the run worked in. */
export type JudgedResult =
  | { kind: "branch"; repository: string; base: string; head: string }
  | { kind: "folder"; folder: string };

/**
 * Judges a completed result between the moment it is handed in and the moment it counts. Asked again for the same result
 * after a crash. What it cannot judge it calls `unable`, never `pass`.
 */
export interface Gatekeeper {
  judge(run: Run, result: JudgedResult): Promise<Judgement>;
}

/** Without gates every completed result passes. */
export const noGates: Gatekeeper = { judge: async () => ({ is: "pass" }) };

/** A gate that throws has not judged. */
export async function judged(gates: Gatekeeper, run: Run, result: JudgedResult): Promise<Judgement> {
  try {
    return await gates.judge(run, result);
  } catch (error) {
    return { is: "unable", reason: errorText(error) };
  }
}
