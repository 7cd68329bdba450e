import { unlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { furnishedBoard, startBoard } from "../harness/board.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { readIndex } from "../harness/index-dump.ts";
import { writePlaybook } from "../harness/spawned-runs.ts";

const columnsOf = (hall: Hall, table: string) =>
  readIndex(hall.workspace, (all) => all("SELECT name, dflt_value AS value, pk FROM pragma_table_info(?)", table));
// biome-ignore lint/suspicious/noExplicitAny: rows of SQLite are looked into freely
type Seen = any;

const names = (columns: Seen[]) => columns.map((column) => column.name);
const defaultOf = (columns: Seen[], name: string) => columns.find((column) => column.name === name)?.value;
const references = (hall: Hall, table: string) =>
  readIndex(hall.workspace, (all) => all('SELECT "from", "table" FROM pragma_foreign_key_list(?)', table))
    .map((row) => `${row.from} → ${row.table}`)
    .sort();
/** The first column of every index of a table. */
const indexed = (hall: Hall, table: string) =>
  readIndex(hall.workspace, (all) =>
    all("SELECT name FROM pragma_index_list(?)", table).map(
      (index) => all("SELECT name FROM pragma_index_info(?) WHERE seqno = 0", String(index.name))[0]?.name,
    ),
  );
/** The index is written a moment after the answer. */
const rows = (hall: Hall, sql: string, isWanted: (found: Seen[]) => boolean): Promise<Seen[]> =>
  eventually(() => readIndex(hall.workspace, (all) => all(sql)), isWanted);
const parsed = (value: unknown) => JSON.parse(String(value));

describe("the tables of the index", () => {
  it("hold roles, with lists and settings as JSON [S0-DB-01]", async () => {
    const { hall } = await furnishedBoard();
    const columns = columnsOf(hall, "roles");
    expect(names(columns)).toEqual(
      expect.arrayContaining(["id", "name", "emoji", "description", "specialty", "model_config", "skills"]),
    );
    expect(names(columns)).toEqual(
      expect.arrayContaining(["system_prompt_template", "variables", "created_at", "updated_at", "version"]),
    );
    expect(defaultOf(columns, "version")).toBe("1");
    const [role] = await rows(hall, "SELECT * FROM roles", (found) => found.length === 1);
    expect([role.id, role.version]).toEqual(["coder", 1]);
    for (const list of ["specialty", "skills", "variables"]) expect(Array.isArray(parsed(role[list]))).toBe(true);
    expect(parsed(role.model_config)).toHaveProperty("model");
  });

  it("hold projects, with configuration and paths as JSON [S0-DB-02]", async () => {
    const { hall } = await furnishedBoard();
    const columns = columnsOf(hall, "projects");
    expect(names(columns)).toEqual(
      expect.arrayContaining(["id", "name", "description", "config", "paths", "status", "created_at", "updated_at"]),
    );
    expect(defaultOf(columns, "status")).toBe("'active'");
    const [project] = await rows(hall, "SELECT * FROM projects", (found) => String(found[0]?.config).includes("Ship"));
    expect(project).toMatchObject({ id: "alpha", status: "active" });
    expect(parsed(project.config)).toMatchObject({ goals: ["Ship"], techStack: { languages: ["TypeScript"] } });
    expect(parsed(project.paths)).toMatchObject({ tasks: "projects/alpha/TASKS" });
  });

  it("hold assignments with their overrides, bound to project and role [S0-DB-03]", async () => {
    const { hall } = await furnishedBoard();
    const columns = columnsOf(hall, "project_assignments");
    expect(names(columns)).toEqual(
      expect.arrayContaining([
        "project_id",
        "role_id",
        "model_config_override",
        "skills_override",
        "status",
        "assigned_at",
      ]),
    );
    expect(defaultOf(columns, "status")).toBe("'active'");
    expect(references(hall, "project_assignments")).toEqual(["project_id → projects", "role_id → roles"]);
    const [assignment] = await rows(hall, "SELECT * FROM project_assignments", (found) => found.length === 1);
    expect(assignment).toMatchObject({ project_id: "alpha", role_id: "coder", status: "active" });
    expect(parsed(assignment.model_config_override)).toEqual({ model: "sonnet" });
    expect(parsed(assignment.skills_override)).toEqual(["read"]);
  });

  it("hold tasks with context and result as JSON and all their dates [S0-DB-04]", async () => {
    const { hall } = await furnishedBoard();
    const columns = columnsOf(hall, "tasks");
    expect(defaultOf(columns, "status")).toBe("'pending'");
    expect(references(hall, "tasks")).toEqual(["assigned_role_id → roles", "project_id → projects"]);
    const [task] = await rows(hall, "SELECT * FROM tasks", (found) => found.length === 1);
    expect(task).toMatchObject({
      id: "TASK-001",
      project_id: "alpha",
      title: "Write the login page",
      description: "With a form.",
      type: "feature",
      priority: "high",
      assigned_role_id: "coder",
      assigned_sub_agent_id: "run-1",
      status: "in-progress",
      created_at: expect.stringMatching(/Z$/),
      started_at: expect.stringMatching(/Z$/),
      completed_at: null,
    });
    expect(parsed(task.context)).toEqual({ files: ["src/login.ts"], codeRefs: [], dependencies: [] });
    expect(parsed(task.result)).toMatchObject({ summary: "Half done" });
  });

  it("have a place for runs, bound to task, project and role [S0-DB-05]", async () => {
    const { hall } = await furnishedBoard();
    writePlaybook(hall.workspace, "look", "turns:\n  - text: Looked.\n");
    const spawned = await hall.call("POST", "/api/team/spawn", {
      ...{ projectId: "alpha", roleId: "coder", task: { title: "Look" }, overrides: { model: "offline/look" } },
      options: { waitForCompletion: true },
    });
    const { sessionId, status, result } = spawned.body;
    const columns = columnsOf(hall, "spawn_sessions");
    expect(names(columns).slice(0, 10)).toEqual([
      "session_id",
      "task_id",
      "project_id",
      "role_id",
      "status",
      "started_at",
      "completed_at",
      "duration_seconds",
      "output",
      "artifacts",
    ]);
    expect(columns.filter((column) => column.pk === 1).map((column) => column.name)).toEqual(["session_id"]);
    expect(references(hall, "spawn_sessions")).toEqual([
      "project_id → projects",
      "project_id → tasks",
      "role_id → roles",
      "task_id → tasks",
    ]);
    const [run] = await rows(hall, "SELECT * FROM spawn_sessions", (found) => found[0]?.completed_at != null);
    expect(run).toMatchObject({
      ...{ session_id: sessionId, task_id: "TASK-002", project_id: "alpha", role_id: "coder", status },
      ...{ duration_seconds: expect.any(Number), output: result?.output, started_at: expect.stringMatching(/Z$/) },
    });
    expect(parsed(run.artifacts)).toEqual(result?.artifacts);
    expect(result?.artifacts).toHaveLength(1);
    expect(readIndex(hall.workspace, (all) => all("PRAGMA foreign_key_check"))).toEqual([]);
  });

  it("find tasks by the words of title and description, and follow every change of them [S0-DB-06]", async () => {
    const board = await startBoard();
    const find = (word: string) =>
      `SELECT t.id FROM tasks_fts JOIN tasks t ON t.key = tasks_fts.rowid WHERE tasks_fts MATCH '${word}' ORDER BY 1`;
    const isFound =
      (...ids: string[]) =>
      (found: Seen[]) =>
        found.map((row) => row.id).join() === ids.join();
    await board.add({ title: "Login page", description: "With a form" });
    await board.add({ title: "Logout" });
    await rows(board.hall, find("login"), isFound("TASK-001"));
    await rows(board.hall, find("form"), isFound("TASK-001"));
    await board.update("TASK-001", { title: "Entrance" });
    await rows(board.hall, find("entrance"), isFound("TASK-001"));
    await rows(board.hall, find("login"), isFound());
    await board.update("TASK-001", { description: "With a door" });
    await rows(board.hall, find("door"), isFound("TASK-001"));
    await rows(board.hall, find("form"), isFound());
    unlinkSync(board.at("TASKS/todo/TASK-002.md"));
    await rows(board.hall, find("logout"), isFound());
    const [made] = readIndex(board.hall.workspace, (all) =>
      all("SELECT sql FROM sqlite_schema WHERE name = 'tasks_fts'"),
    );
    expect(made?.sql).toMatch(/USING fts5\(title, description/);
  });

  it("are indexed by project, status and role of tasks, by project of assignments, by task of runs [S0-DB-07]", async () => {
    const { hall } = await furnishedBoard();
    expect(indexed(hall, "tasks")).toEqual(expect.arrayContaining(["project_id", "status", "assigned_role_id"]));
    expect(indexed(hall, "project_assignments")).toContain("project_id");
    expect(indexed(hall, "spawn_sessions")).toContain("task_id");
  });
});
