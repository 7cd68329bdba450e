import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/documents/task.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import { type Board, boardOf, eventsOf, eventTold, handMade, startBoard } from "../harness/board.ts";
import { eventually, startHall } from "../harness/daemon.ts";

const FILE = "TASKS/todo/TASK-001.md";

/** Waits until a list answers as wanted; only `GET` of one task reads through to the file. */
const listed = (board: Board, isWanted: (tasks: Task[]) => boolean, query = "") =>
  eventually(
    async () => (await board.list(query)).tasks,
    (tasks) => isWanted(tasks),
  );
const titles = (tasks: Task[]) => tasks.map((task) => task.title).join();

async function restarted(board: Board, meanwhile: () => void): Promise<Board> {
  await board.hall.stop();
  meanwhile();
  return boardOf(await startHall(board.hall.workspace), board.projectId);
}

/** What a person does to the files of a board with one task, and what the board then shows. */
const DEEDS: [
  name: string,
  deed: (board: Board) => void,
  told: Pick<HallEvent, "type"> & Partial<HallEvent>,
  seen: (tasks: Task[]) => void,
][] = [
  [
    "makes a new file",
    (board) => board.write("TASKS/review/TASK-005.md", handMade("TASK-005", { priority: "high" })),
    { type: "task.created", subject: { kind: "task", id: "TASK-005" } },
    (tasks) => {
      expect(tasks).toHaveLength(2);
      expect(tasks[1]).toMatchObject({ title: "TASK-005 by hand", status: "review", priority: "high" });
    },
  ],
  [
    "edits a file",
    (board) => board.write(FILE, board.read(FILE).replace("# One", "# Edited").replace("medium", "urgent")),
    { type: "task.updated", before: { title: "One" }, after: { title: "Edited", priority: "urgent" } },
    (tasks) => expect(tasks).toMatchObject([{ title: "Edited", priority: "urgent", status: "pending" }]),
  ],
  [
    "saves a file as editors do, by a new one renamed over it",
    (board) => {
      board.write("TASKS/todo/4913", "");
      board.write("TASKS/todo/.TASK-001.md.swp", "x");
      board.write("TASKS/todo/TASK-001.md~", board.read(FILE).replace("# One", "# Saved"));
      renameSync(board.at("TASKS/todo/TASK-001.md~"), board.at(FILE));
      unlinkSync(board.at("TASKS/todo/4913"));
    },
    { type: "task.updated", after: { title: "Saved" } },
    (tasks) => expect(titles(tasks)).toBe("Saved"),
  ],
  [
    "deletes a file",
    (board) => unlinkSync(board.at(FILE)),
    { type: "task.removed", before: { title: "One", status: "pending" } },
    (tasks) => expect(tasks).toEqual([]),
  ],
  [
    "drags a file into another folder",
    (board) => renameSync(board.at(FILE), board.at("TASKS/done/TASK-001.md")),
    { type: "task.moved", before: { status: "pending" }, after: { status: "done" } },
    (tasks) => {
      expect(tasks).toMatchObject([{ status: "done", path: "projects/alpha/TASKS/done/TASK-001.md" }]);
      expect(tasks[0]?.history).toMatchObject([{ to: "pending" }, { from: "pending", to: "done", by: "person" }]);
      expect(tasks[0]?.completedAt).toBe(tasks[0]?.history[1]?.at);
    },
  ],
  [
    "changes the status in a file",
    (board) => board.write(FILE, board.read(FILE).replace("status: pending", "status: completed")),
    { type: "task.moved", before: { status: "pending" }, after: { status: "done" } },
    (tasks) => {
      expect(tasks).toMatchObject([{ status: "done", path: "projects/alpha/TASKS/done/TASK-001.md" }]);
      expect(tasks[0]?.history).toMatchObject([{ to: "pending" }, { from: "pending", to: "done", by: "person" }]);
      expect(tasks[0]?.completedAt).toBe(tasks[0]?.history[1]?.at);
    },
  ],
  [
    "changes the status within a folder",
    (board) => board.write(FILE, board.read(FILE).replace("status: pending", "status: blocked")),
    { type: "task.moved", before: { status: "pending" }, after: { status: "blocked" } },
    (tasks) => {
      expect(tasks).toMatchObject([{ status: "blocked", path: "projects/alpha/TASKS/todo/TASK-001.md" }]);
      expect(tasks[0]?.history.at(-1)).toMatchObject({ from: "pending", to: "blocked", by: "person" });
    },
  ],
];

