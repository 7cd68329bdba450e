import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/documents/task.ts";
import { type Board, handMade, startBoard } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";

const ids = (list: { tasks: Task[] }) => list.tasks.map((task) => task.id.replace("TASK-", "")).join(" ");
const query = async (board: Board, text: string) => ids(await board.list(`?${text}`));

/** Eight tasks, one in each status, in the order in which the board lists statuses. */
async function boardOfStatuses(): Promise<Board> {
  const board = await startBoard();
  for (const status of ["pending", "assigned", "in-progress", "review", "blocked", "done", "failed", "cancelled"])
    await board.add({ title: `Is ${status}`, status });
  return board;
}

/** Follows the cursors to the end and answers every page. */
async function pages(
  ask: (query: string) => Promise<{ tasks: Task[]; nextCursor?: string | undefined }>,
  text: string,
  between?: () => Promise<unknown>,
) {
  const found: Task[][] = [];
  for (let cursor = ""; ; ) {
    const page = await ask(`?${text}${cursor}`);
    found.push(page.tasks);
    if (page.nextCursor === undefined) return found;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
    await between?.();
  }
}

const walk = async (board: Board, text: string, between?: () => Promise<unknown>) =>
  (await pages((rest) => board.list(rest), text, between)).flat().map((task) => task.id);

