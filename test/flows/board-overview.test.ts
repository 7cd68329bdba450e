import { existsSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, boardOf, handMade, startBoard } from "../harness/board.ts";
import { eventually, startHall } from "../harness/daemon.ts";

const pageOf = (board: Board) => (existsSync(board.at("TASKS/README.md")) ? board.read("TASKS/README.md") : "");
const page = (board: Board, isWanted: (text: string) => boolean) => eventually(() => pageOf(board), isWanted);
const rowOf = (text: string, status: string) => new RegExp(`^\\| ${status} \\| (\\d+) \\|$`, "m").exec(text)?.[1];

/** The headings of the page with the ids below them. */
function columns(text: string): Record<string, string[]> {
  const parts = text.split(/^## /m).slice(1);
  return Object.fromEntries(
    parts.map((part) => [
      part.split("\n")[0],
      [...part.matchAll(/^- \[(TASK-\d+)\]/gm)].map((match) => match[1] ?? ""),
    ]),
  );
}

describe("the overview of a board", () => {
  it("is there for a new project, and says that there is nothing yet [S0-TF-05]", async () => {
    const board = await startBoard();
    const text = await page(board, (found) => found !== "");
    expect(text).toContain("# Tasks of alpha");
    expect(text).toContain("No tasks yet.");
    expect(rowOf(text, "pending")).toBe("0");
  });

  it("lists tasks by status with priority, role and what they wait for, and links to their files [S0-TF-05]", async () => {
    const board = await startBoard();
    const role = (await board.hall.call("POST", "/api/roles", { template: "coder" })).body.role.id;
    await board.add({ title: "Low one", priority: "low" });
    await board.add({ title: "Urgent one", priority: "urgent", assignedRoleId: role });
    await board.add({ title: "Waiting", blockedBy: ["TASK-001"] });
    for (const status of ["in-progress", "review", "blocked", "done", "failed", "cancelled"])
      await board.add({ title: `Is ${status}`, status });
    const text = await page(board, (found) => rowOf(found, "cancelled") === "1");
    expect(columns(text)).toEqual({
      "In progress": ["TASK-004"],
      "In review": ["TASK-005"],
      Blocked: ["TASK-006"],
      "To do": ["TASK-002", "TASK-003", "TASK-001"],
      Failed: ["TASK-008"],
      Done: ["TASK-007"],
    });
    expect(text).toContain(`- [TASK-002](todo/TASK-002.md) Urgent one · urgent · ${role}\n`);
    expect(text).toContain("- [TASK-003](todo/TASK-003.md) Waiting · medium · blocked by TASK-001\n");
    expect(rowOf(text, "pending")).toBe("3");
    for (const [, file = ""] of text.matchAll(/\]\(([^)]+)\)/g))
      expect(existsSync(board.at(`TASKS/${file}`))).toBe(true);
  });

  it("follows every move, change and removal, over the API and by hand [S0-TF-05]", async () => {
    const board = await startBoard();
    await board.add("One");
    await page(board, (text) => rowOf(text, "pending") === "1");
    await board.move("TASK-001", "in-progress");
    await page(board, (text) => columns(text)["In progress"]?.join() === "TASK-001" && rowOf(text, "pending") === "0");
    await board.update("TASK-001", { title: "Renamed" });
    await page(board, (text) => text.includes("Renamed"));
    board.write("TASKS/review/TASK-007.md", handMade("TASK-007"));
    await page(board, (text) => columns(text)["In review"]?.join() === "TASK-007");
    unlinkSync(board.at("TASKS/review/TASK-007.md"));
    await page(board, (text) => !text.includes("TASK-007"));
    board.write("TASKS/todo/TASK-008.md", "---\nid: TASK-008\nstatus: dnoe\n---\n");
    const broken = await page(board, (text) => text.includes("## Unreadable files"));
    expect(broken).toMatch(/`projects\/alpha\/TASKS\/todo\/TASK-008\.md`, line 3: status/);
  });

  it("is current after a start, whatever happened in between, with the old index and with a new one [S0-TF-05]", async () => {
    const board = await startBoard();
    await board.add("One");
    await board.hall.stop();
    expect(rowOf(pageOf(board), "pending")).toBe("1");
    board.write("TASKS/done/TASK-002.md", handMade("TASK-002"));
    const again = boardOf(await startHall(board.hall.workspace));
    await page(again, (text) => rowOf(text, "done") === "1");
    await again.hall.stop();
    board.write("TASKS/done/TASK-003.md", handMade("TASK-003"));
    rmSync(`${board.hall.workspace}/.guildhall/index.db`);
    const rebuilt = boardOf(await startHall(board.hall.workspace));
    await page(rebuilt, (text) => rowOf(text, "done") === "2");
  });

  it("is the hall's own page: what is written into it does not last, and it is no task", async () => {
    const board = await startBoard();
    await board.add("One");
    await page(board, (text) => rowOf(text, "pending") === "1");
    writeFileSync(board.at("TASKS/README.md"), "mine");
    await board.add("Two");
    await page(board, (text) => rowOf(text, "pending") === "2");
    expect((await board.list()).invalid).toEqual([]);
  });

  it("stays short however many tasks there are", async () => {
    const board = await startBoard();
    for (let at = 1; at <= 60; at++) {
      const id = `TASK-${String(at).padStart(3, "0")}`;
      board.write(`TASKS/todo/${id}.md`, handMade(id));
    }
    const text = await page(board, (found) => rowOf(found, "pending") === "60");
    expect(columns(text)["To do"]?.length).toBeLessThanOrEqual(30);
    expect(readFileSync(board.at("TASKS/README.md"), "utf8")).toBe(text);
  });
});
