import { type TaskOrder, writeTaskFiles } from "../../bench/kit/task-files.ts";
import { TaskCreate } from "../../src/contract/documents/task.ts";
import { taskId } from "../../src/workspace/layout.ts";
import { BUSY_LABELS, BUSY_TASKS } from "./busy-words.ts";

const MINUTE_MS = 60_000;

/** The workspace must not be in use. */
export function writeManyTasks(workspace: string, projectId: string, amount: number): Promise<void> {
  const order = (number: number): TaskOrder => {
    const at = new Date(Date.now() - (amount - number) * MINUTE_MS);
    return { projectId, number, at, body: bodyOf(number, amount) };
  };
  return writeTaskFiles(
    workspace,
    Array.from({ length: amount }, (_, at) => order(at + 1)),
  );
}

function bodyOf(number: number, amount: number): TaskCreate {
  const words = BUSY_TASKS[number % BUSY_TASKS.length] ?? BUSY_TASKS[0];
  return TaskCreate.parse({
    ...words,
    title: words.title.replace("@", `part ${number} of the archive`),
    description: `One of ${amount}. Every part is looked at by somebody once.`,
    acceptanceCriteria: ["It is readable", { text: "Its date is known", done: number % 2 === 0 }],
    labels: [BUSY_LABELS[number % BUSY_LABELS.length]],
    ...(words.status === "blocked" ? { blockedBy: [taskId(number - 1)] } : {}),
    ...(number % 3 === 0 ? { assignedRoleId: "archivist" } : {}),
  });
}
