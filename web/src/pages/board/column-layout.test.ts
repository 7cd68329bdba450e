import { expect, test } from "vitest";
import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { type ChosenColumns, openColumns } from "./column-layout.ts";

const all = (count: number) =>
  Object.fromEntries(TASK_STATUSES.map((status) => [status, count])) as Record<TaskStatus, number>;
const open = (width: number | undefined, chosen: ChosenColumns = {}, counts = all(3)) =>
  TASK_STATUSES.filter((status) => openColumns({ counts, width, chosen }).has(status));

test("with every column in use, what needs a person is open on a laptop, and what is over is closed first", () => {
  expect(open(1184)).toEqual(["pending", "in-progress", "review", "blocked", "failed"]);
  expect(open(1900)).toEqual([...TASK_STATUSES]);
  expect(open(undefined)).toEqual([...TASK_STATUSES]);
  expect(open(300)).toEqual(["pending"]);
});

test("a column without tasks is closed, except the one in which tasks are added", () => {
  expect(open(1184, {}, { ...all(0), done: 7 })).toEqual(["pending", "done"]);
});

test("what the person opened or closed stays so", () => {
  expect(open(1184, { done: true, blocked: false })).toEqual(["pending", "in-progress", "review", "done", "failed"]);
  expect(open(300, { done: true, failed: true })).toEqual(["done", "failed"]);
});
