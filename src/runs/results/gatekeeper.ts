import type { Run } from "../../contract/runs/run.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { Attachment } from "../../workspace/attachments.ts";
import type { Change } from "../../workspace/change.ts";
import type { Approval } from "./delivery-place.ts";
import type { Judgement, Moved, Passed } from "./lifecycle-events.ts";

/** What there is to judge: a commit with where it forked off and the paths that differ, or the folder that the run worked in. */
export type JudgedResult =
  | { kind: "branch"; repository: string; base: string; head: string; files: readonly string[] }
  | { kind: "folder"; folder: string };

/** A result that a person approved, and that would become something else than what was judged. */
export interface HeldBack {
  moved: Moved;
  approval: Approval;
}

/**
 * Judges a completed result between the moment it is handed in and the moment it counts. Asked again for the same result
 * after a crash. What it cannot judge it calls `unable`, never `pass`.
 */
export interface Gatekeeper {
  judge(run: Run, result: JudgedResult): Promise<Judgement>;
  /** Undefined where gates have no say in what a person approves. */
  passed(run: Run): Passed | undefined;
  /** Judges it as it would be merged now, and has it merged with this approval once that passes. Durable when it resolves. */
  judgeAgain(run: Run, held: HeldBack, change: Change): Promise<void>;
}

/** Where results are judged. A floor above answers. */
export class Gates extends Attachment<Gatekeeper> implements Gatekeeper {
  judge(run: Run, result: JudgedResult): Promise<Judgement> {
    return this.part.judge(run, result);
  }

  passed(run: Run): Passed | undefined {
    return this.part.passed(run);
  }

  judgeAgain(run: Run, held: HeldBack, change: Change): Promise<void> {
    return this.part.judgeAgain(run, held, change);
  }
}

/** A gate that throws has not judged. */
export async function judged(gates: Gatekeeper, run: Run, result: JudgedResult): Promise<Judgement> {
  try {
    return await gates.judge(run, result);
  } catch (error) {
    return { is: "unable", reason: errorText(error) };
  }
}
