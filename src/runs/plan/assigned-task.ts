import type { Run } from "../../contract/runs/run.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { RunBook } from "../record/run-book.ts";
import { decide } from "../results/lifecycle.ts";

interface Parts {
  core: Core;
  hall: Hall;
  book: RunBook;
}

/** Has a task show who works on it. Doing it again changes nothing. */
export async function assignTask(parts: Parts, run: Run, change: Change): Promise<void> {
  // A part of another run's work, a review of it, or what a team's lead hands in: the task stays with whoever does it.
  if (run.parentRunId !== undefined || run.purpose !== "work") return;
  const { tasks } = parts.hall;
  const task = await tasks.get(run.projectId, run.taskId);
  if (task.assignedSubAgentId === run.id) return;
  if (task.assignedSubAgentId !== undefined) await supersede(parts, task.assignedSubAgentId, run);
  const moved = task.status === "in-progress" ? {} : { status: "in-progress" as const };
  await tasks.update(run.projectId, run.taskId, { ...assigneeOf(parts.core, run), ...moved }, change);
}

/** Who has a task now. A role that a team brings along is none of the hall's, and the board names none. */
export function assigneeOf({ roles }: Pick<Core, "roles">, { id, roleId }: Pick<Run, "id" | "roleId">) {
  const named = roles.get(roleId) === undefined ? {} : { assignedRoleId: roleId };
  return { assignedSubAgentId: id, ...named };
}

/** A result waits for review no longer when somebody takes its task up anew. It is kept, and can still be decided about. */
async function supersede({ core, book }: Parts, id: string, next: Run): Promise<void> {
  const known = core.runs.get(id);
  const planned = core.runs.get(next.id);
  // One that was sent back is gone on with.
  if (known === undefined || (planned && book.planOf(planned)?.continues?.runId) === id) return;
  const { delivery } = decide(known, { type: "superseded", by: next.id });
  if (delivery !== undefined) await book.superseded(known, { delivery, at: core.clock().toISOString() });
}
