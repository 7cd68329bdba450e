import type { StatusChange, TaskCreate, TaskUpdate } from "../../contract/documents/task.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import { folderOf, taskPath } from "../layout.ts";
import { dropUndefined } from "./task-file.ts";
import { statusFields } from "./task-rules.ts";

/** A new task as it will stand in its file. */
export function newTask(from: { body: TaskCreate; id: string; projectId: string; at: string; by: string }): TaskRecord {
  const { body, id, projectId, at, by } = from;
  const { title, subject, status, ...fields } = body;
  const blank: TaskRecord = {
    ...fields,
    id,
    projectId,
    title: title ?? subject ?? id,
    status,
    completionNotes: body.completionNotes || undefined,
    history: [],
    createdAt: at,
    updatedAt: at,
    path: taskPath(projectId, folderOf(status), id),
    etag: "",
  } as TaskRecord;
  return dropUndefined({ ...blank, ...statusFields(blank, { at, from: null, to: status, by }) });
}

/** The task after a change, or undefined when the change asks for nothing new. */
export function applyUpdate(
  task: TaskRecord,
  body: TaskUpdate,
  when: { at: string; by: string; request?: string | undefined },
): TaskRecord | undefined {
  const { subject, status, context, ...fields } = body;
  const asked = { ...(subject === undefined ? {} : { title: subject }), ...dropUndefined(fields) };
  const changed = dropUndefined({
    ...task,
    ...nullsAway(asked),
    context: { ...task.context, ...dropUndefined(context ?? {}) },
  }) as TaskRecord;
  const moved =
    status === undefined || status === task.status
      ? changed
      : withStatus(changed, {
          at: when.at,
          from: task.status,
          to: status,
          by: when.by,
          ...dropUndefined({ request: when.request }),
        });
  if (JSON.stringify(sorted(moved)) === JSON.stringify(sorted(task))) return undefined;
  return { ...moved, updatedAt: when.at };
}

function withStatus(task: TaskRecord, change: StatusChange): TaskRecord {
  return dropUndefined({ ...task, ...statusFields(task, change) });
}

/** null means: take the field away. A file tells empty notes and none alike. */
function nullsAway(fields: Record<string, unknown>): Record<string, unknown> {
  const isAway = (key: string, value: unknown) => value === null || (key === "completionNotes" && value === "");
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, isAway(key, value) ? undefined : value]),
  );
}

function sorted(task: TaskRecord): [string, unknown][] {
  return Object.entries(task).sort(([left], [right]) => (left < right ? -1 : 1));
}
