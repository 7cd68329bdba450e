import type { ControlFile } from "../../contract/documents/control-file.ts";
import type { MergeMethod } from "../../contract/documents/merge-method.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { BranchDelivery, Delivery, DeliveryGate, Discard, ReviewCode } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { ReviewFinding } from "../../contract/runs/run-review.ts";

export type EndedStatus = Exclude<Run["status"], "pending" | "running">;

/** What has to happen before a result counts, by what its project asks for and by what the run is for. */
export interface ResultPolicy {
  requiresReview: boolean;
  /** A merge commit unless given. */
  mergeMethod?: MergeMethod;
  /** Whose branch it goes into; a person's unless given. Files that steer a person's tools are looked at where they reach one. */
  target?: "person" | "team";
  /**
   * Who made it; the run alone unless given. What a team made counts also where the run that delivers it failed, and goes back to
   * the team where a person wants changes.
   */
  author?: "run" | "team";
}

/** How a result got into its branch. */
export type HowMerged = Pick<BranchDelivery, "squashed" | "keepsBranch">;

/** What a run left where it worked. */
export interface Evidence {
  /** `unknown`: checkpoints are missing. */
  changed: "nothing" | "something" | "unknown";
  controlFiles: readonly ControlFile[];
  counts?: Pick<Delivery, "files" | "additions" | "deletions">;
}

/** What the gates say of a result. `later`: they will say it when its run is over. */
export type Judgement = { gate?: DeliveryGate | undefined } & (
  | { is: "pass" }
  | { is: "fail"; findings: readonly ReviewFinding[] }
  | { is: "unable"; reason: string }
  | { is: "later" }
);

/** `head`: the commit that was judged. `onto`: the one of the target that it was judged together with, if so. */
export interface Late {
  judgement: Judgement;
  head: string;
  onto?: string | undefined;
}

/** What was judged of a result that passed. */
export type Passed = Pick<Late, "head" | "onto">;

/** What is there by now instead of what was judged: another commit of the branch, or of its target. */
export type Moved = { head: string; base: string } | { onto: string };

/** What became of a result; or that what was judged is not what would count, or that git can't tell. */
export type AfterJudgement = Delivery | { moved: Moved } | { unable: string };

export type Decision = "approve" | "reject" | "revert" | "discard" | "restore";
export type RunPart = Pick<Run, "id" | "status" | "purpose" | "usage" | "parentRunId" | "delivery" | "result">;

export interface Subject {
  run?: RunPart | undefined;
  /** Where its task is; absent where the task is not this run's. */
  task?: TaskStatus | undefined;
}

/** What depends on what the project asks for. */
export type PolicyEvent =
  /** A run has ended and handed in what it did. */
  | ({ type: "handed-in"; status: EndedStatus } & Evidence)
  /** The gates have looked at it. */
  | { type: "judged"; judgement: Judgement }
  /** The run is over, and its result is where it goes. `before`: the run whose result it was to continue. */
  | { type: "ended"; before?: RunPart | undefined }
  /** Someone says that a task is done that no run works on. */
  | { type: "task-completed"; by: "person" | "agent" };

export type PlainEvent =
  | ({ type: "merged"; commit: string } & HowMerged)
  /** It could not be merged, or it turned out that it may not be. */
  | { type: "blocked"; reasonCode: ReviewCode; reason: string; controlFiles?: readonly ControlFile[] }
  /** It could not be saved where it belongs. */
  | { type: "unsaved"; status: EndedStatus; reasonCode: ReviewCode; reason: string }
  /** Someone wants to decide about it. `at`: now, for an undo, which expires. */
  | { type: Decision; at?: string }
  /** It is decided. `isResumed`: a crash may have come between two moves of the task. */
  | ({ type: "approved"; isNothing?: boolean; merge?: string | undefined; isResumed?: boolean } & HowMerged)
  /** `next`: the run that continues it; a team continues what it delivered with runs of its own. */
  | { type: "rejected"; next?: string; isResumed?: boolean }
  | { type: "reverted"; reason?: string | undefined; commit?: string | undefined; isResumed?: boolean }
  | {
      type: "discarded";
      discard: Omit<Discard, "from">;
      reason?: string | undefined;
      isResumed?: boolean;
    }
  /** A discard was undone. `by`: the run that has its task meanwhile. */
  | { type: "restored"; by?: string | undefined; isResumed?: boolean; discard?: Discard | undefined }
  /** A person does not want it improved any more. */
  | { type: "given-up" }
  /** Another run works on its task. */
  | { type: "superseded"; by: string }
  /** The run that was to continue it ended before it changed anything. */
  | { type: "returned"; from: string }
  | { type: "cancel" }
  /** `before`: the run whose result it was to continue. */
  | { type: "retry"; before?: RunPart | undefined };

/**
 * `judge`: nothing speaks against the result so far, so the gates decide. `deliver`: it is merged; in a folder it is in place.
 * `take-back`: it is undone. `start-next`: a run starts that continues it. `clean-up`: its workplace is not needed any more.
 * `discard`: its branch is deleted, or its files are rolled back. `restore`: a discard is undone.
 * `give-back`: the result it was to continue waits for review again. `continue`: a retry continues that result. `stop`: it ends.
 */
export type Effect =
  | "judge"
  | "deliver"
  | "take-back"
  | "start-next"
  | "clean-up"
  | "discard"
  | "restore"
  | "give-back"
  | "continue"
  | "stop";

/**
 * Why nothing happens: the run is over, is not over, or is part of another one; nothing was handed in; its state; or the time to
 * undo has expired.
 */
export type Refusal = "over" | "not-over" | "part-of-another" | "no-result" | "state" | "expired";

export interface Step {
  /** As it is afterwards; absent where it stays as it is. */
  delivery?: Delivery;
  /** What the task becomes, one move after the other. */
  moves: TaskStatus[];
  effects: Effect[];
  refused?: Refusal;
}
