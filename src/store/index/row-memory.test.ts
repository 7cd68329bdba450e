import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { taskRecord as task } from "../../../test/fakes/task-record.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Run } from "../../contract/runs/run.ts";
import { HallIndex } from "./hall-index.ts";
import type { ProjectRow } from "./project-table.ts";
import { RowMemory } from "./row-memory.ts";

it("keeps the most recently used rows, and lets nobody change them", () => {
  const memory = new RowMemory<{ at: { n: number } }>(2);
  for (const n of [1, 2]) memory.keep(`row-${n}`, { at: { n } });
  memory.get("row-1");
  memory.keep("row-3", { at: { n: 3 } });
  expect(["row-1", "row-2", "row-3"].map((key) => memory.get(key)?.at.n)).toEqual([1, undefined, 3]);
  expect(() => Object.assign(memory.get("row-1")?.at ?? {}, { n: 9 })).toThrow(TypeError);
});

it("shows projects as they were last written, in lists as well", () => {
  const { index } = opened();
  index.projects.put(project("shop"));
  index.projects.put(project("barn", { team: [assignment("coder")] }));
  expect(index.projects.list({ after: "", limit: 10 }).map(({ id }) => id)).toEqual(["barn", "shop"]);
  index.projects.put(project("shop", { name: "Corner shop", status: "suspended" }));
  index.projects.put(project("mill", { workdir: "/mill" }));
  expect(index.projects.status("shop")).toBe("suspended");
  expect(index.projects.list({ after: "barn", limit: 10, like: "CORNER" }).map(({ id }) => id)).toEqual(["shop"]);
  expect(index.projects.list({ after: "", limit: 1, status: "active" })[0]?.team).toMatchObject([{ roleId: "coder" }]);
  expect(index.projects.workdirs()).toEqual([{ id: "mill", workdir: "/mill", status: "active" }]);
  index.projects.remove("barn");
  expect(index.projects.ids()).toEqual(["mill", "shop"]);
  expect(index.projects.get("barn")).toBeUndefined();
});

it("takes back what a failed transaction wrote, from memory too", () => {
  const { index } = opened();
  index.projects.put(project("shop"));
  index.runs.put(known("run-1", "running"));
  expect([index.projects.ids(), index.runs.unsettled().length]).toEqual([["shop"], 1]);
  const failing = () => {
    index.projects.put(project("shop", { name: "Other" }));
    index.projects.put(project("barn"));
    index.runs.put(known("run-1", "completed"));
    index.runs.put(known("run-2", "pending"));
    expect([index.projects.get("shop")?.name, index.runs.unsettled()[0]?.run.id]).toEqual(["Other", "run-2"]);
    throw new Error("the file cannot be read back");
  };
  expect(() => index.transaction(failing)).toThrow("cannot be read back");
  expect([index.projects.get("shop")?.name, index.projects.ids()]).toEqual(["shop", ["shop"]]);
  expect([index.runs.get("run-1")?.run.status, index.runs.get("run-2")]).toEqual(["running", undefined]);
  expect(index.runs.unsettled().map(({ run }) => run.id)).toEqual(["run-1"]);
});

it("knows every run that is not over, and forgets what an emptied index held", () => {
  const { index } = opened();
  for (const id of ["run-3", "run-1"]) index.runs.put(known(id, "pending"));
  index.runs.put(known("run-2", "completed"));
  index.runs.put(known("run-4", "running", "barn"));
  expect(index.runs.unsettled().map(({ run }) => run.id)).toEqual(["run-1", "run-3", "run-4"]);
  expect(index.runs.unsettled("barn").map(({ run }) => run.id)).toEqual(["run-4"]);
  index.runs.put(known("run-1", "failed"));
  expect([index.runs.get("run-1")?.run.status, index.runs.unsettled("shop").length]).toEqual(["failed", 1]);
  index.runs.removeProject("shop");
  expect([index.runs.get("run-1"), index.runs.unsettled().length]).toEqual([undefined, 1]);
  index.rebuild("file", () => index.runs.put(known("run-5", "pending")));
  expect([index.runs.get("run-4"), index.runs.unsettled().map(({ run }) => run.id)]).toEqual([undefined, ["run-5"]]);
});

