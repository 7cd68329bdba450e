import type { TaskStatus } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { DeliveryState } from "../../contract/runs/delivery.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { decide } from "../../runs/results/lifecycle.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { resultPolicyOf } from "../../workspace/result-policy.ts";
import { blockLock } from "../../workspace/tasks/block-lock.ts";
import { taskStanding, tasksBlockedBy } from "../rules/blocked-tasks.ts";

interface Parts {
  core: Core;
  hall: Hall;
}

const MOST_AT_ONCE = 500;
/** Where the task of a result belongs that was decided about. */
const DECIDED: Partial<Record<DeliveryState, TaskStatus>> = {
  delivered: "done",
  discarded: "pending",
  reverted: "pending",
};

/** Tasks are blocked exactly while an open escalation blocks them, or one whose file can't be read. Doing it again changes nothing. */
export class TaskBlocks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those that an escalation blocks, or blocked. */
  async settleOf(escalation: StoredEscalation): Promise<void> {
    const { projectId } = escalation;
    if (projectId === undefined) return;
    for (const taskId of tasksBlockedBy(escalation)) await this.#settle(projectId, taskId);
  }

  /** After a restart: nothing stays blocked by what is resolved, and nothing is forgotten. */
  async settleAll(): Promise<void> {
    const { hall } = this.#parts;
    for (const escalation of hall.escalations.open()) await this.settleOf(escalation);
    let cursor: string | undefined;
    do {
      const query = { status: "blocked" as const, sort: "id" as const, limit: MOST_AT_ONCE, cursor };
      const page = hall.tasks.list(undefined, query);
      for (const { projectId, id, escalations } of page.tasks)
        if (escalations !== undefined) await this.#settle(projectId, id);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** A task that is gone, or in a project that is closed, has nothing to be settled. */
  async #settle(projectId: string, taskId: string): Promise<void> {
    const { core } = this.#parts;
    await core.locks.run(blockLock(projectId, taskId), async () => {
      try {
        await this.#update(projectId, taskId);
      } catch (error) {
        if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
      }
    });
  }

  async #update(projectId: string, taskId: string): Promise<void> {
    const { hall } = this.#parts;
    const task = await hall.tasks.get(projectId, taskId);
    const { escalations: named = [] } = task;
    const known = hall.escalations
      .open()
      .filter((one) => one.projectId === projectId && tasksBlockedBy(one).includes(taskId))
      .map(({ id }) => id);
    const open = [...known, ...named.filter((id) => hall.escalations.isUnreadable(id))];
    const next = taskStanding({
      status: task.status,
      escalations: named,
      from: task.history.findLast(({ to }) => to === "blocked")?.from,
      open,
      run: this.#runOf(projectId, task.assignedSubAgentId),
    });
    if (next === undefined) return;
    const { status, escalations } = next;
    const why = open.length === 0 ? "answered" : `blocked by ${open.join(", ")}`;
    const names = escalations === undefined ? {} : { escalations: escalations.length === 0 ? null : escalations };
    await hall.tasks.update(
      projectId,
      taskId,
      { ...(status === undefined ? {} : { status }), ...names },
      { actor: BY_DAEMON, why },
    );
  }

  /** A run that ended while its task was blocked left it where it was. */
  #runOf(projectId: string, runId: string | undefined): Parameters<typeof taskStanding>[0]["run"] {
    const { core, hall } = this.#parts;
    const run = runId === undefined ? undefined : core.runs.get(runId)?.run;
    if (run === undefined) return { state: "none" };
    if (!isOver(run)) return { state: "working" };
    const policy = resultPolicyOf(hall.projects.get(projectId));
    const decided = run.delivery && DECIDED[run.delivery.state];
    const { moves } = decide({ run, task: "in-progress" }, { type: "ended" }, policy);
    return { state: "ended", goes: decided ?? moves.at(-1) ?? "pending", isDecided: decided !== undefined };
  }
}
