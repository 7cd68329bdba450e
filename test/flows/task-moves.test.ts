import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, contentsOf, startBoard } from "../harness/board.ts";

const legal: Record<string, string[]> = {
  pending: ["assigned", "in-progress", "blocked", "cancelled", "failed"],
  assigned: ["pending", "in-progress", "blocked", "cancelled", "failed"],
  "in-progress": ["review", "done", "blocked", "failed", "cancelled", "pending"],
  review: ["done", "in-progress", "blocked", "pending", "failed", "cancelled"],
  blocked: ["pending", "in-progress", "review", "done", "failed", "cancelled"],
  done: ["in-progress"],
  failed: ["pending", "in-progress", "cancelled"],
  cancelled: ["pending"],
};
const statuses = Object.keys(legal);
const folder: Record<string, string> = {
  pending: "todo",
  assigned: "todo",
  "in-progress": "in-progress",
  review: "review",
  blocked: "todo",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

const fileOf = (status: string, id: string) => `${folder[status]}/${id}.md`;

async function assertMoves(board: Board, from: string, to: string): Promise<void> {
  const { id } = await board.add({ title: `From ${from} to ${to}`, status: from });
  const answer = await board.ask("POST", `/tasks/${id}/move`, { status: to });
  expect([answer.status, answer.body.success, answer.body.task.status]).toEqual([200, true, to]);
  expect(board.files().filter((path) => path.endsWith(`/${id}.md`))).toEqual([fileOf(to, id)]);
  expect(board.read(`TASKS/${fileOf(to, id)}`)).toContain(`\nstatus: ${to}\n`);
  expect(answer.body.task.path).toBe(`projects/alpha/TASKS/${fileOf(to, id)}`);
  expect(await board.get(id)).toEqual(answer.body.task);
}

async function assertRefused(board: Board, from: string, to: string): Promise<void> {
  const task = await board.add({ title: `From ${from} to ${to}`, status: from });
  const before = contentsOf(board.at("TASKS"));
  const { status, body } = await board.ask("POST", `/tasks/${task.id}/move`, { status: to });
  expect([status, body.error.code]).toEqual([409, "illegal_move"]);
  for (const other of legal[from] ?? []) expect(body.error.message).toContain(other);
  const named = body.error.message.split("can become ")[1]?.replace(/\.$/, "").split(", ");
  expect(named?.sort()).toEqual([...(legal[from] ?? [])].sort());
  expect(contentsOf(board.at("TASKS"))).toEqual(before);
  expect(await board.get(task.id)).toEqual(task);
}

describe("moving a task over the board", () => {
  it.each(statuses)(
    "from %s is possible to its legal statuses, into their folders, and to no other [S0-TASK-09 S0-TASK-12 S0-API-19]",
    async (from) => {
      const board = await startBoard();
      for (const to of statuses) {
        if (legal[from]?.includes(to)) await assertMoves(board, from, to);
        else await assertRefused(board, from, to);
      }
    },
  );

  it("is the same over PUT, except that a task may keep the status it has [S0-TASK-09]", async () => {
    const board = await startBoard();
    for (const from of statuses) {
      for (const to of statuses) {
        const { id } = await board.add({ title: "x", status: from });
        const { status, body } = await board.ask("PUT", `/tasks/${id}`, { status: to });
        const allowed = from === to || legal[from]?.includes(to);
        expect([status, body.task?.status ?? body.error.code], `${from} → ${to}`).toEqual(
          allowed ? [200, to] : [409, "illegal_move"],
        );
        expect(board.files()).toContain(fileOf(allowed ? to : from, id));
      }
    }
  });

  it("takes the words of other systems for the statuses they mean [S0-TASK-09 S4-TASK-04]", async () => {
    const board = await startBoard();
    for (const [alias, from, to] of [
      ["todo", "in-progress", "pending"],
      ["in_progress", "pending", "in-progress"],
      ["in_review", "in-progress", "review"],
      ["completed", "review", "done"],
    ] as const) {
      const { id } = await board.add({ title: "x", status: from });
      expect((await board.move(id, alias)).status).toBe(to);
      expect(board.read(`TASKS/${fileOf(to, id)}`)).toContain(`\nstatus: ${to}\n`);
    }
  });

  it("refuses a status that there is not, naming those there are, and a body that asks for more", async () => {
    const board = await startBoard();
    const task = await board.add("x");
    for (const body of [{ status: "dnoe" }, {}, { status: "done", colour: "red" }, { status: null }]) {
      const answer = await board.ask("POST", "/tasks/TASK-001/move", body);
      expect(answer.status).toBe(422);
    }
    const { error } = (await board.ask("POST", "/tasks/TASK-001/move", { status: "approved" })).body;
    for (const status of statuses) expect(error.message).toContain(status);
    expect(await board.get("TASK-001")).toEqual(task);
  });

  it("writes the whole way into the history, in the answer and in the file", async () => {
    const board = await startBoard();
    await board.add("x");
    const way = ["assigned", "in-progress", "blocked", "in-progress", "review", "in-progress", "done"];
    for (const status of way) await board.move("TASK-001", status);
    const { history } = await board.get("TASK-001");
    expect(history.map((step) => [step.from, step.to])).toEqual(
      ["pending", ...way].map((to, at) => [at === 0 ? null : ["pending", ...way][at - 1], to]),
    );
    for (const [at, step] of history.entries()) {
      expect(step.by).toBe("person");
      if (at > 0) expect(step.at >= (history[at - 1]?.at ?? "")).toBe(true);
    }
    const text = board.read("TASKS/done/TASK-001.md");
    expect(text.match(/^ {2}- \{at: .*\}$/gm)).toHaveLength(way.length + 1);
    expect(text).toMatch(/\{at: "[^"]+", from: review, to: in-progress, by: person\}/);
  });

  it("stamps the first start and the last end, and forgets the end when work goes on [S0-TASK-10 S4-TASK-09]", async () => {
    const board = await startBoard();
    const created = await board.add("x");
    expect([created.startedAt, created.completedAt]).toEqual([undefined, undefined]);
    const started = await board.move("TASK-001", "in-progress");
    expect([started.startedAt, started.completedAt]).toEqual([started.history[1]?.at, undefined]);
    const done = await board.move("TASK-001", "done");
    expect([done.startedAt, done.completedAt]).toEqual([started.startedAt, done.history[2]?.at]);
    expect(board.read("TASKS/done/TASK-001.md")).toContain(`\ncompleted: ${done.completedAt}\n`);
    const reopened = await board.move("TASK-001", "in-progress");
    expect([reopened.startedAt, reopened.completedAt]).toEqual([started.startedAt, undefined]);
    expect(board.read("TASKS/in-progress/TASK-001.md")).not.toContain("completed:");
    expect((await board.move("TASK-001", "failed")).completedAt).toBeDefined();
    expect((await board.move("TASK-001", "cancelled")).completedAt).toBeDefined();
    expect((await board.move("TASK-001", "pending")).completedAt).toBeUndefined();
    expect((await board.get("TASK-001")).createdAt).toBe(created.createdAt);
  });

  it("finishes with an outcome and notes, and takes the outcome away when work goes on [S4-TASK-10]", async () => {
    const board = await startBoard();
    for (const outcome of ["full", "partial", "escalated", "skipped"]) {
      const { id } = await board.add({ title: "x", status: "in-progress" });
      const body = { status: "done", outcome, completionNotes: "How it went." };
      const { task } = (await board.ask("POST", `/tasks/${id}/move`, body)).body;
      expect(task).toMatchObject({ outcome, completionNotes: "How it went." });
      const text = board.read(`TASKS/done/${id}.md`);
      expect(text).toContain(`\noutcome: ${outcome}\n`);
      expect(text).toContain("\n## Completion Notes\nHow it went.\n");
      expect((await board.move(id, "in-progress")).outcome).toBeUndefined();
    }
  });

  it("puts the task into its folder even when someone has removed the folder", async () => {
    const board = await startBoard();
    await board.add("x");
    rmSync(board.at("TASKS/in-progress"), { recursive: true });
    expect((await board.move("TASK-001", "in-progress")).status).toBe("in-progress");
    expect(board.files()).toEqual(["in-progress/TASK-001.md"]);
  });

  it("is refused where another file stands in the way, which is named and left as it is", async () => {
    const board = await startBoard();
    await board.add("x");
    board.write("TASKS/in-progress/TASK-001.md", "someone else's");
    const before = contentsOf(board.at("TASKS"));
    const { status, body } = await board.ask("POST", "/tasks/TASK-001/move", { status: "in-progress" });
    expect([status, body.error.code]).toEqual([409, "file_invalid"]);
    expect(body.error.file).toBe("projects/alpha/TASKS/in-progress/TASK-001.md");
    expect(contentsOf(board.at("TASKS"))).toEqual(before);
  });

  it("decides between two that come at once: one moves the task, the other is refused", async () => {
    const board = await startBoard();
    await board.add({ title: "x", status: "review" });
    const answers = await Promise.all(
      ["done", "cancelled", "failed"].map((status) => board.ask("POST", "/tasks/TASK-001/move", { status })),
    );
    // Failed may still be cancelled; from done and cancelled none of these is reached.
    const moved = answers.filter((answer) => answer.status === 200);
    expect(moved.length).toBeGreaterThanOrEqual(1);
    expect(board.files()).toHaveLength(1);
    const task = await board.get("TASK-001");
    expect(task.history).toHaveLength(1 + moved.length);
    expect(board.files()).toEqual([fileOf(task.status, "TASK-001")]);
  });
});
