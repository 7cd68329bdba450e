import type { TaskStatus } from "../../../contract/documents/task-status.ts";
import type { TeamSpec } from "../../../contract/documents/teams/team-spec.ts";
import type { EndCause } from "../../../contract/runs/end-cause.ts";
import { isOver } from "../../../contract/runs/run-status.ts";
import type { TeamFact } from "../team-facts.ts";
import type { TaskState, TeamState } from "../team-state.ts";
import type { SeenRun, World } from "../world.ts";

/** What keeps every run from starting, not only this one. */
const SETUP: ReadonlySet<EndCause> = new Set(["folder", "repository", "setup"]);

export function isSetupFailure({ cause }: TaskState): boolean {
  return cause !== undefined && SETUP.has(cause);
}

/** Ends that say nothing of the member's work: its process, its journal or the hall failed. */
const GONE: ReadonlySet<EndCause> = new Set(["crashed", "journal", "internal"]);
/** Times that a task is given again after such an end before it counts as a failure. */
const MOST_ORPHANED = 1;

interface Seeing {
  world: World;
  /** Added to. */
  facts: TeamFact[];
}

/** What became of a task that is not settled. */
export function observeTask(state: TeamState, task: TaskState, seeing: Seeing): void {
  const { world, facts } = seeing;
  const { taskId, runId } = task;
  const { key } = task.plan;
  if (taskId === undefined) return;
  const board = world.task(taskId);
  if (board === undefined || board === "cancelled") {
    const reason = board === undefined ? "Its task was deleted." : "Its task was cancelled.";
    facts.push({ type: "task-left-out", key, by: "person", reason });
    return;
  }
  const run = runId === undefined ? undefined : world.run(runId);
  if (task.state === "working" && runId !== undefined && run !== undefined && isOver(run))
    ended(task, { ...seeing, run, runId, board });
  else if (task.state === "review" && runId !== undefined && run !== undefined)
    judged(task, { ...seeing, run, runId, board });
  // By hand: no run brought it there.
  else if (board === "done") facts.push({ type: "task-merged", key, ...(runId === undefined ? {} : { runId }) });
  else if (task.state === "waiting") unbegun(state, task, { board, facts });
}

function unbegun(state: TeamState, task: TaskState, { board, facts }: Pick<Seen, "board" | "facts">): void {
  const { key } = task.plan;
  if (task.runIds.length > 0) return;
  if (board === "failed" && task.isRetried !== true)
    facts.push({ type: "task-failed", key, reason: "Its task was moved to failed.", isFinal: true });
  else if (state.isSpecEdited && isObsolete(state, task))
    facts.push({ type: "task-left-out", key, by: "hall", reason: "The spec no longer has its requirements." });
}

/** The requirements of the newest spec, by its document: thousands of tasks ask for them. */
const requirementsOf = new WeakMap<TeamSpec, ReadonlySet<string>>();

function isObsolete({ spec }: TeamState, { plan: { requirements } }: TaskState): boolean {
  if (spec === undefined) return false;
  const kept = requirementsOf.get(spec) ?? new Set(spec.requirements.map(({ id }) => id));
  requirementsOf.set(spec, kept);
  return requirements.length > 0 && !requirements.some((id) => kept.has(id));
}

interface Seen extends Seeing {
  run: SeenRun;
  runId: string;
  board: TaskStatus;
}

/** Its run is over. */
function ended(task: TaskState, seen: Seen): void {
  const { run, runId, board, facts, world } = seen;
  const { key } = task.plan;
  if (run.status === "completed") {
    facts.push({ type: "task-in-review", key, runId });
    judged(task, seen);
    return;
  }
  if (board === "done") {
    facts.push({ type: "task-merged", key, runId });
    return;
  }
  const { reworkOf } = task;
  const before = reworkOf === undefined ? undefined : world.run(reworkOf)?.delivery;
  // The review loop has the result before back, and asks the person.
  if (reworkOf !== undefined && before !== undefined && before.next !== runId)
    facts.push({ type: "task-in-review", key, runId: reworkOf });
  else if (before === undefined || board === "failed" || board === "pending") failed(task, seen);
}

/** Its result is judged, or was. */
function judged(task: TaskState, seen: Seen): void {
  const { run, runId, board, facts, world } = seen;
  const { delivery } = run;
  const { key } = task.plan;
  const gate = delivery?.gate;
  if (gate?.id !== undefined && gate.verdict !== undefined && gate.id !== task.gate?.id)
    facts.push({ type: "task-judged", key, runId, gateId: gate.id, verdict: gate.verdict, score: gate.score ?? null });
  const next = run.next ?? delivery?.next;
  if (delivery?.state === "delivered" || board === "done") facts.push({ type: "task-merged", key, runId });
  else if (next !== undefined && !task.runIds.includes(next)) facts.push({ type: "task-reworked", key, runId: next });
  else if (delivery?.state === "review" && delivery.reasonCode === "merge-conflict")
    facts.push({ type: "task-conflicted", key, runId: world.nextRunId(), reason: delivery.reason ?? "" });
  else if (board === "failed") failed(task, { ...seen, isFinal: true, reason: "The review was given up." });
  else if (delivery?.state === "discarded" || delivery?.state === "reverted")
    failed(task, { ...seen, isFinal: delivery.discard?.task !== "pending", reason: "Its result was discarded." });
  // Its branch could not be read or written, so no gate will judge it.
  else if (delivery?.reasonCode === "not-saved" && gate === undefined)
    failed(task, { ...seen, isFinal: true, reason: delivery.reason ?? "Its result could not be saved." });
  else if ((delivery === undefined || delivery.state === "unchanged") && (board === "pending" || board === "assigned"))
    unworked(task, seen);
}

/** Trying again helps with a model that may do it the next time. */
function unworked(task: TaskState, seen: Seen): void {
  if (seen.run.isRehearsal)
    failed(task, {
      ...seen,
      isFinal: true,
      reason: "The offline model only rehearsed it. Add an API key, then retry.",
    });
  else failed(task, { ...seen, reason: "The run completed without doing the task." });
}

function failed(
  task: TaskState,
  { run, runId, facts, world, reason, isFinal = false }: Seen & { reason?: string; isFinal?: boolean },
): void {
  const { cause, error } = run;
  if (cause !== undefined && GONE.has(cause) && task.orphaned < MOST_ORPHANED) {
    facts.push({ type: "task-orphaned", key: task.plan.key, runId, reason: reason ?? error ?? "Its run is gone." });
    return;
  }
  const isExhausted = task.failures + 1 > world.settings.autoEscalationThreshold;
  // Who cancels a run does not want it started again at once; and what no run can work in does not get better by itself.
  const isHopeless = run.status === "cancelled" || (cause !== undefined && SETUP.has(cause));
  facts.push({
    type: "task-failed",
    key: task.plan.key,
    runId,
    reason: reason ?? error ?? "The run ended without a result.",
    isFinal: isFinal || isExhausted || isHopeless,
    ...(cause === undefined ? {} : { cause }),
  });
}
