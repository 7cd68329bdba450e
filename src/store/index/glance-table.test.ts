import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Run } from "../../contract/runs/run.ts";
import { HallIndex } from "./hall-index.ts";
import type { ProjectRow } from "./project-table.ts";
import type { TaskRecord } from "./task-row.ts";

const usage = { turns: 1, inputTokens: 9, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const hour = (at: number) => `2026-11-15T${String(at).padStart(2, "0")}:00:00.000Z`;

function opened(): HallIndex {
  const index = new HallIndex(join(temporaryFolder(), "index.db"));
  onTestFinished(() => index.close());
  return index;
}

const runOf = (id: string, more: Partial<Run> = {}): Run => ({
  ...{ id, projectId: "shop", taskId: "TASK-001", roleId: "coder", rank: "worker", title: id, status: "completed" },
  ...{ purpose: "work", progress: 1, model: "own/m", attempt: 1, createdAt: hour(1), endedAt: hour(2) },
  usage: { ...usage, costUsd: 0, costKnown: true },
  ...more,
});
const put = (index: HallIndex, ...runs: Run[]) => {
  for (const run of runs) index.runs.put({ run, journal: "j", epoch: 1, crashes: 0, messages: [] });
};
const putProject = (index: HallIndex, id: string, status: ProjectRow["status"]) =>
  index.projects.put({
    ...{ id, name: id, description: "", status, team: [], etag: "e", createdAt: hour(0), updatedAt: hour(0) },
    config: { goals: [], constraints: {} },
    paths: {},
  } as unknown as ProjectRow);
const putTask = (index: HallIndex, id: string, more: Partial<TaskRecord>) =>
  index.tasks.put({
    ...{ id, projectId: "shop", title: id, description: "", type: "bug", priority: "low", status: "failed" },
    ...{ labels: [], blocks: [], blockedBy: [], acceptanceCriteria: [], notes: "", history: [], context: {} },
    ...{ createdAt: hour(0), updatedAt: hour(0), path: id, etag: "e" },
    ...more,
  } as unknown as TaskRecord);
const ids = (runs: Run[]) => runs.map(({ id }) => id);

it("keeps what a run wrote apart, and gives it back with the run alone", () => {
  const index = opened();
  const result = { output: "Long.", artifacts: [], filesChanged: ["a"], duration: 1 };
  put(index, runOf("run-1", { result }));
  expect(index.runs.get("run-1")?.run.result).toEqual(result);
  expect(index.glance.done(1)[0]?.result).toEqual({ ...result, output: "" });
});

it("has a review that failed among what ended, as no task tells of it", () => {
  const index = opened();
  put(
    index,
    runOf("run-1", { status: "failed", purpose: "review", reviewOf: "run-0" }),
    runOf("run-2", { status: "failed" }),
  );
  expect(ids(index.glance.done(20))).toEqual(["run-1"]);
});

it("has as done what ended last and waits for nobody, without parts of other runs", () => {
  const index = opened();
  put(
    index,
    runOf("run-1", { endedAt: hour(5) }),
    runOf("run-2", { endedAt: hour(3), status: "cancelled" }),
    runOf("run-3", { endedAt: hour(9), status: "failed" }),
    runOf("run-4", { endedAt: hour(8), delivery: { kind: "folder", state: "review" } }),
    runOf("run-5", { endedAt: hour(7), parentRunId: "run-1" }),
    runOf("run-6", { endedAt: undefined, status: "running" }),
    runOf("run-7", { endedAt: undefined, status: "pending" }),
    runOf("run-8", { endedAt: hour(9), delivery: { kind: "folder", state: "rejected" } }),
  );
  expect(ids(index.glance.done(20))).toEqual(["run-1", "run-2"]);
  expect(ids(index.glance.done(1))).toEqual(["run-1"]);
  expect(ids(index.glance.review(20))).toEqual(["run-4"]);
  expect(ids(index.glance.working(20))).toEqual(["run-6", "run-7"]);
  expect(ids(index.glance.working(1))).toEqual(["run-6"]);
  expect(index.glance.counts()).toMatchObject({ running: 1, pending: 1, review: 1 });
  expect(index.glance.since(hour(4))).toEqual({ runs: 0, completed: 4, failed: 1, stopped: 0 });
  expect(index.glance.since(hour(0))).toEqual({ runs: 8, completed: 4, failed: 1, stopped: 1 });
});

it("has as failed only tasks that stand as their last run left them, in projects that are not closed", () => {
  const index = opened();
  putProject(index, "shop", "active");
  put(index, ...["run-1", "run-2", "run-3"].map((id) => runOf(id, { status: "failed" })), runOf("run-4"));
  putTask(index, "TASK-001", { assignedSubAgentId: "run-1" });
  putTask(index, "TASK-002", { assignedSubAgentId: "run-2", status: "pending" });
  putTask(index, "TASK-003", { assignedSubAgentId: "run-4" });
  putTask(index, "TASK-004", {});
  put(index, runOf("run-5", { status: "failed", team: { id: "team-1", member: "worker-lima" } }));
  putTask(index, "TASK-005", { assignedSubAgentId: "run-5" });
  expect(ids(index.glance.failed(20))).toEqual(["run-1"]);
  expect(index.glance.counts().failed).toBe(1);
  putProject(index, "shop", "archived");
  expect(index.glance.failed(20)).toEqual([]);
});

it("has as suspended only what the hall suspended by itself, as long as it is", () => {
  const index = opened();
  for (const id of ["shop", "mill"]) putProject(index, id, "suspended");
  index.files.setMeta("suspended mill", "Nothing happened");
  expect(index.glance.suspended(20)).toEqual([{ id: "mill", name: "mill", at: null, why: "Nothing happened" }]);
  expect(index.glance.counts().suspended).toBe(1);
  putProject(index, "mill", "active");
  expect(index.glance.suspended(20)).toEqual([]);
});
