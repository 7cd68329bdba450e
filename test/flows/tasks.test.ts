import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boardOf, contentsOf, startBoard } from "../harness/board.ts";
import { startHall } from "../harness/daemon.ts";

const types = "feature bug refactor test docs research review planning search explore other".split(" ");
const priorities = ["low", "medium", "high", "urgent"];

async function boardWithRole() {
  const board = await startBoard();
  const made = await board.hall.call("POST", "/api/roles", { template: "coder" });
  return { board, roleId: made.body.role.id as string };
}

describe("creating a task", () => {
  it("answers success and the whole task, with every field that was not given at its default [S0-API-17 S0-TASK-01]", async () => {
    const board = await startBoard();
    const answer = await board.ask("POST", "/tasks", { title: "Write the login page", description: "With a form." });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body).sort()).toEqual(["success", "task"]);
    expect(answer.body.success).toBe(true);
    const { createdAt, updatedAt, etag, history, ...task } = answer.body.task;
    expect(task).toEqual({
      id: "TASK-001",
      projectId: "alpha",
      title: "Write the login page",
      description: "With a form.",
      type: "other",
      priority: "medium",
      status: "pending",
      context: { files: [], codeRefs: [], dependencies: [] },
      acceptanceCriteria: [],
      labels: [],
      blocks: [],
      blockedBy: [],
      ready: true,
      waitingOn: [],
      notes: "",
      path: "projects/alpha/TASKS/todo/TASK-001.md",
    });
    expect(updatedAt).toBe(createdAt);
    expect(history).toEqual([{ at: createdAt, from: null, to: "pending", by: "person" }]);
    expect(answer.headers.get("etag")).toBe(`"${etag}"`);
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000);
  });

  it("takes a subject for the title [S4-TASK-02]", async () => {
    const board = await startBoard();
    const task = await board.add({ subject: "Named by its subject", description: "And described." });
    expect([task.title, task.description]).toEqual(["Named by its subject", "And described."]);
    expect((await board.get(task.id)).title).toBe("Named by its subject");
    expect((await board.update(task.id, { subject: "Renamed" })).title).toBe("Renamed");
  });

  it("keeps who is meant to do it and what it is about, and takes changes of both [S0-TASK-04 S0-TASK-06 S0-TASK-07 S0-TASK-08]", async () => {
    const { board, roleId } = await boardWithRole();
    const context = {
      files: ["src/login.ts", "docs/a b.md"],
      codeRefs: ["login.ts:10-20"],
      dependencies: ["TASK-099"],
    };
    const given = { title: "For somebody", assignedRoleId: roleId, assignedSubAgentId: "run-01hzx", context };
    const task = await board.add(given);
    expect(task).toMatchObject(given);
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.list()).tasks).toEqual([task]);
    const other = { files: ["b.ts"], codeRefs: ["b.ts:3", "c.ts"], dependencies: ["TASK-098", "TASK-097"] };
    await board.update(task.id, { context: other, assignedRoleId: null });
    const changed = await board.get(task.id);
    expect(changed.context).toEqual(other);
    expect(changed.assignedRoleId).toBeUndefined();
  });

  it("keeps every other field that a client may give [S0-TASK-11 S4-TASK-03 S4-TASK-06 S4-TASK-08 S4-TASK-10]", async () => {
    const board = await startBoard();
    const given = {
      title: "Everything at once",
      description: "First line.\n\n- a list\n- of two",
      type: "feature",
      priority: "high",
      status: "done",
      acceptanceCriteria: ["shows an error", { text: "has a test", done: true }],
      labels: ["front end", "p1"],
      plan: "release-one",
      domain: "frontend",
      responsibilityType: "code-gen",
      notes: "Ask Ada.",
      completionNotes: "Went well.",
      outcome: "partial",
      result: { summary: "Done so far.", filesChanged: ["src/login.ts"], artifactsCreated: ["2026-01-01/report.md"] },
    };
    const task = await board.add(given);
    expect(task).toMatchObject({
      ...given,
      acceptanceCriteria: [
        { text: "shows an error", done: false },
        { text: "has a test", done: true },
      ],
    });
    expect(await board.get(task.id)).toEqual(task);
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.list()).tasks).toEqual([task]);
  });

  it("takes every type and priority, and refuses others by naming those there are [S0-TASK-02 S0-TASK-03 S4-TASK-05]", async () => {
    const board = await startBoard();
    for (const type of types) expect((await board.add({ title: "x", type })).type).toBe(type);
    for (const priority of priorities) expect((await board.add({ title: "x", priority })).priority).toBe(priority);
    const wrongPriority = await board.ask("POST", "/tasks", { title: "x", priority: "huge" });
    expect(wrongPriority.status).toBe(422);
    expect(wrongPriority.body.error).toMatchObject({ code: "invalid" });
    expect(wrongPriority.body.error.message).toContain("priority");
    for (const priority of priorities) expect(wrongPriority.body.error.message).toContain(priority);
    const wrongType = await board.ask("POST", "/tasks", { title: "x", type: "epic" });
    expect(wrongType.status).toBe(422);
    for (const type of types) expect(wrongType.body.error.message).toContain(type);
  });

  it("takes the words of other systems [S0-TASK-02 S0-TASK-03 S0-TASK-09 S4-TASK-04]", async () => {
    const board = await startBoard();
    for (const [field, given, kept] of [
      ["priority", "critical", "urgent"],
      ["type", "bugfix", "bug"],
      ["status", "todo", "pending"],
      ["status", "in_progress", "in-progress"],
      ["status", "in_review", "review"],
      ["status", "completed", "done"],
    ] as const) {
      const task = await board.add({ title: "x", [field]: given });
      expect(task[field]).toBe(kept);
      expect(board.read(task.path.replace("projects/alpha/", ""))).toContain(`\n${field}: ${kept}\n`);
    }
  });

  it("begins the history of a task that is made in a later status, and stamps what has happened [S0-TASK-10]", async () => {
    const board = await startBoard();
    const running = await board.add({ title: "x", status: "in-progress" });
    expect([running.startedAt, running.completedAt]).toEqual([running.createdAt, undefined]);
    const done = await board.add({ title: "x", status: "done" });
    expect(done.completedAt).toBe(done.createdAt);
    expect(done.history).toEqual([{ at: done.createdAt, from: null, to: "done", by: "person" }]);
  });

  it("refuses what is not a task, naming the field, and makes nothing [S0-API-17]", async () => {
    const board = await startBoard();
    const before = contentsOf(board.at("."));
    for (const [name, body, field] of [
      ["no title", {}, "title"],
      ["an empty title", { title: "  " }, "title"],
      ["a title of two lines", { title: "a\nb" }, "title"],
      ["a title that disguises itself", { title: "ok \u202egpj.exe" }, "title"],
      ["a title of 501 characters", { title: "x".repeat(501) }, "title"],
      ["a lone surrogate", { title: "\ud800" }, "title"],
      ["NUL in the description", { title: "x", description: "a\0b" }, "description"],
      ["a number for the description", { title: "x", description: 7 }, "description"],
      ["a field that does not exist", { title: "x", colour: "red" }, "colour"],
      ["a status that does not exist", { title: "x", status: "dnoe" }, "status"],
      ["a role that does not exist", { title: "x", assignedRoleId: "nobody" }, "assignedRoleId"],
      ["a role id that is none", { title: "x", assignedRoleId: "../x" }, "assignedRoleId"],
      ["a plan that would leave the folder", { title: "x", plan: "../x" }, "plan"],
      ["labels that are no list", { title: "x", labels: "one" }, "labels"],
      ["an empty criterion", { title: "x", acceptanceCriteria: [""] }, "acceptanceCriteria"],
      ["too many criteria", { title: "x", acceptanceCriteria: Array(201).fill("c") }, "acceptanceCriteria"],
      ["a dependency that is no task id", { title: "x", blockedBy: ["1"] }, "blockedBy"],
      ["an outcome that does not exist", { title: "x", outcome: "great" }, "outcome"],
    ] as const) {
      const answer = await board.ask("POST", "/tasks", body);
      expect(answer.status, name).toBe(422);
      expect(answer.body.error.message, name).toContain(field);
      expect(answer.body.error.hint).not.toBe("");
    }
    expect((await board.list()).tasks).toEqual([]);
    expect(contentsOf(board.at("."))).toEqual(before);
  });

  it("needs a project that is there and open", async () => {
    const board = await startBoard();
    const nowhere = await board.hall.call("POST", "/api/projects/nowhere/tasks", { title: "x" });
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "project_not_found"]);
    await board.ask("POST", "/move", { status: "completed" });
    const closed = await board.ask("POST", "/tasks", { title: "x" });
    expect([closed.status, closed.body.error.code]).toEqual([409, "project_closed"]);
  });
});

