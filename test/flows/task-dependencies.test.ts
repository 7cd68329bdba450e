import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, contentsOf, handMade, startBoard } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";

const A = "TASK-001";
const B = "TASK-002";
const C = "TASK-003";

async function boardOfThree(): Promise<Board> {
  const board = await startBoard();
  for (const title of ["A", "B", "C"]) await board.add(title);
  return board;
}

const edges = async (board: Board, id: string) => {
  const { blocks, blockedBy, waitingOn, ready } = await board.get(id);
  return { blocks, blockedBy, waitingOn, ready };
};

describe("dependencies between tasks", () => {
  it("are seen from both sides, whichever side told of them [S4-TASK-07]", async () => {
    const board = await boardOfThree();
    await board.update(B, { blockedBy: [A] });
    await board.update(C, { blocks: [A] });
    expect(await edges(board, A)).toEqual({ blocks: [B], blockedBy: [C], waitingOn: [C], ready: false });
    expect(await edges(board, B)).toEqual({ blocks: [], blockedBy: [A], waitingOn: [A], ready: false });
    expect(await edges(board, C)).toEqual({ blocks: [A], blockedBy: [], waitingOn: [], ready: true });
    expect(board.read(`TASKS/todo/${B}.md`)).toContain(`\nblockedBy: [${A}]\n`);
    expect(board.read(`TASKS/todo/${C}.md`)).toContain(`\nblocks: [${A}]\n`);
  });

  it("can be given when a task is made [S4-TASK-07]", async () => {
    const board = await boardOfThree();
    const task = await board.add({ title: "D", blockedBy: [A], blocks: [B, C] });
    expect(task).toMatchObject({ blocks: [B, C], blockedBy: [A], waitingOn: [A], ready: false });
    expect((await board.get(B)).blockedBy).toEqual([task.id]);
    expect((await board.get(A)).blocks).toEqual([task.id]);
  });

  it("make a task ready when everything it waits for is done or cancelled, and only then", async () => {
    const board = await boardOfThree();
    await board.update(C, { blockedBy: [A, B] });
    await board.move(A, "in-progress");
    await board.move(A, "done");
    expect(await edges(board, C)).toMatchObject({ waitingOn: [B], ready: false, blockedBy: [A, B] });
    await board.move(B, "failed");
    expect(await edges(board, C)).toMatchObject({ waitingOn: [B], ready: false });
    await board.move(B, "cancelled");
    expect(await edges(board, C)).toMatchObject({ waitingOn: [], ready: true, blockedBy: [A, B] });
    await board.move(A, "in-progress");
    expect(await edges(board, C)).toMatchObject({ waitingOn: [A], ready: false });
    expect((await board.get(C)).status).toBe("pending");
  });

  it("leave a task that has been started, is blocked or is finished not ready, whatever it waits for", async () => {
    const board = await startBoard();
    const ready: Record<string, boolean> = {};
    for (const status of ["pending", "assigned", "in-progress", "review", "blocked", "done", "failed", "cancelled"])
      ready[status] = (await board.add({ title: "x", status })).ready;
    expect(Object.keys(ready).filter((status) => ready[status])).toEqual(["pending", "assigned"]);
  });

  it("must name tasks that there are, and are refused whole otherwise [S4-TASK-07]", async () => {
    const board = await boardOfThree();
    const before = contentsOf(board.at("."));
    for (const [method, path, body] of [
      ["POST", "/tasks", { title: "x", blockedBy: [A, "TASK-404"], plan: "new-plan" }],
      ["POST", "/tasks", { title: "x", blocks: ["TASK-404"] }],
      ["PUT", `/tasks/${A}`, { blockedBy: [B, "TASK-404"], plan: "new-plan" }],
      ["PUT", `/tasks/${A}`, { blocks: ["TASK-404"], title: "Other" }],
    ] as const) {
      const answer = await board.ask(method, path, body);
      expect([answer.status, answer.body.error.code]).toEqual([422, "invalid"]);
      expect(answer.body.error.message).toContain("TASK-404");
    }
    expect(contentsOf(board.at("."))).toEqual(before);
  });

  it("never form a circle: the one that would close it is refused and the way round is named [S4-TASK-07]", async () => {
    const board = await boardOfThree();
    const refused = async (id: string, body: object, way: string[]) => {
      const before = contentsOf(board.at("TASKS"));
      const answer = await board.ask("PUT", `/tasks/${id}`, body);
      expect([answer.status, answer.body.error.code]).toEqual([409, "dependency_cycle"]);
      expect(answer.body.error.message).toContain(way.join(" → "));
      expect(contentsOf(board.at("TASKS"))).toEqual(before);
    };
    await refused(A, { blockedBy: [A] }, [A, A]);
    await refused(A, { blocks: [A] }, [A, A]);
    await board.update(B, { blockedBy: [A] });
    await refused(A, { blockedBy: [B] }, [A, B, A]);
    await refused(B, { blocks: [A] }, [B, A, B]);
    await board.update(C, { blockedBy: [B] });
    await refused(A, { blockedBy: [C] }, [A, C, B, A]);
    await refused(C, { blocks: [A] }, [C, B, A, C]);
    await refused(B, { blockedBy: [A, C] }, [B, C, B]);
  });

  it("form no circle through a task that is only being made", async () => {
    const board = await boardOfThree();
    await board.update(B, { blockedBy: [A] });
    const answer = await board.ask("POST", "/tasks", { title: "x", blocks: [A], blockedBy: [B] });
    expect([answer.status, answer.body.error.code]).toEqual([409, "dependency_cycle"]);
    for (const id of [A, B]) expect(answer.body.error.message).toContain(id);
    expect(board.files()).toHaveLength(3);
  });

  it("form no circle when two changes come at once that are harmless one by one", async () => {
    const board = await boardOfThree();
    const answers = await Promise.all([
      board.ask("PUT", `/tasks/${A}`, { blockedBy: [B] }),
      board.ask("PUT", `/tasks/${B}`, { blockedBy: [C] }),
      board.ask("PUT", `/tasks/${C}`, { blockedBy: [A] }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 409]);
  });

  it("may meet again without a circle", async () => {
    const board = await boardOfThree();
    await board.update(B, { blockedBy: [A] });
    await board.update(C, { blockedBy: [A, B] });
    const last = await board.add({ title: "D", blockedBy: [B, C] });
    expect(last.waitingOn).toEqual([B, C]);
  });

  it("can be cut from either side, also where the other file declares them [S4-TASK-07]", async () => {
    const board = await boardOfThree();
    await board.update(B, { blockedBy: [A] });
    await board.update(C, { blocks: [A] });
    const cut = await board.update(A, { blocks: [], blockedBy: [] });
    expect(cut).toMatchObject({ blocks: [], blockedBy: [], ready: true });
    for (const id of [A, B, C]) expect(await edges(board, id)).toMatchObject({ blocks: [], blockedBy: [] });
    for (const id of [B, C]) expect(board.read(`TASKS/todo/${id}.md`)).not.toMatch(/^block/m);
  });

  it("are not cut in another file when the request is refused", async () => {
    const board = await boardOfThree();
    await board.update(B, { blocks: [A] });
    const before = contentsOf(board.at("TASKS"));
    const illegal = await board.ask("PUT", `/tasks/${A}`, { blockedBy: [], status: "review" });
    expect(illegal.status).toBe(409);
    const stale = await board.ask("PUT", `/tasks/${A}`, { blockedBy: [] }, { "if-match": '"stale"' });
    expect(stale.status).toBe(412);
    expect(contentsOf(board.at("TASKS"))).toEqual(before);
    expect((await board.get(A)).blockedBy).toEqual([B]);
  });

  it("are declared once: what the other file tells is not written here too", async () => {
    const board = await boardOfThree();
    await board.update(B, { blocks: [A] });
    await board.update(A, { blockedBy: [B, C] });
    expect(board.read(`TASKS/todo/${A}.md`)).toContain(`\nblockedBy: [${C}]\n`);
    expect((await board.get(A)).blockedBy).toEqual([B, C]);
  });

  it("written by hand count as well, also to tasks that are not there yet, and even in a circle", async () => {
    const board = await boardOfThree();
    const text = board.read(`TASKS/todo/${A}.md`);
    board.write(`TASKS/todo/${A}.md`, text.replace("\ntype:", `\nblockedBy: [${B}, TASK-009]\ntype:`));
    expect(await edges(board, A)).toMatchObject({ blockedBy: [B, "TASK-009"], waitingOn: [B, "TASK-009"] });
    const other = board.read(`TASKS/todo/${B}.md`);
    board.write(`TASKS/todo/${B}.md`, other.replace("\ntype:", `\nblockedBy: [${A}]\ntype:`));
    expect(await edges(board, B)).toMatchObject({ blockedBy: [A], waitingOn: [A], ready: false });
    board.write("TASKS/done/TASK-009.md", handMade("TASK-009", { status: "done" }));
    await eventually(
      () => board.get(A),
      (task) => task.waitingOn.join() === B,
    );
  });

  it("written by hand do not keep a client from sending back what it read, nor from mending them", async () => {
    const board = await boardOfThree();
    const text = board.read(`TASKS/todo/${A}.md`);
    board.write(`TASKS/todo/${A}.md`, text.replace("\ntype:", `\nblockedBy: [${A}, TASK-404]\ntype:`));
    const task = await board.get(A);
    expect(task.blockedBy).toEqual([A, "TASK-404"]);
    expect((await board.update(A, { ...task, title: "Renamed" })).title).toBe("Renamed");
    expect((await board.update(A, { blockedBy: ["TASK-404"] })).blockedBy).toEqual(["TASK-404"]);
    expect((await board.update(A, { blockedBy: [] })).ready).toBe(true);
  });

  it("keep a task waiting for one whose file is gone", async () => {
    const board = await boardOfThree();
    await board.update(B, { blockedBy: [A] });
    rmSync(board.at(`TASKS/todo/${A}.md`));
    await eventually(
      () => board.list(),
      ({ tasks }) => tasks.length === 2,
    );
    expect(await edges(board, B)).toMatchObject({ blockedBy: [A], waitingOn: [A], ready: false });
  });
});