describe("the list of a project's tasks", () => {
  it("answers {tasks} with what could not be read beside it [S0-API-15]", async () => {
    const board = await startBoard();
    expect((await board.ask("GET", "/tasks")).body).toEqual({ tasks: [], invalid: [] });
    const task = await board.add("x");
    expect((await board.ask("GET", "/tasks")).body).toEqual({ tasks: [task], invalid: [] });
    const nowhere = await board.hall.call("GET", "/api/projects/nowhere/tasks");
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "project_not_found"]);
  });

  it("filters by exact status and by folder of the board, where todo is three statuses [S0-API-15 S0-TASK-13]", async () => {
    const board = await boardOfStatuses();
    for (const [status, wanted] of Object.entries({
      todo: "001 002 005",
      "in-progress": "003",
      review: "004",
      done: "006",
      failed: "007",
      cancelled: "008",
      pending: "001",
      assigned: "002",
      blocked: "005",
      in_progress: "003",
      in_review: "004",
      completed: "006",
    }))
      expect([status, await query(board, `status=${status}`)]).toEqual([status, wanted]);
  });

  it("filters by priority, type, role, label, plan and readiness, each alone and together", async () => {
    const board = await startBoard();
    const role = (await board.hall.call("POST", "/api/roles", { template: "coder" })).body.role.id;
    await board.add({ title: "Fix login", priority: "urgent", type: "bug", labels: ["ui", "a b"], plan: "one" });
    await board.add({ title: "Write docs", type: "docs", assignedRoleId: role, blockedBy: ["TASK-001"], plan: "two" });
    await board.add({ title: "Fix colours", priority: "urgent", labels: ["ui"], plan: "one", status: "in-progress" });
    for (const [text, wanted] of Object.entries({
      "priority=urgent": "001 003",
      "priority=critical": "001 003",
      "type=bug": "001",
      "type=bugfix": "001",
      [`role=${role}`]: "002",
      "role=nobody": "",
      "label=ui": "001 003",
      "label=a%20b": "001",
      "label=u": "",
      "plan=one": "001 003",
      "ready=true": "001",
      "ready=false": "002 003",
      "q=fix": "001 003",
      "q=fix%20col": "003",
      "priority=urgent&status=in-progress&label=ui&plan=one&q=fix": "003",
      "priority=urgent&type=docs": "",
    }))
      expect([text, await query(board, text)]).toEqual([text, wanted]);
    await board.move("TASK-001", "cancelled");
    expect(await query(board, "ready=true")).toBe("002");
    await board.update("TASK-003", { labels: [], plan: null, priority: "low" });
    expect(await query(board, "label=ui")).toBe("001");
    expect(await query(board, "plan=one")).toBe("001");
    expect(await query(board, "priority=low")).toBe("003");
  });

  it("sorts by id, by change and by priority, either way", async () => {
    const board = await startBoard();
    for (const priority of ["low", "urgent", "medium", "high", "urgent"]) await board.add({ title: "x", priority });
    for (const id of ["TASK-002", "TASK-005", "TASK-001", "TASK-003", "TASK-004"])
      await board.update(id, { notes: "changed" });
    const changed = (await board.list("?sort=updated&order=asc")).tasks.map((task) => task.updatedAt);
    expect(changed).toEqual([...changed].sort());
    expect(await query(board, "sort=id")).toBe("001 002 003 004 005");
    expect(await query(board, "sort=id&order=desc")).toBe("005 004 003 002 001");
    expect(await query(board, "order=desc")).toBe("005 004 003 002 001");
    expect(await query(board, "sort=priority")).toBe("005 002 004 003 001");
    expect(await query(board, "sort=priority&order=asc")).toBe("001 003 004 002 005");
    const newest = (await board.list("?sort=updated")).tasks.map((task) => task.updatedAt);
    expect(newest).toEqual([...changed].reverse());
  });

  it("sorts ids as numbers, also those that people gave by hand", async () => {
    const board = await startBoard();
    for (const number of ["1000", "999", "020"])
      board.write(`TASKS/todo/TASK-${number}.md`, handMade(`TASK-${number}`));
    await eventually(
      () => query(board, ""),
      (found) => found === "020 999 1000",
    );
  });

  it("hands out every task exactly once, page by page, whatever the order and the filters", async () => {
    const board = await startBoard();
    const priorities = ["low", "high", "high", "urgent"];
    for (let at = 0; at < 23; at++) await board.add({ title: `Task ${at}`, priority: priorities[at % 4] });
    for (const text of [
      "sort=id",
      "sort=id&order=desc",
      "sort=updated",
      "sort=updated&order=asc",
      "sort=priority",
      "sort=priority&order=asc",
      "status=todo",
      "q=task",
      "ready=true&priority=high",
    ]) {
      const whole = (await board.list(`?${text}&limit=1000`)).tasks.map((task) => task.id);
      for (const limit of [1, 4, 22, 23, 24]) {
        const found = await pages((rest) => board.list(rest), `${text}&limit=${limit}`);
        expect(found.flat().map((task) => task.id)).toEqual(whole);
        for (const page of found.slice(0, -1)) expect(page).toHaveLength(limit);
      }
    }
  });

  it("hands out every task exactly once although tasks are added and removed on the way", async () => {
    const board = await startBoard();
    for (let at = 0; at < 12; at++) await board.add({ title: "x", priority: at % 2 === 0 ? "low" : "high" });
    const there = (await board.list()).tasks.map((task) => task.id);
    const add = () => board.add({ title: "Added", priority: "medium" });
    const growing = await walk(board, "limit=5", add);
    expect(growing.slice(0, 12)).toEqual(there);
    expect(new Set(growing).size).toBe(growing.length);
    for (const text of ["limit=5&order=desc", "limit=5&sort=updated", "limit=3&sort=priority"]) {
      const before = (await board.list("?limit=1000")).tasks.map((task) => task.id);
      const found = await walk(board, text, add);
      expect(new Set(found).size).toBe(found.length);
      for (const id of before) expect(found).toContain(id);
    }
  });

  it("refuses limits and cursors that are none, and parameters that there are not", async () => {
    const board = await startBoard();
    for (let at = 0; at < 3; at++) await board.add("x");
    const { nextCursor } = await board.list("?limit=1");
    for (const text of [
      "limit=0",
      "limit=-1",
      "limit=1001",
      "limit=1.5",
      "limit=many",
      "limit=1&limit=2",
      "cursor=nonsense",
      "cursor=W10",
      `cursor=${nextCursor}&sort=updated`,
      `cursor=${nextCursor}&sort=priority`,
      "status=dnoe",
      "priority=huge",
      "type=epic",
      "ready=maybe",
      "sort=title",
      "order=up",
      "role=..",
      "label=",
      "q=",
      "colour=red",
    ]) {
      const answer = await board.ask("GET", `/tasks?${text}`);
      expect([text, answer.status, answer.body.error?.code]).toEqual([text, 422, "invalid"]);
    }
    const across = await board.hall.call("GET", `/api/tasks?cursor=${nextCursor}`);
    expect(across.status).toBe(422);
    expect((await board.list("?limit=1000")).tasks).toHaveLength(3);
  });

  it("shows files that could not be read with the first page only", async () => {
    const board = await startBoard();
    for (let at = 0; at < 3; at++) await board.add("x");
    board.write("TASKS/todo/TASK-050.md", "broken");
    const first = await eventually(
      () => board.list("?limit=2"),
      (list) => list.invalid.length === 1,
    );
    expect((await board.list(`?limit=2&cursor=${first.nextCursor}`)).invalid).toEqual([]);
  });

  it("takes any text for q: operators, quotes, brackets and emoji find what they stand for and harm nothing", async () => {
    const board = await startBoard();
    await board.add("Rocket 🚀 launch");
    await board.add('Say "hello" AND (goodbye)');
    for (const text of [
      '"',
      "*",
      "AND",
      "NOT x",
      "title:x",
      "a OR b",
      "(",
      "'); DROP TABLE tasks;--",
      "\\",
      "^x",
      "-",
      "{}",
    ]) {
      const answer = await board.ask("GET", `/tasks?q=${encodeURIComponent(text)}`);
      expect([text, answer.status]).toEqual([text, 200]);
    }
    expect(await query(board, `q=${encodeURIComponent("🚀")}`)).toBe("001");
    expect(await query(board, `q=${encodeURIComponent('"hello" AND')}`)).toBe("002");
    expect(await query(board, "q=goodbye")).toBe("002");
  });
});