describe("reading a task", () => {
  it("answers {task}, and 404 in the one error shape for what is not there [S0-API-16]", async () => {
    const board = await startBoard();
    const task = await board.add("x");
    const answer = await board.ask("GET", "/tasks/TASK-001");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ task });
    for (const id of ["TASK-002", "task-001", "TASK-1", "..", "TASK-001.md", "%2e%2e%2fPROJECT"]) {
      const missing = await board.ask("GET", `/tasks/${id}`);
      expect(missing.status, id).toBe(404);
      expect(missing.body.error).toMatchObject({ message: expect.any(String), requestId: expect.any(String) });
    }
    expect((await board.ask("GET", "/tasks/TASK-002")).body.error.code).toBe("task_not_found");
    const nowhere = await board.hall.call("GET", "/api/projects/nowhere/tasks/TASK-001");
    expect(nowhere.body.error.code).toBe("project_not_found");
  });
});

describe("changing a task", () => {
  it("changes the named fields only and answers success and the task [S0-API-18 S4-TASK-09]", async () => {
    const board = await startBoard();
    const before = await board.add({ title: "Before", description: "Kept.", labels: ["kept"], priority: "low" });
    const answer = await board.ask("PUT", "/tasks/TASK-001", { priority: "high", notes: "New." });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["success", "task"]);
    const { updatedAt, etag, ...after } = answer.body.task;
    const { updatedAt: was, etag: wasEtag, ...rest } = before;
    expect(after).toEqual({ ...rest, priority: "high", notes: "New." });
    expect(updatedAt >= was).toBe(true);
    expect(etag).not.toBe(wasEtag);
    expect(await board.get("TASK-001")).toEqual(answer.body.task);
  });

  it("takes an optional field away with null [S0-API-18]", async () => {
    const { board, roleId } = await boardWithRole();
    await board.add({
      title: "x",
      assignedRoleId: roleId,
      assignedSubAgentId: "run-1",
      plan: "p",
      domain: "backend",
      responsibilityType: "r",
      completionNotes: "c",
      status: "done",
      outcome: "full",
      result: { summary: "s" },
    });
    const gone = ["assignedRoleId", "assignedSubAgentId", "plan", "domain", "responsibilityType"];
    const names = [...gone, "completionNotes", "outcome", "result"];
    const task = await board.update("TASK-001", Object.fromEntries(names.map((name) => [name, null])));
    for (const name of names) expect(task).not.toHaveProperty(name);
    expect(await board.get("TASK-001")).toEqual(task);
  });

  it("replaces only the parts of the context that are named", async () => {
    const board = await startBoard();
    await board.add({ title: "x", context: { files: ["a"], codeRefs: ["b"], dependencies: ["TASK-009"] } });
    const task = await board.update("TASK-001", { context: { files: ["c", "d"] } });
    expect(task.context).toEqual({ files: ["c", "d"], codeRefs: ["b"], dependencies: ["TASK-009"] });
  });

  it("moves the task when the status is changed, and refuses an illegal one with nothing else changed", async () => {
    const board = await startBoard();
    await board.add("x");
    expect((await board.update("TASK-001", { status: "in_progress" })).status).toBe("in-progress");
    expect(board.files()).toEqual(["in-progress/TASK-001.md"]);
    await board.move("TASK-001", "done");
    const before = contentsOf(board.at("."));
    const answer = await board.ask("PUT", "/tasks/TASK-001", { title: "Other", plan: "new-plan", status: "pending" });
    expect([answer.status, answer.body.error.code]).toEqual([409, "illegal_move"]);
    expect(contentsOf(board.at("."))).toEqual(before);
  });

  it("writes nothing when nothing is asked for that is not so already", async () => {
    const board = await startBoard();
    const task = await board.add({ title: "x", labels: ["a"], context: { files: ["f"] } });
    const asked = { title: "x", labels: ["a"], context: { files: ["f"] }, status: "pending", priority: "medium" };
    expect(await board.update("TASK-001", asked)).toEqual(task);
    expect(await board.update("TASK-001", {})).toEqual(task);
  });

  it("takes a whole document back as it was read, and refuses a change of what is not the client's to change", async () => {
    const board = await startBoard();
    await board.add("One");
    const task = await board.add({ title: "Two", blockedBy: ["TASK-001"] });
    expect((await board.update(task.id, { ...task, title: "Three" })).title).toBe("Three");
    const answer = await board.ask("PUT", `/tasks/${task.id}`, { id: "TASK-009", createdAt: "2020-01-01T00:00:00Z" });
    expect(answer.status).toBe(422);
    expect(answer.body.error.message).toMatch(/id.*createdAt/);
  });

  it("refuses what a task cannot be and changes nothing [S0-API-18]", async () => {
    const board = await startBoard();
    const task = await board.add("x");
    for (const [name, body] of [
      ["an empty title", { title: "" }],
      ["null for the title", { title: null }],
      ["an unknown field", { colour: "red" }],
      ["an unknown role", { assignedRoleId: "nobody" }],
      ["an unknown priority", { priority: "huge" }],
      ["an unknown part of the context", { context: { links: [] } }],
    ] as const) {
      expect((await board.ask("PUT", "/tasks/TASK-001", body)).status, name).toBe(422);
    }
    expect(await board.get("TASK-001")).toEqual(task);
  });

  it("ticks a criterion off and lists what was given to it [S4-TASK-03]", async () => {
    const board = await startBoard();
    await board.add({ title: "x", acceptanceCriteria: ["first", "second"] });
    const ticked = [
      { text: "first", done: true },
      { text: "second", done: false },
    ];
    expect((await board.update("TASK-001", { acceptanceCriteria: ticked })).acceptanceCriteria).toEqual(ticked);
    expect(board.read("TASKS/todo/TASK-001.md")).toContain("- [x] first\n- [ ] second\n");
  });

  it("answers 404 for a task that is not there", async () => {
    const board = await startBoard();
    for (const [method, path] of [
      ["PUT", "/tasks/TASK-404"],
      ["POST", "/tasks/TASK-404/move"],
    ] as const) {
      const answer = await board.ask(method, path, method === "PUT" ? { title: "x" } : { status: "done" });
      expect([answer.status, answer.body.error.code]).toEqual([404, "task_not_found"]);
    }
  });
});

