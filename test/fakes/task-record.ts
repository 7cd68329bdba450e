import type { TaskRecord } from "../../src/store/index/task-row.ts";

/** A task as the index keeps it. */
export function taskRecord(id: string, more: Partial<TaskRecord> = {}): TaskRecord {
  const at = "2026-11-15T10:00:00.000Z";
  const fields: Partial<TaskRecord> = {
    ...{ id, projectId: "shop", title: id, description: "", type: "feature", priority: "medium", status: "pending" },
    ...{ createdAt: at, updatedAt: at, path: `${id}.md`, etag: "e", labels: [], blocks: [], blockedBy: [] },
    ...{ acceptanceCriteria: [], notes: "", history: [], context: {} as TaskRecord["context"] },
  };
  return { ...(fields as TaskRecord), ...more };
}
