import { REHEARSED, type TaskStatus } from "../../contract/documents/task-status.ts";
import type { Delivery, DeliveryState, Discard } from "../../contract/runs/delivery.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { controlStanding } from "./control-standing.ts";
import { deliveryAfter, standingAtEnd } from "./delivery-after.ts";
import type {
  Decision,
  Effect,
  EndedStatus,
  Evidence,
  PlainEvent,
  PolicyEvent,
  Refusal,
  ResultPolicy,
  RunPart,
  Step,
  Subject,
} from "./lifecycle-events.ts";

const NOTHING: Step = { moves: [], effects: [] };

/**
 * What becomes of a run, of what it changed and of its task. Everything that decides about them asks here; carrying out what follows
 * (merging, writing it down, moving the task) is done elsewhere.
 */
export function decide(subject: Subject, event: PlainEvent): Step;
export function decide(subject: Subject, event: PolicyEvent, policy: ResultPolicy): Step;
export function decide({ run, task }: Subject, event: PlainEvent | PolicyEvent, policy?: ResultPolicy): Step {
  const requiresReview = policy?.requiresReview ?? true;
  if (event.type === "task-completed")
    return { moves: [event.by === "agent" && requiresReview ? "review" : "done"], effects: [] };
  if (run === undefined) return NOTHING;
  switch (event.type) {
    case "handed-in":
      return submitted(run, event, policy?.author === "team");
    case "ended":
      return ended(run, { task, before: event.before, requiresReview });
    case "cancel":
      return isOver(run) ? refuse("over") : { moves: [], effects: ["stop"] };
    case "retry":
      return retried(run, event.before);
    case "approve":
    case "reject":
    case "revert":
    case "discard":
    case "restore":
      return wanted(run.delivery, event);
    default: {
      if (run.delivery === undefined) return NOTHING;
      const delivery = deliveryAfter(run.delivery, event, requiresReview);
      if (delivery === "deliver") return { moves: [], effects: ["deliver"] };
      const follows = FOLLOWS_DECIDED[event.type];
      const effects = follows === undefined || delivery === undefined ? [] : [follows];
      return { ...(delivery === undefined ? {} : { delivery }), moves: movesAfter(run, { task, event }), effects };
    }
  }
}

function refuse(refused: Refusal): Step {
  return { ...NOTHING, refused };
}

function submitted(run: RunPart, event: Evidence & { status: EndedStatus }, isOfTeam: boolean): Step {
  const { delivery: known } = run;
  const { controlFiles, counts = {} } = event;
  // A review and a run that cannot write leave nothing, and what a part of another run did belongs to that one.
  if (run.purpose === "review" || known === undefined) return NOTHING;
  const seen = { ...known, ...counts };
  const status = isOfTeam && event.status === "failed" ? "completed" : event.status;
  const standing = standingAtEnd(status, { ...event, kind: seen.kind });
  if (standing === "judge") return { delivery: seen, moves: [], effects: ["judge"] };
  return { delivery: { ...seen, ...controlStanding(controlFiles), ...standing }, moves: [], effects: [] };
}

interface Ended {
  task: TaskStatus | undefined;
  before: RunPart | undefined;
  requiresReview: boolean;
}

/** Where a task goes that a person has moved meanwhile: nowhere. */
function ended(run: RunPart, { task, before, requiresReview }: Ended): Step {
  const { status, delivery } = run;
  const goes = (to: TaskStatus): TaskStatus[] => (task === "in-progress" ? [to] : []);
  const isRehearsal = run.result?.outcome === REHEARSED;
  // What a folder holds then is the result of the run before it, which is not approved.
  const leftAsItWas = status !== "completed" || isRehearsal || delivery?.kind === "folder";
  if (leftAsItWas && changedNothing(run) && isWaitingFor(before, run)) {
    const unchanged = delivery === undefined ? {} : { delivery: unchangedOf(delivery) };
    return { ...unchanged, moves: goes("review"), effects: ["give-back"] };
  }
  if (status === "failed") return { moves: goes("failed"), effects: [] };
  if (status === "cancelled" || isRehearsal) return { moves: goes("pending"), effects: [] };
  // There is nothing to review.
  if (delivery === undefined || delivery.state === "unchanged") return { moves: goes("done"), effects: [] };
  return { moves: goes(delivery.state === "review" || requiresReview ? "review" : "done"), effects: [] };
}

function changedNothing({ usage, delivery }: RunPart): boolean {
  return usage.turns === 0 || delivery?.state === "unchanged";
}

function isWaitingFor(before: RunPart | undefined, run: RunPart): boolean {
  return before?.delivery?.state === "rejected" && before.delivery.next === run.id;
}

/** Nothing was left to decide about. */
export function unchangedOf(delivery: Delivery): Delivery {
  if (delivery.kind === "folder") return { kind: "folder", state: "unchanged" };
  const { kind, name, target } = delivery;
  return { kind, name, target, state: "unchanged" };
}