describe("tasks over time", () => {
  it("stay as files of their own when the team that worked on them and the daemon are gone [S4-TASK-11 S4-TASK-12]", async () => {
    const { board, roleId } = await boardWithRole();
    const assigned = await board.ask("POST", "/team", { roleId });
    const task = await board.add({ title: "For the initiative", plan: "launch", assignedRoleId: roleId });
    await board.ask("DELETE", `/team/${assigned.body.assignment.id}`);
    expect(existsSync(board.at("TASKS/todo/TASK-001.md"))).toBe(true);
    await board.hall.stop();
    expect(board.read("TASKS/todo/TASK-001.md")).toContain("# For the initiative\n");
    const again = boardOf(await startHall(board.hall.workspace));
    expect(await again.get(task.id)).toEqual(task);
    expect((await again.list("?plan=launch")).tasks).toEqual([task]);
  });

  it("are told in the event log, with who, what, and the values before and after", async () => {
    const board = await startBoard();
    await board.add("x");
    await board.update("TASK-001", { priority: "high" });
    await board.move("TASK-001", "in-progress");
    const { events } = (await board.hall.call("GET", "/api/events/log?project=alpha&type=task")).body;
    expect(events.map((event: { type: string }) => event.type)).toEqual(["task.created", "task.updated", "task.moved"]);
    for (const event of events) {
      expect(event.actor).toEqual({ kind: "person", via: "http" });
      expect(event.subject).toEqual({ kind: "task", id: "TASK-001" });
    }
    expect(events[1]).toMatchObject({ before: { priority: "medium" }, after: { priority: "high" } });
    expect(events[2]).toMatchObject({ before: { status: "pending" }, after: { status: "in-progress" } });
  });
});
