import { expect, it } from "vitest";
import type { Task } from "../../contract/documents/task.ts";
import type { Run } from "../../contract/runs/run.ts";
import { Gathering } from "../../store/changes/gathering.ts";
import { Locks } from "../../workspace/locks.ts";
import { Settlement } from "./settlement.ts";

const run = {
  id: "run-1",
  projectId: "shop",
  taskId: "TASK-001",
  roleId: "coder",
  status: "running",
  createdAt: "2026-11-15T12:00:00.000Z",
} as Run;

const merged = { kind: "branch", name: "guildhall/x", target: "main", state: "delivered", merge: "abc" } as const;

/** Settles a completed run whose branch is in the target branch already, and tells what becomes of its task. */
async function statusAfterMerge(requireReview: boolean, more: Partial<Task> = {}): Promise<unknown> {
  const updates: { status?: unknown }[] = [];
  const task = { status: "in-progress", assignedSubAgentId: run.id, ...more } as Task;
  const hall = {
    tasks: {
      get: async () => task,
      update: async (_project: string, _task: string, update: object) => void updates.push(update),
    },
  };
  const settlement = new Settlement({
    book: undefined as never,
    core: { clock: () => new Date("2026-11-15T12:00:05.000Z"), locks: new Locks() } as never,
    hall: hall as never,
    workplaces: { settle: async () => ({ delivery: merged, files: ["a.txt"] }) },
    folders: { settle: async () => undefined },
    workLog: { add: async () => undefined } as never,
    fillsNotes: () => false,
    policyOf: () => ({ requiresReview: requireReview }),
  });
  const result = { output: "Done.", artifacts: [], duration: 0, filesChanged: ["a.txt"], summary: "Done." };
  const end = { status: "completed", result } as never;
  const finish = { entries: [], journal: "j.jsonl", journaled: Promise.resolve() };
  const { written } = await settlement.settle(run, { ...finish, end }, new Gathering());
  await written;
  return updates.map(({ status }) => status);
}

it("leaves the task of a project with reviews to the person, even when its branch was merged outside Guildhall", async () => {
  expect(await statusAfterMerge(true)).toEqual(["review"]);
  expect(await statusAfterMerge(false)).toEqual(["done"]);
});

it("leaves a task alone that another run has taken, and its status where somebody has moved it", async () => {
  expect(await statusAfterMerge(false, { assignedSubAgentId: "run-2" })).toEqual([]);
  expect(await statusAfterMerge(false, { status: "cancelled" })).toEqual([undefined]);
});