describe("the tasks of all projects", () => {
  it("are listed together, filtered and walked like those of one", async () => {
    const alpha = await startBoard();
    const beta = await startBoard(alpha.hall, "beta");
    for (let at = 0; at < 5; at++) {
      await beta.add({ title: `Beta ${at}`, priority: at % 2 === 0 ? "high" : "low" });
      await alpha.add({ title: `Alpha ${at}`, status: at === 0 ? "done" : "pending" });
    }
    const ask = async (rest: string) => (await alpha.hall.call("GET", `/api/tasks${rest}`)).body;
    const names = (tasks: Task[]) => tasks.map((task) => `${task.projectId}/${task.id.slice(-1)}`).join(" ");
    expect(names((await ask("")).tasks)).toBe(
      "alpha/1 alpha/2 alpha/3 alpha/4 alpha/5 beta/1 beta/2 beta/3 beta/4 beta/5",
    );
    expect(names((await ask("?priority=high")).tasks)).toBe("beta/1 beta/3 beta/5");
    expect(names((await ask("?status=done")).tasks)).toBe("alpha/1");
    expect(names((await ask("?q=alpha&ready=true&limit=2")).tasks)).toBe("alpha/2 alpha/3");
    for (const text of ["sort=id", "sort=id&order=desc", "sort=updated", "sort=priority&order=asc"]) {
      const whole = names((await ask(`?${text}`)).tasks);
      for (const limit of [1, 3, 10]) expect(names((await pages(ask, `${text}&limit=${limit}`)).flat())).toBe(whole);
    }
  });

  it("are made with the project named in the body", async () => {
    const board = await startBoard();
    const made = await board.hall.call("POST", "/api/tasks", { projectId: "alpha", title: "From anywhere" });
    expect([made.status, made.body.success]).toEqual([201, true]);
    expect(await board.get("TASK-001")).toEqual(made.body.task);
    for (const [body, status] of [
      [{ title: "x" }, 422],
      [{ projectId: "../x", title: "x" }, 422],
      [{ projectId: "nowhere", title: "x" }, 404],
      [{ projectId: "alpha" }, 422],
    ] as const)
      expect((await board.hall.call("POST", "/api/tasks", body)).status).toBe(status);
    expect(board.files()).toHaveLength(1);
  });

  it("show what could not be read in any project", async () => {
    const alpha = await startBoard();
    const beta = await startBoard(alpha.hall, "beta");
    for (const board of [alpha, beta]) board.write("TASKS/todo/TASK-001.md", "broken");
    const { invalid } = await eventually(
      async () => (await alpha.hall.call("GET", "/api/tasks")).body,
      (list) => list.invalid.length === 2,
    );
    expect(invalid.map((problem) => problem.projectId)).toEqual(["alpha", "beta"]);
    expect((await alpha.list()).invalid).toHaveLength(1);
  });
});