it("counts tasks and knows what they wait for as they were last written", () => {
  const { index } = opened();
  const { tasks } = index;
  tasks.add(task("TASK-001"));
  tasks.add(task("TASK-002"));
  expect([tasks.counts("shop").get("pending"), tasks.task("shop", "TASK-002")?.ready]).toEqual([2, true]);
  expect(() =>
    index.transaction(() => {
      tasks.put(task("TASK-002", { blockedBy: ["TASK-001"], title: "Other" }));
      expect([tasks.task("shop", "TASK-002")?.waitingOn, tasks.task("shop", "TASK-001")?.blocks]).toEqual([
        ["TASK-001"],
        ["TASK-002"],
      ]);
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(tasks.task("shop", "TASK-002")).toMatchObject({ ready: true, blockedBy: [], title: "TASK-002" });
  tasks.put(task("TASK-002", { blockedBy: ["TASK-001"] }));
  tasks.put(task("TASK-001", { status: "done" }));
  expect(tasks.task("shop", "TASK-002")).toMatchObject({ ready: true, blockedBy: ["TASK-001"], waitingOn: [] });
  expect([...tasks.counts("shop")].sort()).toEqual([
    ["done", 1],
    ["pending", 1],
  ]);
  tasks.remove("shop", "TASK-001");
  expect([tasks.record("shop", "TASK-001"), tasks.task("shop", "TASK-002")?.waitingOn]).toEqual([
    undefined,
    ["TASK-001"],
  ]);
  tasks.removeProject("shop");
  expect([tasks.record("shop", "TASK-002"), tasks.counts("shop").size]).toEqual([undefined, 0]);
});

it("counts tasks from memory as the table does", () => {
  const { index } = opened();
  const { tasks } = index;
  const counted = () => Object.fromEntries(tasks.counts("shop"));
  tasks.add(task("TASK-001"));
  counted();
  tasks.add(task("TASK-002"));
  tasks.add(task("TASK-002", { status: "done" }));
  tasks.put(task("TASK-001", { status: "failed" }));
  tasks.put(task("TASK-003", { labels: ["a"] }));
  const kept = counted();
  expect(() => index.transaction(() => expect.fail("to forget"))).toThrow("to forget");
  expect([kept, counted()]).toEqual([1, 2].map(() => ({ done: 1, failed: 1, pending: 1 })));
});

it("knows without asking which files have problems, and that one was removed", () => {
  const { index } = opened();
  const { files } = index;
  const problem = { file: "a.md", kind: "task", severity: "invalid", reason: "no" } as const;
  files.clearProblems("a.md");
  files.putProblem(problem);
  files.remove("a.md");
  expect([files.problemsOf("a.md"), files.get("a.md")]).toEqual([[], undefined]);
  expect(() =>
    index.transaction(() => {
      files.putProblem(problem);
      throw new Error("no");
    }),
  ).toThrow("no");
  files.putProblem(problem);
  files.clearProblems("a.md");
  expect(files.problemsOf("a.md")).toEqual([]);
});

it("hands out every run that is unread, also one that ends while another is read", () => {
  const { index } = opened();
  const { passages, runs } = index;
  const unread = () => passages.nextUnread()?.runId;
  const read = (runId: string) => passages.put({ runId, projectId: "shop" }, []);
  runs.put(known("run-1", "completed"));
  expect(unread()).toBe("run-1");
  runs.put(known("run-2", "completed"));
  read("run-1");
  expect(unread()).toBe("run-2");
  read("run-2");
  expect(unread()).toBeUndefined();
  runs.put(known("run-3", "completed"));
  expect(unread()).toBe("run-3");
  index.rebuild("file", () => runs.put(known("run-2", "completed")));
  expect(unread()).toBe("run-2");
});

it("keeps the record of a task as the table would have given it back", () => {
  const { index } = opened();
  const written = task("TASK-001", { plan: undefined, result: undefined, labels: ["b", "a"] });
  index.tasks.put(written);
  const kept = index.tasks.record("shop", "TASK-001");
  expect(() => index.transaction(() => expect.fail("to forget"))).toThrow("to forget");
  expect(JSON.stringify(index.tasks.record("shop", "TASK-001"))).toBe(JSON.stringify(kept));
});

it("remembers that a file is unknown until it is known", () => {
  const { index } = opened();
  expect(index.files.get("a.md")).toBeUndefined();
  index.files.put("a.md", { mtime: 1.5, size: 2, inode: 3 }, "e");
  expect(index.files.get("a.md")).toEqual({ path: "a.md", mtime: 1.5, size: 2, inode: 3, etag: "e" });
  index.files.remove("a.md");
  expect(index.files.get("a.md")).toBeUndefined();
});

it("answers nothing from memory while the index is lost", () => {
  const { index } = opened();
  index.projects.put(project("shop"));
  index.runs.put(known("run-1", "running"));
  expect([index.projects.status("shop"), index.runs.get("run-1")?.run.status]).toEqual(["active", "running"]);
  const breaking = () => {
    throw new Error("no file can be read");
  };
  expect(() => index.rebuild("memory", breaking)).toThrow("no file");
  for (const ask of [
    () => index.projects.get("shop"),
    () => index.projects.ids(),
    () => index.projects.list({ after: "", limit: 1 }),
    () => index.roles.get("coder"),
    () => index.tasks.record("shop", "TASK-001"),
    () => index.tasks.counts("shop"),
    () => index.files.get("a.md"),
    () => index.runs.get("run-1"),
    () => index.runs.unsettled(),
  ])
    expect(ask).toThrow(expect.objectContaining({ code: "storage_failed", retryable: true }));
});

function opened() {
  const index = new HallIndex(join(temporaryFolder(), "index.db"));
  onTestFinished(() => index.close());
  return { index };
}

function project(id: string, more: Partial<ProjectRow> = {}): ProjectRow {
  const at = "2026-11-15T10:00:00.000Z";
  const none = { config: {}, paths: {} } as unknown as Pick<ProjectRow, "config" | "paths">;
  return {
    id,
    name: id,
    description: "",
    status: "active",
    team: [],
    createdAt: at,
    updatedAt: at,
    etag: "e",
    ...none,
    ...more,
  };
}

function assignment(roleId: string) {
  const at = "2026-11-15T10:00:00.000Z";
  return { id: roleId, roleId, projectId: "barn", status: "active", mode: "on-demand", assignedAt: at } as const;
}

function known(id: string, status: Run["status"], projectId = "shop") {
  const usage = { turns: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const run: Run = {
    ...{ id, projectId, taskId: "TASK-001", roleId: "coder", rank: "worker", title: id, status, purpose: "work" },
    ...{ progress: 0, model: "own/m", attempt: 1, createdAt: "2026-11-15T10:00:00.000Z" },
    usage: { ...usage, costUsd: 0, costKnown: true },
  };
  return { run, journal: "j", epoch: 1, crashes: 0, messages: [] };
}
