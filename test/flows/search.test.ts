import { unlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { BodyOf } from "../harness/answer.ts";
import { type Board, handMade, startBoard } from "../harness/board.ts";
import { eventually, type Hall } from "../harness/daemon.ts";

async function hits(hall: Hall, text: string, more = ""): Promise<BodyOf<"search">["hits"]> {
  const answer = await hall.call("GET", `/api/search?q=${encodeURIComponent(text)}${more}`);
  expect([text, answer.status]).toEqual([text, 200]);
  expect(Object.keys(answer.body)).toEqual(["hits"]);
  return answer.body.hits;
}

const found = async (hall: Hall, text: string, more = "") =>
  (await hits(hall, text, more)).map((hit) => `${hit.kind} ${hit.id}`).sort();

async function hallOfAll(): Promise<Board> {
  const board = await startBoard();
  const { call } = board.hall;
  await call("PUT", "/api/projects/alpha", { description: "About zebras", goals: ["Save the zebra"] });
  await call("POST", "/api/roles", {
    id: "keeper",
    name: "Zebra keeper",
    description: "Feeds",
    specialty: ["stripes"],
    systemPromptTemplate: "You feed.",
  });
  await board.add({ title: "Feed the zebra", description: "With hay." });
  await board.ask("POST", "/artifacts", { name: "report.md", content: "# Zebra report\n\nAll well." });
  await board.ask("PUT", "/context", { path: "facts.txt", content: "A zebra has stripes." });
  await board.ask("POST", "/initiatives", { title: "Zebra year", slug: "year" });
  board.write("knowledge/decisions.md", "# Decisions\n\nThe zebra stays.\n");
  return board;
}

describe("searching the hall", () => {
  it("finds a task by its id, however it is written, before those that only speak of it", async () => {
    const board = await startBoard();
    await board.add({ title: "Feed the zebra", description: "With hay." });
    await board.add({ title: "Clean up", description: "After TASK-001 is done." });
    for (const text of ["TASK-001", " task-001"])
      expect((await hits(board.hall, text)).map(({ id }) => id)).toEqual(["TASK-001", "TASK-002"]);
    expect(await hits(board.hall, "TASK-009")).toEqual([]);
  });

  it("finds tasks, roles, projects, knowledge, artifacts, context and plans", async () => {
    const board = await hallOfAll();
    const all = await eventually(
      () => found(board.hall, "zebra"),
      (kinds) => kinds.length === 7,
    );
    expect(all).toEqual([
      expect.stringMatching(/^artifact ARTIFACTS\/\d{4}-\d\d-\d\d\/report\.md$/),
      "context CONTEXT/facts.txt",
      "knowledge knowledge/decisions.md",
      "plan plans/year/plan.md",
      "project alpha",
      "role keeper",
      "task TASK-001",
    ]);
  });

  it("tells of each hit what it is, where, and the words around the match", async () => {
    const board = await startBoard();
    const description = `${"before ".repeat(40)}needle ${"after ".repeat(40)}`;
    await board.add({ title: "Haystack", description, status: "review" });
    const [hit] = await hits(board.hall, "needle");
    expect(hit).toMatchObject({
      kind: "task",
      projectId: "alpha",
      id: "TASK-001",
      title: "Haystack",
      status: "review",
    });
    expect(hit?.snippet).toContain("needle");
    expect(hit?.snippet.length).toBeLessThan(400);
  });

  it("keeps to a project and to a kind when asked, and to the limit", async () => {
    const board = await hallOfAll();
    const beta = await startBoard(board.hall, "beta");
    for (let at = 0; at < 5; at++) await beta.add(`Zebra number ${at}`);
    await eventually(
      () => found(board.hall, "zebra", "&limit=100"),
      (all) => all.length === 12,
    );
    expect(await found(board.hall, "zebra", "&project=beta")).toHaveLength(5);
    expect(await found(board.hall, "zebra", "&project=alpha&kind=task")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "zebra", "&kind=role")).toEqual(["role keeper"]);
    expect(await found(board.hall, "zebra", "&kind=task&limit=3")).toHaveLength(3);
    expect((await found(board.hall, "zebra", "&limit=4")).some((hit) => !hit.startsWith("task"))).toBe(true);
    for (const bad of [
      "",
      "limit=101&q=x",
      "limit=0&q=x",
      "q=",
      "q=x&kind=secret",
      `q=${"x".repeat(501)}`,
      "q=x&colour=1",
    ])
      expect([bad, (await board.hall.call("GET", `/api/search?${bad}`)).status]).toEqual([bad, 422]);
  });

  it("takes the last word as the beginning of one, and needs all words", async () => {
    const board = await startBoard();
    await board.add({ title: "Configure the dashboard", description: "Slowly" });
    await board.add({ title: "Dash home" });
    expect(await found(board.hall, "dash")).toEqual(["task TASK-001", "task TASK-002"]);
    expect(await found(board.hall, "conf dash")).toEqual([]);
    expect(await found(board.hall, "configure dashb")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "DASHBOARD slowly")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "board")).toEqual([]);
  });

  it("puts hits in the title before hits in the text", async () => {
    const board = await startBoard();
    await board.add({ title: "Login page" });
    await board.add({ title: "Something else", description: "about the login" });
    expect((await hits(board.hall, "login")).map((hit) => hit.id)).toEqual(["TASK-001", "TASK-002"]);
  });

  it("sees no difference between letters with and without marks, and reads every script", async () => {
    const board = await startBoard();
    for (const title of [
      "Café crème",
      "Cafe\u0301 encore",
      "Ångström",
      "Проект Альфа",
      "日本語の課題",
      "โครงการ",
      "naïve",
    ])
      await board.add(title);
    expect(await found(board.hall, "cafe")).toEqual(["task TASK-001", "task TASK-002"]);
    expect(await found(board.hall, "café")).toEqual(["task TASK-001", "task TASK-002"]);
    expect(await found(board.hall, "CREME")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "angstrom")).toEqual(["task TASK-003"]);
    expect(await found(board.hall, "проект")).toEqual(["task TASK-004"]);
    expect(await found(board.hall, "日本")).toEqual(["task TASK-005"]);
    expect(await found(board.hall, "โครงการ")).toEqual(["task TASK-006"]);
    expect(await found(board.hall, "naive")).toEqual(["task TASK-007"]);
  });

  it("finds emoji and other signs in titles", async () => {
    const board = await startBoard();
    await board.add("Launch 🚀 soon");
    await board.add("C++ and C#");
    expect(await found(board.hall, "🚀")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "🚀 launch")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "++")).toEqual(["task TASK-002"]);
    expect(await found(board.hall, "🧪")).toEqual([]);
  });

  it("takes operators, quotes, brackets, SQL and broken text for words, and harms nothing", async () => {
    const board = await startBoard();
    await board.add({ title: 'Drop "table" tasks', description: "NEAR the title: OR not" });
    for (const text of [
      '"',
      '""',
      '"table',
      "'; DROP TABLE tasks;--",
      "x' OR '1'='1",
      "AND",
      "OR",
      "NOT",
      "NEAR(a b)",
      "title:drop",
      "{title}:drop",
      "^drop",
      "drop*",
      "*",
      "-drop",
      "+",
      "(",
      ")",
      "a AND (b",
      "\\",
      "%",
      "_",
      "\u0301",
      "\0",
      "\u2028",
      "a".repeat(500),
      "a ".repeat(250),
      "project_id:alpha",
    ])
      await hits(board.hall, text);
    expect(await found(board.hall, '"table" tasks')).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "near the title or")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "not", "&project=alpha")).toEqual(["task TASK-001"]);
    expect((await board.list()).tasks).toHaveLength(1);
  });

  it("follows changes at once, over the API and by hand", async () => {
    const board = await startBoard();
    await board.add("First wording");
    expect(await found(board.hall, "wording")).toEqual(["task TASK-001"]);
    await board.update("TASK-001", { title: "Second phrase", description: "described" });
    expect(await found(board.hall, "wording")).toEqual([]);
    expect(await found(board.hall, "phrase")).toEqual(["task TASK-001"]);
    expect(await found(board.hall, "described")).toEqual(["task TASK-001"]);
    board.write("TASKS/todo/TASK-002.md", handMade("TASK-002", {}, "# Handwritten\n\nParchment.\n"));
    await eventually(
      () => found(board.hall, "parchment"),
      (list) => list.join() === "task TASK-002",
    );
    unlinkSync(board.at("TASKS/todo/TASK-002.md"));
    await eventually(
      () => found(board.hall, "handwritten"),
      (list) => list.length === 0,
    );
    await board.ask("PUT", "/context", { path: "a.md", content: "first" });
    await board.ask("PUT", "/context", { path: "a.md", content: "second" });
    expect([await found(board.hall, "first"), await found(board.hall, "second")]).toEqual([
      [],
      expect.arrayContaining(["context CONTEXT/a.md"]),
    ]);
    await board.hall.call("DELETE", "/api/projects/alpha?purge=true");
    expect(await found(board.hall, "phrase")).toEqual([]);
    expect(await found(board.hall, "second")).toEqual([]);
  });
});
