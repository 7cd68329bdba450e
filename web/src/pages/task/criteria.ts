import type { Criterion } from "../../../../src/contract/documents/task.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";

/** A change of one criterion, which can be made anew on a list that somebody else has changed. Criteria are known by their text. */
export type CriteriaChange =
  | { kind: "tick"; text: string; done: boolean }
  | { kind: "add"; text: string }
  | { kind: "edit"; text: string; to: string }
  | { kind: "remove"; text: string };

/** How many are met, of a task that counts as done though not all are. */
export function openThough(
  status: TaskStatus,
  criteria: { done: number; total: number } | undefined,
): string | undefined {
  if (status !== "done" || criteria === undefined || criteria.done >= criteria.total) return undefined;
  return `${criteria.done}/${criteria.total} met`;
}

export function countOf(criteria: readonly Criterion[]): { done: number; total: number } {
  return { done: criteria.filter(({ done }) => done).length, total: criteria.length };
}

export function withChange(criteria: readonly Criterion[], change: CriteriaChange): Criterion[] {
  if (change.kind === "add") return [...criteria, { text: change.text, done: false }];
  const at = criteria.findIndex(({ text }) => text === change.text);
  if (at < 0) return [...criteria];
  if (change.kind === "remove") return criteria.filter((_, index) => index !== at);
  return criteria.map((criterion, index) => {
    if (index !== at) return criterion;
    return change.kind === "tick" ? { ...criterion, done: change.done } : { ...criterion, text: change.to };
  });
}
