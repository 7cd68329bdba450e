import type { ControlFile } from "../contract/control-file.ts";
import type { Run, RunBranch, RunChanges } from "../contract/run.ts";
import type { ReviewFinding } from "../contract/run-review.ts";
import type { TaskStatus } from "../contract/task-status.ts";
import { controlReason, controlStanding } from "./control-standing.ts";

/**
 * What becomes of a run's result and of its task. Everything that decides about either asks here; what follows from an
 * answer (merging, moving a task, writing it down) is done elsewhere.
 */

export type ResultState = RunBranch["state"] | RunChanges["state"];

type Ended = Exclude<Run["status"], "pending" | "running">;

/** What a project asks for. */
export interface ResultPolicy {
  requiresReview: boolean;
}

/** What a run left where it worked. */
export interface Evidence {
  /** In a folder, what it changed is there and in effect; on a branch it is nowhere else yet. */
  place: "branch" | "folder";
  /** `unknown`: checkpoints are missing. */
  changed: "nothing" | "something" | "unknown";
  controlFiles: readonly ControlFile[];
}

/** What the gates say of a result. */
export type Judgement =
  | { is: "pass" }
  | { is: "fail"; findings: readonly ReviewFinding[] }
  | { is: "unable"; reason: string };

/** How a result stands that is not to be delivered. */
export type Standing = Pick<RunChanges, "reason" | "reasonCode" | "controlFiles" | "controlFileCount" | "findings"> & {
  state: "unchanged" | "review" | "kept";
  files?: 0;
};

const CHANGED_NOTHING = "it changed nothing; the project asks for a review";
const UNKNOWN_CHANGES =
  "checkpoints of it are missing, so what it changed is not known; look through the folder before you approve";
const MOST_FINDINGS = 100;

/**
 * A run has handed in what it did. `judge`: nothing speaks against it so far, so the gates decide, and `afterGates` what
 * follows.
 */
export function handedIn(status: Ended, evidence: Evidence, policy: ResultPolicy): Standing | "judge" {
  const { place, changed, controlFiles } = evidence;
  const control = {
    ...{ state: "review" as const, reasonCode: "control-files" as const, reason: controlReason(controlFiles) },
    ...controlStanding(controlFiles),
  };
  if (place === "folder" && controlFiles.length > 0) return control;
  // Control files may be among what nobody can name.
  if (changed === "unknown") return { state: "review", reasonCode: "changes-unknown", reason: UNKNOWN_CHANGES };
  if (changed === "nothing")
    // "Done", with nothing changed, is what a person may well want to send back.
    return status === "completed" && policy.requiresReview
      ? { state: "review", reasonCode: "no-changes", reason: CHANGED_NOTHING, files: 0 }
      : { state: "unchanged" };
  if (status !== "completed")
    return { state: "kept", reason: status === "failed" ? "the run failed" : "the run was stopped" };
  return controlFiles.length > 0 ? control : "judge";
}

/** `deliver`: it counts, and is merged; in a folder it is where it belongs already. */
export function afterGates(judgement: Judgement, policy: ResultPolicy): Standing | "deliver" {
  if (judgement.is === "fail") {
    const { findings } = judgement;
    const [first] = findings;
    const more = findings.length > 1 ? ` and ${findings.length - 1} more` : "";
    const reason = `the quality gates failed${first === undefined ? "" : `: ${first.message}${more}`}`;
    return { state: "review", reasonCode: "gate-failed", reason, findings: findings.slice(0, MOST_FINDINGS) };
  }
  if (judgement.is === "unable")
    return {
      state: "review",
      reasonCode: "gate-unable",
      reason: `the quality gates could not judge it: ${judgement.reason}`,
    };
  return policy.requiresReview
    ? { state: "review", reasonCode: "required", reason: "the project asks for a review" }
    : "deliver";
}

/** Where a task goes when the run that works on it is over. */
export function taskAfterRun(
  task: TaskStatus,
  { status, state }: { status: Run["status"]; state: ResultState | undefined },
  policy: ResultPolicy,
): TaskStatus {
  if (task !== "in-progress") return task;
  if (status === "failed") return "failed";
  if (status === "cancelled") return "pending";
  return state === "review" || policy.requiresReview ? "review" : "done";
}

/** Where a task goes that an agent says is done, without a run of its own. */
export function taskWhenCompleted(policy: ResultPolicy): "review" | "done" {
  return policy.requiresReview ? "review" : "done";
}

export type Decision = "approved" | "rejected" | "reverted";

/** How a result must stand for a decision about it. */
const DECIDABLE: Record<Decision, Record<Evidence["place"], readonly ResultState[]>> = {
  // What waits for a person, and what a run left that did not complete.
  approved: { branch: ["review", "kept"], folder: ["review", "kept"] },
  rejected: { branch: ["review", "kept"], folder: ["review", "kept"] },
  // On a branch there is nothing to revert before it is merged; in a folder everything is in effect.
  reverted: { branch: ["merged"], folder: ["applied", "review", "kept", "rejected"] },
};

export function canDecide(decision: Decision, { place, state }: { place: Evidence["place"]; state: ResultState }) {
  return DECIDABLE[decision][place].includes(state);
}

/** The ways a task can take after a decision: from the first status, over the others. */
export function taskPathsAfter(decision: Decision, { status }: Pick<Run, "status">): TaskStatus[][] {
  switch (decision) {
    case "approved":
      // Of a run that failed or was cancelled, what it did is taken as it is.
      return status === "completed"
        ? [["review", "done"]]
        : [
            ["failed", "in-progress", "done"],
            ["pending", "in-progress", "done"],
          ];
    case "reverted":
      // It has to be done again, by nobody yet.
      return [
        ["done", "in-progress", "pending"],
        ["review", "in-progress", "pending"],
      ];
    case "rejected":
      return [];
  }
}

/** Whether a run that is over did nothing with the result that it was to continue, which then waits for review again. */
export function didNotContinue({ status, usage, changes }: Pick<Run, "status" | "usage" | "changes">): boolean {
  return status !== "completed" && (usage.turns === 0 || changes?.state === "unchanged");
}

/** Whether a result waits no longer when someone else starts work on its task. It is kept, and can still be decided. */
export function isSuperseded({ branch, changes }: Pick<Run, "branch" | "changes">): boolean {
  if ((branch ?? changes)?.state !== "review") return false;
  // What it changed is in the folder and controls the person's tools from there, or may do so.
  return changes === undefined || (changes.controlFiles === undefined && changes.reasonCode !== "changes-unknown");
}
