import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TaskCreate } from "../../src/contract/task.ts";
import { Files } from "../../src/store/files.ts";
import { timeSortedIds } from "../../src/store/ids.ts";
import { EventLog } from "../../src/workspace/event-log.ts";
import { folderOf, taskId, taskPath } from "../../src/workspace/layout.ts";
import { newTask } from "../../src/workspace/task-change.ts";
import { etagOf, renderTask } from "../../src/workspace/task-file.ts";
import { BUSY_LABELS, BUSY_TASKS } from "./busy-words.ts";

const BATCH = 1_000;
const MINUTE_MS = 60_000;

/** Writes tasks and their events as the daemon would have, but not synced one by one. The workspace must not be in use. */
export async function writeManyTasks(workspace: string, projectId: string, amount: number): Promise<void> {
  const clock = () => new Date();
  const files = new Files(workspace);
  const events = await EventLog.open({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  for (let start = 0; start < amount; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, amount - start) }, (_, at) => start + at + 1);
    await Promise.all(numbers.map((number) => events.append(writeTask(workspace, { projectId, number, amount }))));
  }
  await events.close();
}

function writeTask(
  workspace: string,
  { projectId, number, amount }: { projectId: string; number: number; amount: number },
): Parameters<EventLog["append"]>[0] {
  const words = BUSY_TASKS[number % BUSY_TASKS.length] ?? BUSY_TASKS[0];
  const body = TaskCreate.parse({
    ...words,
    title: words.title.replace("@", `part ${number} of the archive`),
    description: `One of ${amount}. Every part is looked at by somebody once.`,
    acceptanceCriteria: ["It is readable", { text: "Its date is known", done: number % 2 === 0 }],
    labels: [BUSY_LABELS[number % BUSY_LABELS.length]],
    ...(words.status === "blocked" ? { blockedBy: [taskId(number - 1)] } : {}),
    ...(number % 3 === 0 ? { assignedRoleId: "archivist" } : {}),
  });
  const at = new Date(Date.now() - (amount - number) * MINUTE_MS).toISOString();
  const task = newTask({ body, id: taskId(number), projectId, at, by: "person" });
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
