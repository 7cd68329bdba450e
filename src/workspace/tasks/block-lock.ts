/** Held by whoever decides from a task's status and its run what becomes of a blocked task: questions, and runs that end. */
export function blockLock(projectId: string, taskId: string): string {
  return `block ${projectId} ${taskId}`;
}
