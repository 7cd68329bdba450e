import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskCreate } from "../../src/contract/documents/task.ts";
import { Files } from "../../src/store/files/files.ts";
import { timeSortedIds } from "../../src/store/ids.ts";
import type { EventLog } from "../../src/workspace/events/event-log.ts";
import { folderOf, taskId, taskPath } from "../../src/workspace/layout.ts";
import { newTask } from "../../src/workspace/tasks/task-change.ts";
import { etagOf, renderTask } from "../../src/workspace/tasks/task-file.ts";
import { openEventLog } from "../../test/harness/event-log.ts";

const BATCH = 1_000;

/** A task to be written: the number of its id, when it was made, and what was asked for. */
export interface TaskOrder {
  projectId: string;
  number: number;
  at: Date;
  body: TaskCreate;
}

/** Writes tasks and their events as the daemon would have, but not synced one by one. The workspace must not be in use. */
export async function writeTaskFiles(workspace: string, orders: readonly TaskOrder[]): Promise<void> {
  const clock = () => new Date();
  const files = new Files(workspace);
  const events = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  for (let start = 0; start < orders.length; start += BATCH) {
    const batch = orders.slice(start, start + BATCH);
    await Promise.all(batch.map((order) => events.append(writeTask(workspace, order))));
  }
  await events.close();
}

function writeTask(workspace: string, { projectId, number, at, body }: TaskOrder): Parameters<EventLog["append"]>[0] {
  const task = newTask({ body, id: taskId(number), projectId, at: at.toISOString(), by: "person" });
  const path = taskPath(projectId, folderOf(task.status), task.id);
  const text = renderTask(task);
  writeFileSync(join(workspace, path), text, { mode: 0o600 });
  return {
    type: "task.created",
    actor: { kind: "person", via: "http" },
    projectId,
    subject: { kind: "task", id: task.id },
    file: path,
    etag: etagOf(text),
    after: { title: task.title, status: task.status, type: task.type, priority: task.priority },
  };
}
