import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run, SpawnRequest } from "../../contract/runs/run.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall, NewTask } from "../../workspace/hall/hall.ts";
import type { Together } from "../../workspace/together.ts";
import { builtInRole } from "./built-in-roles.ts";

export type PlacedRequest = SpawnRequest & { projectId: string };

/** The label of a task with words from outside. */
const OUTSIDE = "outside";
const NO_CONTEXT = { files: [], codeRefs: [], dependencies: [] };

/** A task as it would be created. */
export function draftTask({ projectId, task }: PlacedRequest, id = "TASK-001"): Task {
  const { title = "", description = "", type = "other", priority = "medium", context = NO_CONTEXT } = task ?? {};
  return {
    id,
    projectId,
    title,
    description,
    type,
    priority,
    status: "pending",
    context,
    acceptanceCriteria: [],
    labels: [],
    blocks: [],
    blockedBy: [],
    ready: true,
    waitingOn: [],
    notes: "",
    history: [],
    createdAt: "",
    updatedAt: "",
    path: "",
    etag: "",
  };
}

/** Makes the task that a run was asked for together with; it is in that run's hands from the beginning. */
export function createTask(
  { tasks, roles }: Hall,
  request: PlacedRequest,
  { run, change, together }: { run: Run; change: Change; together?: Together },
) {
  const { title, description, type, priority, context } = draftTask(request);
  const body: NewTask = {
    id: run.taskId,
    title,
    description,
    type,
    priority,
    context,
    status: "in-progress",
    ...(isThere(roles, run.roleId) ? { assignedRoleId: run.roleId } : {}),
    assignedSubAgentId: run.id,
    acceptanceCriteria: [],
    labels: run.trigger?.outside === true ? [OUTSIDE] : [],
    blocks: [],
    blockedBy: [],
    notes: "",
  };
  return tasks.create(request.projectId, body, { actor: change.actor }, together);
}

/** A built-in role need not be one of the hall. */
function isThere(roles: Hall["roles"], id: string): boolean {
  if (builtInRole(id) === undefined) return true;
  try {
    return roles.get(id).id === id;
  } catch (error) {
    if (error instanceof HallError) return false;
    throw error;
  }
}

/** A crash may have come between a run and the task that was asked for together with it; then the task is made now. */
export async function createMissingTask(
  hall: Hall,
  run: Run,
  { entries, change }: { entries: readonly JournalEntry[]; change: Change },
): Promise<void> {
  const request = entries.find((entry) => entry.type === "plan")?.request;
  if (request === undefined || request.taskId !== undefined || run.parentRunId !== undefined) return;
  const { projectId, taskId: id } = run;
  const isMade = await hall.tasks.get(projectId, id).then(Boolean, isRefused);
  if (!isMade) await createTask(hall, { ...request, projectId }, { run, change }).catch(isRefused);
}

/** False for what the hall refuses, such as a task in a project that was closed meanwhile. */
function isRefused(error: unknown): false {
  if (error instanceof HallError && error.code !== "storage_failed") return false;
  throw error;
}
