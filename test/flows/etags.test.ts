import { describe, expect, it } from "vitest";
import { type Board, startBoard } from "../harness/board.ts";

const TASK = "/tasks/TASK-001";
const change = (board: Board, etag: string, body: object = { title: "Changed" }) =>
  board.ask("PUT", TASK, body, { "if-match": etag });
const read = (board: Board, etag: string) => board.ask("GET", TASK, undefined, { "if-none-match": etag });
const etagOf = async (board: Board) => (await board.ask("GET", TASK)).headers.get("etag") ?? "";

describe("the version of a task", () => {
  it("is told with every answer about it and changes with the file", async () => {
    const board = await startBoard();
    const made = await board.ask("POST", "/tasks", { title: "x" });
    const etag = made.headers.get("etag");
    expect(etag).toBe(`"${made.body.task.etag}"`);
    expect(await etagOf(board)).toBe(etag);
    const changed = await board.ask("PUT", TASK, { title: "y" });
    expect(changed.headers.get("etag")).toBe(`"${changed.body.task.etag}"`);
    expect(changed.body.task.etag).not.toBe(made.body.task.etag);
    const moved = await board.ask("POST", `${TASK}/move`, { status: "in-progress" });
    expect(moved.headers.get("etag")).toBe(await etagOf(board));
    const before = await etagOf(board);
    board.write("TASKS/in-progress/TASK-001.md", `${board.read("TASKS/in-progress/TASK-001.md")}\nmore\n`);
    expect(await etagOf(board)).not.toBe(before);
  });

  it("lets a change through when it is the one that was read", async () => {
    const board = await startBoard();
    await board.add("x");
    expect((await change(board, await etagOf(board))).status).toBe(200);
    expect((await change(board, "*", { title: "Any" })).status).toBe(200);
    const { etag } = await board.get("TASK-001");
    expect((await change(board, `"${etag}"`, { title: "From the body" })).status).toBe(200);
  });

  it("refuses a change that would undo another one, made over the API or by hand", async () => {
    const board = await startBoard();
    await board.add("x");
    const old = await etagOf(board);
    await board.update("TASK-001", { notes: "of someone else" });
    for (const answer of [
      await change(board, old),
      await board.ask("POST", `${TASK}/move`, { status: "in-progress" }, { "if-match": old }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([412, "version_mismatch"]);
      expect(answer.body.error.hint).toContain("Read the document again");
    }
    const now = await etagOf(board);
    board.write("TASKS/todo/TASK-001.md", board.read("TASKS/todo/TASK-001.md").replace("# x", "# By hand"));
    expect((await change(board, now)).status).toBe(412);
    expect(await board.get("TASK-001")).toMatchObject({
      title: "By hand",
      notes: "of someone else",
      status: "pending",
    });
  });

  it("lets one of many through that come at once", async () => {
    const board = await startBoard();
    await board.add("x");
    const etag = await etagOf(board);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => change(board, etag, { title: `By ${at}` })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(412)]);
    const winner = answers.find((answer) => answer.status === 200);
    expect((await board.get("TASK-001")).title).toBe(winner?.body.task.title);
  });

  it("must be given as one strong etag", async () => {
    const board = await startBoard();
    await board.add("x");
    const etag = await etagOf(board);
    for (const header of [`W/${etag}`, `${etag}, "other"`, '""', '"nonsense"'])
      expect([400, 412]).toContain((await change(board, header)).status);
    expect((await board.get("TASK-001")).title).toBe("x");
  });

  it("spares a client what it has already", async () => {
    const board = await startBoard();
    await board.add("x");
    const etag = await etagOf(board);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await read(board, header);
      expect([header, answer.status, answer.body]).toEqual([header, 304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
    }
    expect((await read(board, '"other"')).status).toBe(200);
    await board.update("TASK-001", { title: "y" });
    expect((await read(board, etag)).status).toBe(200);
  });

  it("covers what follows from other tasks: a copy is not called fresh when only they have changed", async () => {
    const board = await startBoard();
    await board.add("x");
    const alone = await etagOf(board);
    await board.add({ title: "Waits", blockedBy: ["TASK-001"] });
    const blocking = await read(board, alone);
    expect([blocking.status, blocking.body.task?.blocks]).toEqual([200, ["TASK-002"]]);
    const seen = blocking.headers.get("etag") ?? "";
    expect((await read(board, seen)).status).toBe(304);
    await board.update("TASK-002", { blockedBy: [] });
    const freed = await read(board, seen);
    expect([freed.status, freed.body.task?.blocks]).toEqual([200, []]);

    await board.update("TASK-002", { blocks: ["TASK-001"] });
    const waiting = await read(board, alone);
    expect([waiting.status, waiting.body.task?.ready]).toEqual([200, false]);
    const held = waiting.headers.get("etag") ?? "";
    await board.move("TASK-002", "cancelled");
    const ready = await read(board, held);
    expect([ready.status, ready.body.task?.ready]).toEqual([200, true]);
    expect((await change(board, held, { title: "By the header" })).status).toBe(200);
  });
});