describe("while the daemon runs", () => {
  it.each(DEEDS)("a person %s: lists, files and the log follow [S0-DB-08]", async (_name, deed, told, seen) => {
    const board = await startBoard();
    await board.add("One");
    deed(board);
    const event = await eventTold(board.hall, (found) => found.type === told.type && found.actor.via === "file");
    expect(event).toMatchObject({ ...told, actor: { kind: "person", via: "file" }, projectId: "alpha" });
    const { tasks, invalid } = await board.list();
    seen(tasks);
    expect(invalid).toEqual([]);
    const files = tasks.map((task) => task.path.split("TASKS/")[1]).sort();
    expect(board.files().filter((path) => /\/TASK-\d+\.md$/.test(path))).toEqual(files);
    for (const task of tasks)
      expect(board.read(`TASKS/${task.path.split("TASKS/")[1]}`)).not.toMatch(/^status: pending\ncompleted/m);
  });

  it("reading one task sees an edit at once", async () => {
    const board = await startBoard();
    await board.add("One");
    for (let turn = 1; turn <= 5; turn++) {
      board.write(FILE, board.read(FILE).replace(/^# .*$/m, `# Turn ${turn}`));
      expect((await board.get("TASK-001")).title).toBe(`Turn ${turn}`);
    }
    renameSync(board.at(FILE), board.at("TASKS/review/TASK-001.md"));
    expect((await board.get("TASK-001")).status).toBe("review");
    board.write("TASKS/done/TASK-777.md", handMade("TASK-777"));
    expect((await board.get("TASK-777")).status).toBe("done");
    unlinkSync(board.at("TASKS/review/TASK-001.md"));
    expect((await board.ask("GET", "/tasks/TASK-001")).status).toBe(404);
  });

  it("an edit that keeps size and time is seen all the same when the file is another", async () => {
    const board = await startBoard();
    await board.add("One");
    const time = new Date("2026-01-01T00:00:00Z");
    utimesSync(board.at(FILE), time, time);
    await board.get("TASK-001");
    board.write("TASKS/todo/new.tmp", board.read(FILE).replace("# One", "# Two"));
    utimesSync(board.at("TASKS/todo/new.tmp"), time, time);
    renameSync(board.at("TASKS/todo/new.tmp"), board.at(FILE));
    expect((await board.get("TASK-001")).title).toBe("Two");
  });

  it("a change over the API keeps what was edited by hand a moment before", async () => {
    const board = await startBoard();
    await board.add("One");
    board.write(FILE, board.read(FILE).replace("# One", "# By hand").replace("\n---\n\n", "\nmine: 1\n---\n\n"));
    expect(await board.update("TASK-001", { priority: "low" })).toMatchObject({ title: "By hand", priority: "low" });
    expect(board.read(FILE)).toContain("\nmine: 1\n");
    renameSync(board.at(FILE), board.at("TASKS/in-progress/TASK-001.md"));
    expect((await board.move("TASK-001", "review")).history.map((step) => step.to)).toEqual([
      "pending",
      "in-progress",
      "review",
    ]);
    expect(board.files()).toEqual(["review/TASK-001.md"]);
  });

  it("a renamed file is missed under its old name and invalid under its new one until its id fits", async () => {
    const board = await startBoard();
    await board.add("One");
    renameSync(board.at(FILE), board.at("TASKS/todo/TASK-044.md"));
    const { invalid } = await eventually(
      () => board.list(),
      (list) => list.tasks.length === 0 && list.invalid.length === 1,
    );
    expect(invalid[0]).toMatchObject({ file: "projects/alpha/TASKS/todo/TASK-044.md", line: 2 });
    expect(invalid[0]?.reason).toContain("TASK-001");
    const text = board.read("TASKS/todo/TASK-044.md");
    board.write("TASKS/todo/TASK-044.md", text.replace("id: TASK-001", "id: TASK-044"));
    expect((await listed(board, (tasks) => tasks.length === 1))[0]?.id).toBe("TASK-044");
    expect((await board.list()).invalid).toEqual([]);
    expect((await board.add("Next")).id).toBe("TASK-045");
  });

  it("a copy names the file that the task is in, also after the task was moved", async () => {
    const board = await startBoard();
    await board.add("One");
    copyFileSync(board.at(FILE), board.at("TASKS/review/TASK-001.md"));
    const named = async () => (await board.list()).invalid[0]?.reason ?? "";
    expect(await eventually(named, (reason) => reason !== "")).toContain(FILE);
    await board.move("TASK-001", "in-progress");
    expect(await named()).toContain("TASKS/in-progress/TASK-001.md");
  });

  it("a copy in another folder is invalid, and takes the place when the original goes", async () => {
    const board = await startBoard();
    await board.add("One");
    copyFileSync(board.at(FILE), board.at("TASKS/review/TASK-001.md"));
    const { tasks, invalid } = await eventually(
      () => board.list(),
      (list) => list.invalid.length === 1,
    );
    expect(tasks).toMatchObject([{ id: "TASK-001", status: "pending" }]);
    expect(invalid[0]).toMatchObject({ file: "projects/alpha/TASKS/review/TASK-001.md", id: "TASK-001" });
    unlinkSync(board.at(FILE));
    await listed(board, (found) => found[0]?.status === "review");
    expect((await board.list()).invalid).toEqual([]);
    expect(board.read("TASKS/review/TASK-001.md")).toContain("\nstatus: review\n");
  });

  it("500 files that come, change, move and go at once are all followed", async () => {
    const board = await startBoard();
    const ids = Array.from({ length: 500 }, (_, at) => `TASK-${String(at + 1).padStart(3, "0")}`);
    for (const id of ids) board.write(`TASKS/todo/${id}.md`, handMade(id));
    await eventually(
      async () => (await board.list("?limit=1000")).tasks.length,
      (count) => count === 500,
    );
    for (const id of ids.slice(0, 250)) board.write(`TASKS/todo/${id}.md`, handMade(id, { priority: "urgent" }));
    for (const id of ids.slice(250, 400)) renameSync(board.at(`TASKS/todo/${id}.md`), board.at(`TASKS/done/${id}.md`));
    for (const id of ids.slice(400)) unlinkSync(board.at(`TASKS/todo/${id}.md`));
    const count = async (query: string) => (await board.list(`?limit=1000&${query}`)).tasks.length;
    const counts = () => Promise.all([count("priority=urgent"), count("status=done"), count("status=todo")]);
    await eventually(counts, (found) => found.join() === "250,150,250");
    expect((await board.add("Next")).id).toBe("TASK-501");
  });

  it("a file is followed in a folder that was removed and made again", async () => {
    const board = await startBoard();
    await board.add("One");
    rmSync(board.at("TASKS/todo"), { recursive: true });
    await listed(board, (tasks) => tasks.length === 0);
    mkdirSync(board.at("TASKS/todo"));
    board.write("TASKS/todo/TASK-009.md", handMade("TASK-009"));
    await listed(board, (tasks) => tasks.length === 1);
    board.write("TASKS/todo/TASK-009.md", handMade("TASK-009", { priority: "low" }));
    await listed(board, (tasks) => tasks[0]?.priority === "low");
    expect((await board.add("Two")).id).toBe("TASK-010");
  });

  it("a link, a folder or a pipe with a task's name is refused without being followed or waited for", async () => {
    const board = await startBoard();
    writeFileSync(`${board.hall.workspace}/../outside.md`, handMade("TASK-002"));
    symlinkSync(`${board.hall.workspace}/../outside.md`, board.at("TASKS/todo/TASK-002.md"));
    mkdirSync(board.at("TASKS/todo/TASK-003.md"));
    execFileSync("mkfifo", [board.at("TASKS/todo/TASK-004.md")]);
    for (const id of ["TASK-002", "TASK-003", "TASK-004"]) {
      const answer = await board.ask("GET", `/tasks/${id}`);
      expect([id, answer.status >= 400 && answer.status < 500]).toEqual([id, true]);
    }
    expect((await board.list()).tasks).toEqual([]);
    const made = await board.add("Goes round them");
    expect(made.id).not.toMatch(/TASK-00[234]/);
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.list()).tasks).toEqual([made]);
  });
});

