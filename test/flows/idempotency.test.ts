import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Board, boardOf, startBoard } from "../harness/board.ts";
import { type Hall, spawnHall, startHall } from "../harness/daemon.ts";

const keyed = <const Path extends string>(hall: Hall, key: string, path: Path, body: object) =>
  hall.call("POST", path, body, { "idempotency-key": key });
const TASKS = "/api/projects/alpha/tasks";
/** The id or path of what was made, whatever it is. */
const madeBy = (body: object, name: string) => {
  const made = (body as Record<string, { id?: string; path?: string }>)[name];
  return made?.id ?? made?.path;
};
const replayed = (answer: { headers: Headers }) => answer.headers.get("idempotency-replayed");

async function restarted(board: Board): Promise<Board> {
  await board.hall.stop();
  return boardOf(await startHall(board.hall.workspace));
}

describe("a request with an Idempotency-Key", () => {
  it("is carried out once: the second answer is the first, and says so", async () => {
    const board = await startBoard();
    const first = await keyed(board.hall, "key-1", TASKS, { title: "Once" });
    const second = await keyed(board.hall, "key-1", TASKS, { title: "Once" });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([second.status, replayed(second)]).toEqual([201, "true"]);
    expect(second.body).toEqual(first.body);
    expect(board.files()).toHaveLength(1);
    const other = await keyed(board.hall, "key-2", TASKS, { title: "Once" });
    expect([other.body.task.id, replayed(other)]).toEqual(["TASK-002", null]);
  });

  it("is carried out once when it comes twenty times at the same moment", async () => {
    const board = await startBoard();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => keyed(board.hall, "burst", TASKS, { title: "Once" })),
    );
    expect(new Set(answers.map((answer) => answer.body.task.id)).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(board.files()).toHaveLength(1);
  });

  it("is refused when the same key asks for something else", async () => {
    const board = await startBoard();
    await keyed(board.hall, "key", TASKS, { title: "One" });
    for (const [path, body] of [
      [TASKS, { title: "Other" }],
      ["/api/tasks", { projectId: "alpha", title: "One" }],
      ["/api/projects/alpha/tasks/TASK-001/move", { status: "in-progress" }],
    ] as const) {
      const answer = await keyed(board.hall, "key", path, body);
      expect([answer.status, answer.body.error.code]).toEqual([409, "idempotency_mismatch"]);
    }
    expect(board.files()).toEqual(["todo/TASK-001.md"]);
    const again = await restarted(board);
    expect((await keyed(again.hall, "key", TASKS, { title: "Other" })).status).toBe(409);
  });

  it("is remembered over a restart, and when the index was built anew", async () => {
    const board = await startBoard();
    const first = await keyed(board.hall, "key", TASKS, { title: "Once" });
    const again = await restarted(board);
    const second = await keyed(again.hall, "key", TASKS, { title: "Once" });
    expect([second.status, replayed(second)]).toEqual([201, "true"]);
    expect(second.body).toEqual(first.body);
    await again.hall.stop();
    rmSync(join(board.hall.workspace, ".guildhall/index.db"));
    const rebuilt = boardOf(await startHall(board.hall.workspace));
    const third = await keyed(rebuilt.hall, "key", TASKS, { title: "Once" });
    expect([third.body.task.id, replayed(third)]).toEqual(["TASK-001", "true"]);
    await rebuilt.hall.call("POST", "/api/index/rebuild");
    const fourth = await keyed(rebuilt.hall, "key", TASKS, { title: "Once" });
    expect(fourth.body.task.id).toBe("TASK-001");
    expect(board.files()).toHaveLength(1);
  });

  it("is remembered although the daemon is killed the moment it has answered", async () => {
    const hall = await spawnHall();
    const board = await startBoard(hall);
    const first = await keyed(hall, "key", TASKS, { title: "Once" });
    const moved = await keyed(hall, "move", `${TASKS}/TASK-001/move`, { status: "in-progress" });
    expect(moved.status).toBe(200);
    await hall.kill();
    const again = await startHall(hall.workspace);
    const second = await keyed(again, "key", TASKS, { title: "Once" });
    expect([second.status, second.body.task.id, replayed(second)]).toEqual([201, first.body.task.id, "true"]);
    const third = await keyed(again, "move", `${TASKS}/TASK-001/move`, { status: "in-progress" });
    expect([third.status, third.body.task.status, replayed(third)]).toEqual([200, "in-progress", "true"]);
    expect(board.files()).toEqual(["in-progress/TASK-001.md"]);
    expect((await again.call("GET", `${TASKS}/TASK-001`)).body.task.history).toHaveLength(2);
  });

  it("is carried out at most once although the daemon is killed before it has answered", async () => {
    const hall = await spawnHall();
    const board = await startBoard(hall);
    const asked = keyed(hall, "key", TASKS, { title: "Once" }).catch(() => undefined);
    await hall.kill();
    await asked;
    const again = await startHall(hall.workspace);
    const second = await keyed(again, "key", TASKS, { title: "Once" });
    expect(second.status).toBe(201);
    expect(board.files()).toEqual([`todo/${second.body.task.id}.md`]);
  });

  it("can be tried again when it was refused", async () => {
    const board = await startBoard();
    expect((await keyed(board.hall, "key", TASKS, { title: "" })).status).toBe(422);
    expect((await keyed(board.hall, "key", TASKS, { title: "Now right" })).status).toBe(201);
    const move = `${TASKS}/TASK-001/move`;
    expect((await keyed(board.hall, "move", move, { status: "review" })).status).toBe(409);
    await board.move("TASK-001", "in-progress");
    expect((await keyed(board.hall, "move", move, { status: "review" })).status).toBe(200);
  });

  it("works for everything that is made: projects, roles, team, initiatives, artifacts", async () => {
    const hall = await startHall();
    const role = { id: "r", name: "R", description: "d", systemPromptTemplate: "p" };
    const requests: [key: string, path: string, body: object, name: string][] = [
      ["a", "/api/projects", { id: "alpha", name: "Alpha" }, "project"],
      ["b", "/api/roles", role, "role"],
      ["c", "/api/projects/alpha/team", { roleId: "r" }, "assignment"],
      ["d", "/api/projects/alpha/initiatives", { title: "Plan" }, "initiative"],
      ["e", "/api/projects/alpha/artifacts", { name: "x.md", content: "x" }, "artifact"],
      ["f", "/api/tasks", { projectId: "alpha", title: "x" }, "task"],
    ];
    const first = [];
    for (const [key, path, body, name] of requests) {
      const answer = await keyed(hall, key, path, body);
      expect([path, answer.status]).toEqual([path, 201]);
      first.push(madeBy(answer.body, name));
    }
    await hall.stop();
    const again = await startHall(hall.workspace);
    for (const [at, [key, path, body, name]] of requests.entries()) {
      const answer = await keyed(again, key, path, body);
      expect([path, answer.status, replayed(answer)]).toEqual([path, 201, "true"]);
      expect(madeBy(answer.body, name)).toBe(first[at]);
    }
  });

  it("needs a key that is one", async () => {
    const board = await startBoard();
    for (const key of ["", " ", "with space", "x".repeat(300), "é"]) {
      const answer = await keyed(board.hall, key, TASKS, { title: "x" }).catch(() => undefined);
      if (answer !== undefined && key.trim() !== "") expect([key, answer.status]).toEqual([key, 400]);
    }
  });
});
