import { mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, boardOf, handMade, startBoard } from "../harness/board.ts";
import { eventually, spawnHall, startHall } from "../harness/daemon.ts";

const mark = (board: Board) => readFileSync(board.at("TASKS/.highwatermark"), "utf8");
const setMark = (board: Board, text: string) => writeFileSync(board.at("TASKS/.highwatermark"), text);
const nextId = async (board: Board) => (await board.add("Next")).id;

async function restarted(board: Board, meanwhile: () => void = () => undefined): Promise<Board> {
  await board.hall.stop();
  meanwhile();
  return boardOf(await startHall(board.hall.workspace));
}

const gone = (board: Board, id: string) =>
  eventually(
    () => board.ask("GET", `/tasks/${id}`),
    (answer) => answer.status === 404,
  );

describe("the number of a task", () => {
  it("counts up from one in each project, and the mark remembers the highest [S4-TASK-01]", async () => {
    const board = await startBoard();
    const other = await startBoard(board.hall, "beta");
    expect([await nextId(board), await nextId(board), await nextId(other)]).toEqual([
      "TASK-001",
      "TASK-002",
      "TASK-001",
    ]);
    expect([mark(board), mark(other)]).toEqual(["2\n", "1\n"]);
  });

  it("is never given again after the newest file was deleted, now or after a restart [S4-TASK-01]", async () => {
    const board = await startBoard();
    await nextId(board);
    const newest = await nextId(board);
    unlinkSync(board.at(`TASKS/todo/${newest}.md`));
    await gone(board, newest);
    expect(await nextId(board)).toBe("TASK-003");
    unlinkSync(board.at("TASKS/todo/TASK-003.md"));
    const again = await restarted(board);
    expect(await nextId(again)).toBe("TASK-004");
    const rebuilt = await restarted(again, () => {
      unlinkSync(board.at("TASKS/todo/TASK-004.md"));
      rmSync(`${board.hall.workspace}/.guildhall/index.db`);
    });
    expect(await nextId(rebuilt)).toBe("TASK-005");
  });

  it("goes on behind a file that someone made by hand, and remembers it when it goes [S4-TASK-01]", async () => {
    const board = await startBoard();
    board.write("TASKS/done/TASK-041.md", handMade("TASK-041"));
    await eventually(
      () => board.list(),
      ({ tasks }) => tasks.length === 1,
    );
    expect(await nextId(board)).toBe("TASK-042");
    board.write("TASKS/todo/TASK-060.md", handMade("TASK-060"));
    await board.get("TASK-060");
    unlinkSync(board.at("TASKS/todo/TASK-060.md"));
    await gone(board, "TASK-060");
    expect(await nextId(board)).toBe("TASK-061");
  });

  it("goes on behind a file that the daemon has not noticed yet", async () => {
    const board = await startBoard();
    board.write("TASKS/review/TASK-001.md", handMade("TASK-001"));
    const made = await nextId(board);
    expect(made).not.toBe("TASK-001");
    expect(board.read("TASKS/review/TASK-001.md")).toContain("by hand");
  });

  it("remembers a file that was found while the index was built, even when it goes while nobody looks", async () => {
    const board = await startBoard();
    const index = () => rmSync(`${board.hall.workspace}/.guildhall/index.db`);
    const found = await restarted(board, () => {
      board.write("TASKS/todo/TASK-030.md", handMade("TASK-030"));
      index();
    });
    const lost = await restarted(found, () => {
      unlinkSync(board.at("TASKS/todo/TASK-030.md"));
      index();
    });
    expect(await nextId(lost)).toBe("TASK-031");
  });

  it("goes on behind a mark that was raised by hand, in whatever way it is written [S4-TASK-01]", async () => {
    const board = await startBoard();
    await nextId(board);
    setMark(board, "100");
    expect(await nextId(board)).toBe("TASK-101");
    setMark(board, "  0000000000150 \r\n");
    const padded = await nextId(board);
    unlinkSync(board.at(`TASKS/todo/${padded}.md`));
    expect(Number(mark(board))).toBe(Number(padded.slice(5)));
    const again = await restarted(board);
    expect(Number((await nextId(again)).slice(5))).toBe(Number(padded.slice(5)) + 1);
  });

  it("does not go back when the mark is lowered, emptied, scribbled on or removed [S4-TASK-01]", async () => {
    const board = await startBoard();
    for (let number = 1; number <= 3; number++) await nextId(board);
    for (const text of ["1", "", "many", "-5", "1.5e3", "9".repeat(30)]) {
      setMark(board, text);
      const before = Math.max(...(await board.list("?limit=1000")).tasks.map((task) => Number(task.id.slice(5))));
      expect(await nextId(board), JSON.stringify(text)).toBe(`TASK-${String(before + 1).padStart(3, "0")}`);
    }
    rmSync(board.at("TASKS/.highwatermark"));
    expect(await nextId(board)).toBe("TASK-010");
    expect(mark(board)).toBe("10\n");
    const again = await restarted(board, () => rmSync(board.at("TASKS/.highwatermark")));
    expect(await nextId(again)).toBe("TASK-011");
  });

  it("grows beyond three digits, in the file's name, in lists and in sorting", async () => {
    const board = await startBoard();
    setMark(board, "998\n");
    expect([await nextId(board), await nextId(board), await nextId(board)]).toEqual([
      "TASK-999",
      "TASK-1000",
      "TASK-1001",
    ]);
    expect(board.files()).toContain("todo/TASK-1000.md");
    expect((await board.list()).tasks.map((task) => task.id)).toEqual(["TASK-999", "TASK-1000", "TASK-1001"]);
    expect((await board.move("TASK-1000", "in-progress")).path).toBe("projects/alpha/TASKS/in-progress/TASK-1000.md");
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.get("TASK-1000")).status).toBe("in-progress");
  });

  it("is refused, with the mark named, when the mark leaves none", async () => {
    const board = await startBoard();
    setMark(board, "999999999999");
    const answer = await board.ask("POST", "/tasks", { title: "x" });
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({ code: "file_invalid", file: "projects/alpha/TASKS/.highwatermark" });
    setMark(board, "5");
    expect(await nextId(board)).toBe("TASK-006");
  });

  it("is given once to each of 200 tasks that are made at the same time [S4-TASK-01]", async () => {
    const hall = await spawnHall();
    const board = await startBoard(hall);
    const made = await Promise.all(Array.from({ length: 200 }, (_, at) => board.add(`Task ${at}`)));
    const ids = new Set(made.map((task) => task.id));
    expect(ids.size).toBe(200);
    expect(board.files()).toHaveLength(200);
    for (const task of made) expect(board.read(`TASKS/todo/${task.id}.md`)).toContain(`# ${task.title}\n`);
    expect((await board.list("?limit=1000")).tasks).toHaveLength(200);
    expect(mark(board)).toBe("200\n");
  });

  it("is given once although a person makes files with the next numbers at the same time", async () => {
    const board = await startBoard();
    const byHand = Array.from({ length: 40 }, (_, at) => `TASK-${String(2 * at + 1).padStart(3, "0")}`);
    const tasks = await Promise.all(
      byHand.map((id, at) => {
        if (!board.files().includes(`todo/${id}.md`)) board.write(`TASKS/todo/${id}.md`, handMade(id));
        return board.add(`Made ${at}`);
      }),
    );
    expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length);
    for (const task of tasks) expect(board.read(`TASKS/todo/${task.id}.md`)).toContain(`# ${task.title}\n`);
  });

  it("is refused while the mark is no file, which stops nothing else", async () => {
    const board = await startBoard();
    rmSync(board.at("TASKS/.highwatermark"));
    mkdirSync(board.at("TASKS/.highwatermark"));
    board.write("TASKS/todo/TASK-007.md", handMade("TASK-007"));
    await eventually(
      () => board.list(),
      ({ tasks }) => tasks.length === 1,
    );
    const answer = await board.ask("POST", "/tasks", { title: "x" });
    expect([answer.status, answer.body.error.code]).toEqual([403, "path_refused"]);
    expect(answer.body.error.message).toContain(".highwatermark");
    const again = await restarted(board, () => rmSync(`${board.hall.workspace}/.guildhall/index.db`));
    expect((await again.list()).tasks).toHaveLength(1);
    rmSync(board.at("TASKS/.highwatermark"), { recursive: true });
    expect(await nextId(again)).toBe("TASK-008");
  });
});
