import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assertFilesAreWhole, assertIndexEqualsRebuild } from "../faults/whole-workspace.ts";
import { boardOf, startBoard } from "../harness/board.ts";
import { type Answer, type Hall, startHall } from "../harness/daemon.ts";

const MANY = 20;

async function furnishedHall(): Promise<Hall> {
  const hall = await startHall();
  await hall.call("POST", "/api/roles", { id: "coder", name: "Coder" });
  await startBoard(hall);
  await boardOf(hall).add("The first");
  return hall;
}

function atOnce<Body>(ask: (position: number) => Promise<Answer<Body>>): Promise<Answer<Body>[]> {
  return Promise.all(Array.from({ length: MANY }, (_, position) => ask(position)));
}

/** How often each answer came: `{ "200": 1, "412 version_mismatch": 19 }`. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = body.error === undefined ? String(status) : `${status} ${body.error.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("requests that come at the same moment", () => {
  it("make one task when they carry one Idempotency-Key", async () => {
    const hall = await furnishedHall();
    const headers = { "idempotency-key": "once" };
    const answers = await atOnce(() => hall.call("POST", "/api/projects/alpha/tasks", { title: "Once" }, headers));
    expect(tally(answers)).toEqual({ "201": MANY });
    expect(new Set(answers.map(({ body }) => body.task.id))).toEqual(new Set(["TASK-002"]));
    expect((await boardOf(hall).list()).tasks).toHaveLength(2);
  });

  it.each([
    ["a task", "/api/projects/alpha/tasks/TASK-001", "title"],
    ["a project", "/api/projects/alpha", "name"],
    ["a role", "/api/roles/coder", "name"],
  ])("change %s once when they are based on the same version of it", async (_, path, field) => {
    const hall = await furnishedHall();
    const headers = { "if-match": (await hall.call("GET", path)).headers.get("etag") ?? "" };
    const answers = await atOnce((position) => hall.call("PUT", path, { [field]: `Name ${position}` }, headers));
    expect(tally(answers)).toEqual({ "200": 1, "412 version_mismatch": MANY - 1 });
  });

  it.each([
    ["a task into another folder", "/api/projects/alpha/tasks/TASK-001/move", { status: "in-progress" }, "200"],
    ["a role", "/api/roles", { id: "tester", name: "Tester" }, "201"],
    ["a project", "/api/projects", { id: "beta", name: "Beta" }, "201"],
    ["an assignment", "/api/projects/alpha/team", { roleId: "coder" }, "201"],
    ["an initiative", "/api/projects/alpha/initiatives", { title: "Launch" }, "201"],
  ])("bring %s about once", async (_, path, body, done) => {
    const hall = await furnishedHall();
    const counts = tally(await atOnce(() => hall.call("POST", path, body)));
    expect(counts[done]).toBe(1);
    expect(Object.keys(counts).every((name) => name === done || name.startsWith("409 "))).toBe(true);
  });

  it("leave nothing of a project behind that is removed while they write into it", async () => {
    const hall = await furnishedHall();
    const writes = (position: number) => [
      hall.call("POST", "/api/projects/alpha/tasks", { title: `Task ${position}`, plan: `plan-${position % 3}` }),
      hall.call("PUT", "/api/projects/alpha/context", { path: `note-${position}.md`, content: "note" }),
      hall.call("POST", "/api/projects/alpha/artifacts", { name: "result.md", content: "result" }),
      hall.call("POST", "/api/projects/alpha/tasks/TASK-001/move", { status: "in-progress" }),
    ];
    const first = Array.from({ length: MANY }, (_, position) => writes(position)).flat();
    await Promise.race(first);
    const removed = hall.call("DELETE", "/api/projects/alpha?purge=true");
    const later = Array.from({ length: MANY }, (_, position) => writes(position)).flat();
    expect((await removed).status).toBe(200);
    for (const { status, body } of await Promise.all([...first, ...later]))
      expect(status === 200 || status === 201 || ["project_not_found", "illegal_move"].includes(body.error.code)).toBe(
        true,
      );
    expect(existsSync(join(hall.workspace, "projects/alpha"))).toBe(false);
    expect((await hall.call("GET", "/api/tasks")).body.tasks).toEqual([]);
    await assertIndexEqualsRebuild(hall);
  });

  it("put no task into a project after it was completed", async () => {
    const hall = await furnishedHall();
    // A task that begins an initiative takes longer to write than the project.
    const body = (position: number) => ({ title: `Task ${position}`, plan: `plan-${position}` });
    const made = atOnce((position) => hall.call("POST", "/api/projects/alpha/tasks", body(position)));
    const completed = hall.call("POST", "/api/projects/alpha/move", { status: "completed" });
    await Promise.all([made, completed]);
    const { events } = (await hall.call("GET", "/api/events/log?project=alpha")).body;
    expect(events.map((event: { type: string }) => event.type).lastIndexOf("task.created")).toBeLessThan(
      events.findIndex((event: { type: string }) => event.type === "project.moved"),
    );
  });

  it("lose nothing when the index is built anew under them", async () => {
    const hall = await furnishedHall();
    const board = boardOf(hall);
    const write = async (position: number) => {
      const task = await board.add(`Task ${position}`);
      await board.move(task.id, "in-progress");
      await board.update(task.id, { notes: `Note ${position}` });
      expect(await board.get(task.id)).toMatchObject({ status: "in-progress", notes: `Note ${position}` });
    };
    const writes = Array.from({ length: MANY }, (_, position) => write(position));
    for (let time = 0; time < 5; time++) expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    await Promise.all(writes);
    await assertFilesAreWhole(hall.workspace);
    await assertIndexEqualsRebuild(hall);
  });
});

describe("a file edited by hand at the very moment in which a request changes it", () => {
  const targets = [
    {
      what: "a task",
      file: "projects/alpha/TASKS/todo/TASK-001.md",
      path: "/api/projects/alpha/tasks/TASK-001",
      field: "title",
      edit: addLine,
    },
    {
      what: "a project's page",
      file: "projects/alpha/PROJECT.md",
      path: "/api/projects/alpha",
      field: "description",
      edit: addLine,
    },
    {
      what: "a project's data",
      file: "projects/alpha/PROJECT.json",
      path: "/api/projects/alpha",
      field: "description",
      edit: addKey,
    },
    { what: "the roles", file: "ROLES.json", path: "/api/roles/coder", field: "name", edit: addKey },
  ];

  it.each(targets)("keeps both changes: $what", async ({ file, path, field, edit }) => {
    const hall = await furnishedHall();
    const ask = (text: string) => hall.call("PUT", path, { [field]: text });
    const answer = await whileWriting(hall, { file, edit }, ask);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const text = readFileSync(join(hall.workspace, file), "utf8");
    expect(text).toContain("kept by hand");
    const document = Object.values((await hall.call("GET", path)).body)[0] as Record<string, unknown>;
    expect(document[field]).toBe(Object.values(answer.body as object)[1][field]);
  });

  it.each(targets)(
    "refuses the request when it was based on the version before: $what",
    async ({ file, path, field, edit }) => {
      const hall = await furnishedHall();
      const ask = async (text: string) => {
        const etag = (await hall.call("GET", path)).headers.get("etag") ?? "";
        return hall.call("PUT", path, { [field]: text }, { "if-match": etag });
      };
      const before = readFileSync(join(hall.workspace, file), "utf8");
      const answer = await whileWriting(hall, { file, edit }, ask);
      // Of the roles, each has a version of its own, and this one was not touched.
      expect(answer.status).toBe(file === "ROLES.json" ? 200 : 412);
      expect(readFileSync(join(hall.workspace, file), "utf8")).toContain("kept by hand");
      expect(before).not.toContain("kept by hand");
    },
  );

  function addLine(text: string): string {
    return `${text}\nkept by hand\n`;
  }

  function addKey(text: string): string {
    return `${JSON.stringify({ ...JSON.parse(text), note: "kept by hand" }, null, 2)}\n`;
  }

  /** Whether the daemon has written new content beside a file, or in a spare one. */
  function isDrafted(workspace: string, file: string): boolean {
    const ahead = join(workspace, "state/changes");
    const isSpareUsed = (name: string) =>
      name.startsWith(".spare-") && (statSync(join(ahead, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
    const beside = readdirSync(join(workspace, file, ".."));
    return beside.some((name) => name.startsWith(".tmp-")) || readdirSync(ahead).some(isSpareUsed);
  }

  /**
   * Saves the file by hand between the moment in which the daemon has written its new content and the moment in which that
   * takes its place. The daemon is in this process, so it can be caught there; it is asked until it is.
   */
  async function whileWriting(
    { workspace }: Hall,
    { file, edit }: { file: string; edit: (text: string) => string },
    ask: (text: string) => Promise<Answer>,
  ): Promise<Answer> {
    const path = join(workspace, file);
    for (let time = 1; ; time++) {
      let answer: Answer | undefined;
      let isCaught = false;
      const asked = ask(`Asked for the ${time}. time`).then((given) => (answer = given));
      while (answer === undefined && !isCaught) {
        await new Promise((resolve) => setImmediate(resolve));
        isCaught = isDrafted(workspace, file);
      }
      if (isCaught) {
        writeFileSync(`${path}~`, edit(readFileSync(path, "utf8")));
        renameSync(`${path}~`, path);
        return asked;
      }
    }
  }
});