describe("while the daemon is down", () => {
  it.each(DEEDS)("a person %s: the next start has it [S0-DB-08]", async (_name, deed, told, seen) => {
    const board = await startBoard();
    await board.add("One");
    const again = await restarted(board, () => deed(board));
    const { tasks, invalid } = await again.list();
    seen(tasks);
    expect(invalid).toEqual([]);
    const event = (await eventsOf(again.hall)).find((found) => found.type === told.type && found.actor.via === "file");
    expect(event).toMatchObject(told);
  });

  it("nothing happens: the next start tells of nothing and changes nothing", async () => {
    const board = await startBoard();
    await board.add("One");
    board.write("TASKS/done/TASK-004.md", handMade("TASK-004"));
    await listed(board, (tasks) => tasks.length === 2);
    const before = await board.list();
    const again = await restarted(board, () => undefined);
    expect(await again.list()).toEqual(before);
    const events = (await eventsOf(again.hall)).map((event) => event.type);
    expect(events.slice(events.indexOf("daemon.stopped"))).toEqual(["daemon.stopped", "daemon.started"]);
  });
});

describe("a whole project", () => {
  /** A folder with a project that no hall has seen, made from one that a hall made. */
  async function spare(board: Board): Promise<string> {
    const made = await startBoard(board.hall, "beta");
    await made.add("In beta");
    await made.add("Also in beta");
    const folder = `${board.hall.workspace}/../spare`;
    await eventually(
      () => existsSync(made.at("TASKS/README.md")),
      (isThere) => isThere,
    );
    cpSync(made.at("."), folder, { recursive: true });
    rmSync(made.at("."), { recursive: true });
    await eventually(
      () => board.hall.call("GET", "/api/projects/beta"),
      (answer) => answer.status === 404,
    );
    return folder;
  }

  it("that is removed takes its tasks along, and brings them back when it is dropped in again", async () => {
    const board = await startBoard();
    await board.add("One");
    const folder = await spare(board);
    expect((await board.hall.call("GET", "/api/tasks")).body.tasks).toHaveLength(1);
    await eventTold(board.hall, (event) => event.type === "project.removed" && event.subject.id === "beta");
    cpSync(folder, `${board.hall.workspace}/projects/beta`, { recursive: true });
    const beta = boardOf(board.hall, "beta");
    const all = await eventually(
      async () => (await board.hall.call("GET", "/api/tasks")).body.tasks,
      (tasks) => tasks.length === 3,
    );
    expect(titles(all)).toBe("One,In beta,Also in beta");
    beta.write("TASKS/todo/TASK-001.md", beta.read("TASKS/todo/TASK-001.md").replace("# In beta", "# Followed"));
    await listed(beta, (tasks) => titles(tasks) === "Followed,Also in beta");
    expect((await beta.add("New")).id).toBe("TASK-003");
  });

  it("that is moved in by one rename is followed at once, files and all", async () => {
    const board = await startBoard();
    const folder = await spare(board);
    renameSync(folder, `${board.hall.workspace}/projects/beta`);
    const beta = boardOf(board.hall, "beta");
    await eventually(
      () => beta.ask("GET", "/tasks"),
      ({ status, body }) => status === 200 && body.tasks.length === 2,
    );
    renameSync(beta.at(FILE), beta.at("TASKS/review/TASK-001.md"));
    await listed(beta, (tasks) => tasks.length === 1, "?status=review");
  });

  it("that is renamed is gone under its old name and invalid under the new one, with the line that does not fit", async () => {
    const board = await startBoard();
    await board.add("One");
    renameSync(board.at("."), `${board.hall.workspace}/projects/gamma`);
    await eventually(
      () => board.hall.call("GET", "/api/projects/alpha"),
      (answer) => answer.status === 404,
    );
    const gamma = await eventually(
      () => board.hall.call("GET", "/api/projects/gamma"),
      (answer) => answer.status === 409,
    );
    expect(gamma.body.error).toMatchObject({ code: "file_invalid", line: expect.any(Number) });
    expect(gamma.body.error.message).toContain("alpha");
    renameSync(`${board.hall.workspace}/projects/gamma`, board.at("."));
    await eventually(
      () => board.ask("GET", "/tasks/TASK-001"),
      (answer) => answer.status === 200,
    );
    expect(titles(await listed(board, (tasks) => tasks.length === 1))).toBe("One");
  });

  it("comes and goes as well while the daemon is down", async () => {
    const board = await startBoard();
    await board.add("One");
    const folder = await spare(board);
    const again = await restarted(board, () => {
      cpSync(folder, `${board.hall.workspace}/projects/beta`, { recursive: true });
      rmSync(board.at("."), { recursive: true });
    });
    expect((await again.hall.call("GET", "/api/projects/alpha")).status).toBe(404);
    expect(titles((await again.hall.call("GET", "/api/tasks")).body.tasks)).toBe("In beta,Also in beta");
  });

  it("needs no more than PROJECT.md: tasks can be made and moved in it", async () => {
    const board = await startBoard();
    mkdirSync(`${board.hall.workspace}/projects/bare`);
    const bare = boardOf(board.hall, "bare");
    bare.write("PROJECT.md", "---\nname: bare\nstatus: active\ncreated: 2026-01-01T00:00:00Z\n---\n# Bare\n");
    await eventually(
      () => bare.ask("GET", ""),
      (answer) => answer.status === 200,
    );
    expect((await bare.add("First")).id).toBe("TASK-001");
    expect((await bare.move("TASK-001", "in-progress")).status).toBe("in-progress");
    expect(bare.files()).toEqual(["in-progress/TASK-001.md"]);
    bare.write("TASKS/review/TASK-002.md", handMade("TASK-002"));
    await listed(bare, (tasks) => tasks.length === 2);
  });
});