function retried(run: RunPart, before: RunPart | undefined): Step {
  if (!isOver(run)) return refuse("not-over");
  if (run.parentRunId !== undefined) return refuse("part-of-another");
  // A result that was approved meanwhile is where it belongs, and its branch is gone.
  return { moves: [], effects: before?.delivery?.state === "delivered" ? [] : ["continue"] };
}

/** The states in which a decision can be made. */
const DECIDABLE: Record<Decision, Record<Delivery["kind"], readonly DeliveryState[]>> = {
  // What waits for a person, and what a run left that did not complete.
  approve: { branch: ["review", "kept"], folder: ["review", "kept"] },
  reject: { branch: ["review", "kept"], folder: ["review", "kept"] },
  // In a folder what was rejected is in effect, and the next run works on it.
  revert: { branch: ["delivered"], folder: ["delivered", "rejected"] },
  discard: { branch: ["review", "kept"], folder: ["review", "kept"] },
  restore: { branch: ["discarded"], folder: ["discarded"] },
};
const FOLLOWS: Record<Decision, Effect> = {
  approve: "deliver",
  reject: "start-next",
  revert: "take-back",
  discard: "discard",
  restore: "restore",
};
/** What follows when the decision is on disk. */
const FOLLOWS_DECIDED: Partial<Record<string, Effect>> = {
  approved: "clean-up",
  discarded: "clean-up",
  restored: "restore",
};
/** Which repeated decision takes care of files that were in use the first time. */
const LEFT_IN_FOLDER: Partial<Record<Decision, DeliveryState>> = { revert: "reverted", discard: "discarded" };

function wanted(delivery: Delivery | undefined, { type, at }: { type: Decision; at?: string }): Step {
  if (delivery === undefined) return refuse("no-result");
  const { kind, state, reason } = delivery;
  const isPart = kind === "folder" && state === LEFT_IN_FOLDER[type] && reason !== undefined;
  if (!DECIDABLE[type][kind].includes(state) && !isPart) return refuse("state");
  const { until } = delivery.discard ?? {};
  if (type === "restore" && (until === undefined || (at ?? "") > until)) return refuse("expired");
  return { moves: [], effects: [FOLLOWS[type]] };
}

interface Decided {
  task: TaskStatus | undefined;
  event: { type: string; isResumed?: boolean; discard?: Partial<Discard> | undefined };
}

/** After a crash the task may be somewhere on its way. */
function movesAfter({ status }: RunPart, { task, event }: Decided): TaskStatus[] {
  if (task === undefined) return [];
  const paths = PATHS[event.type]?.(status, event.discard ?? {}) ?? [];
  const path =
    paths.find(([first]) => first === task) ?? (event.isResumed ? paths.find((one) => one.includes(task)) : []);
  return path?.slice(path.indexOf(task) + 1) ?? [];
}

/** A task that a question blocked while its run was at work: what was decided about the result applies all the same. */
const BLOCKED_DONE: TaskStatus[] = ["blocked", "done"];

/** The ways a task can take after a decision: from the first status, over the others. */
const PATHS: Record<string, (status: RunPart["status"], discard: Partial<Discard>) => TaskStatus[][]> = {
  approved: (status) =>
    // Of a run that failed or was cancelled, what it did is accepted as it is.
    status === "completed"
      ? [["review", "done"], BLOCKED_DONE]
      : [BLOCKED_DONE, ["failed", "in-progress", "done"], ["pending", "in-progress", "done"]],
  // It has to be done again, by nobody yet.
  reverted: () => [
    ["done", "in-progress", "pending"],
    ["review", "in-progress", "pending"],
  ],
  discarded: (_, { task }) => (task === undefined || task === "keep" ? [] : DISCARD_PATHS[task]),
  restored: (status, { task, taskFrom }) => {
    if (task === undefined || task === "keep" || taskFrom === undefined) return [];
    // The answer may have freed it meanwhile.
    const wasFrom = taskFrom === "blocked" && status === "completed" ? "review" : taskFrom;
    const back = RESTORE_PATHS[wasFrom] ?? [];
    return task === "cancelled" ? [["cancelled", ...back]] : [back];
  },
};

const DISCARD_PATHS: Record<"pending" | "cancelled", TaskStatus[][]> = {
  pending: [
    ["review", "in-progress", "pending"],
    ["failed", "pending"],
  ],
  cancelled: [
    ["review", "cancelled"],
    ["failed", "cancelled"],
    ["pending", "cancelled"],
    ["blocked", "cancelled"],
  ],
};

/** From pending back to where the task was when its result was discarded. */
const RESTORE_PATHS: Partial<Record<TaskStatus, TaskStatus[]>> = {
  review: ["pending", "in-progress", "review"],
  failed: ["pending", "failed"],
  pending: ["pending"],
};
