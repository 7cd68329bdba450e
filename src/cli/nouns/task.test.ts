import { describe, expect, it } from "vitest";
import { ok, refused } from "../../../test/fakes/api.ts";
import { task } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const done =
  (changes = {}) =>
  () =>
    ok({ success: true, task: task(changes) });

describe("task add", () => {
  it("sends only what was given", async () => {
    const { out, requests } = await runCli(["task", "add", "Fix the login page", "-p", "shop"], done());
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/projects/shop/tasks" });
    expect(requests[0]?.body).toEqual({ title: "Fix the login page" });
    expect(out).toContain("Added shop/TASK-001: Fix the login page");
  });

  it("sends every field", async () => {
    const words =
      "-d text --type bug --priority high --status assigned --role dev --label a,b --file f --ref src/a.ts:1 --related r --blocked-by 7,task-0012 --blocks TASK-9 --plan q3 --notes n --criterion";
    const { requests } = await runCli(
      ["task", "add", "-p", "shop", ...words.split(" "), "It, works", "--", "--title"],
      done(),
    );
    expect(requests[0]?.body).toEqual({
      title: "--title",
      description: "text",
      type: "bug",
      priority: "high",
      status: "assigned",
      assignedRoleId: "dev",
      labels: ["a", "b"],
      context: { files: ["f"], codeRefs: ["src/a.ts:1"], dependencies: ["r"] },
      blockedBy: ["TASK-007", "TASK-012"],
      blocks: ["TASK-009"],
      plan: "q3",
      notes: "n",
      acceptanceCriteria: ["It, works"],
    });
  });

  it("reads the description from standard input", async () => {
    const input = "Line one\n\n  line 🚀 two\n";
    const { requests } = await runCli(["task", "add", "x", "-p", "shop", "-d", "-"], done(), { input });
    expect(requests[0]?.body).toMatchObject({ description: input });
  });

  it("refuses standard input that is not UTF-8, and sends nothing", async () => {
    const input = Buffer.from([0x66, 0xff, 0xfe]);
    const run = await runCli(["task", "add", "x", "-p", "shop", "-d", "-"], done(), { input });
    expect(run).toMatchObject({ code: 2, requests: [], err: expect.stringContaining("not valid UTF-8") });
  });

  it("asks for the project", async () => {
    expect(await runCli(["task", "add", "x"], done())).toMatchObject({
      code: 2,
      err: expect.stringContaining("-p PROJECT"),
    });
  });
});

describe("task show", () => {
  it("prints a card", async () => {
    const shown = task({
      description: "First\nsecond\u001b[2J",
      acceptanceCriteria: [
        { text: "It works", done: true },
        { text: "It is fast", done: false },
      ],
      blockedBy: ["TASK-002", "TASK-003"],
      waitingOn: ["TASK-003"],
      labels: ["ui"],
      history: [{ at: "2026-03-01T12:00:00.000Z", from: "pending", to: "assigned", by: "person" }],
    });
    const { out } = await runCli(["task", "show", "7", "-p", "shop"], () => ok({ task: shown }));
    expect(out).toContain("shop/TASK-001  Fix the login page\npending · high · bug · ready\n");
    expect(out).toContain("\nblocked by  TASK-002, TASK-003 (open)\n");
    expect(out).toContain("\nDescription\nFirst\nsecond␛[2J\n");
    expect(out).toContain("\nAcceptance criteria (1 of 2)\n  [x] 1. It works\n  [ ] 2. It is fast\n");
    expect(out).toContain("pending → assigned  person\n");
    expect(out).not.toContain("outcome");
  });

  it.each([
    [["TASK-007", "-p", "shop"], "/api/projects/shop/tasks/TASK-007"],
    [["shop/7"], "/api/projects/shop/tasks/TASK-007"],
    [["task-1234", "--project", "shop"], "/api/projects/shop/tasks/TASK-1234"],
    [["0007", "-p", "shop"], "/api/projects/shop/tasks/TASK-007"],
    [["odd", "-p", "shop"], "/api/projects/shop/tasks/odd"],
  ])("finds the task of %j", async (words, path) => {
    const { requests } = await runCli(["task", "show", ...words], () => ok({ task: task() }));
    expect(requests[0]?.path).toBe(path);
  });
});

describe("task edit", () => {
  it("sends only what changes, and null for what is taken away", async () => {
    const words = "--title New --role= --plan= --outcome= --completion-notes= --label= --if-match e1";
    const { requests } = await runCli(["task", "edit", "shop/1", ...words.split(" ")], done());
    expect(requests[0]).toMatchObject({ method: "PUT", headers: { "if-match": "e1" } });
    expect(requests[0]?.body).toEqual({
      title: "New",
      assignedRoleId: null,
      plan: null,
      outcome: null,
      completionNotes: null,
      labels: [],
    });
  });

  const criteria = [
    { text: "one", done: false },
    { text: "two", done: true },
  ];

  it("checks and unchecks criteria of the version it read", async () => {
    const { requests } = await runCli(["task", "edit", "shop/1", "--check", "1", "--uncheck", "2"], ({ method }) =>
      method === "GET"
        ? ok({ task: task({ acceptanceCriteria: criteria, etag: "e7" }) })
        : ok({ success: true, task: task() }),
    );
    expect(requests[1]).toMatchObject({
      headers: { "if-match": "e7" },
      body: {
        acceptanceCriteria: [
          { text: "one", done: true },
          { text: "two", done: false },
        ],
      },
    });
  });

  it("keeps the tick of a criterion that stays", async () => {
    const { requests } = await runCli(
      ["task", "edit", "shop/1", "--criterion", "two", "--criterion", "three"],
      ({ method }) =>
        method === "GET" ? ok({ task: task({ acceptanceCriteria: criteria }) }) : ok({ success: true, task: task() }),
    );
    expect(requests[1]?.body).toEqual({
      acceptanceCriteria: [
        { text: "two", done: true },
        { text: "three", done: false },
      ],
    });
  });

  it("tries again on the newer version when somebody was faster", async () => {
    const run = await runCli(["task", "edit", "shop/1", "--check", "1"], ({ method }, count) => {
      if (method === "GET") return ok({ task: task({ acceptanceCriteria: criteria, etag: `e${count}` }) });
      return count < 4 ? refused("version_mismatch", 412) : ok({ success: true, task: task() });
    });
    expect(run.code).toBe(0);
    expect(run.requests.map(({ headers }) => headers["if-match"])).toEqual([undefined, "e1", undefined, "e3"]);
  });

  it("does not try again when the person named the version", async () => {
    const run = await runCli(["task", "edit", "shop/1", "--check", "1", "--if-match", "e0"], ({ method }) =>
      method === "GET" ? ok({ task: task({ acceptanceCriteria: criteria }) }) : refused("version_mismatch", 412),
    );
    expect(run.code).toBe(4);
    expect(run.requests).toHaveLength(2);
  });

  it.each(["3", "0", "x", "-1"])("refuses the criterion number %s", async (number) => {
    const run = await runCli(["task", "edit", "shop/1", `--check=${number}`], ({ method }) =>
      method === "GET" ? ok({ task: task({ acceptanceCriteria: criteria }) }) : undefined,
    );
    expect(run.code).toBe(2);
    expect(run.requests.filter(({ method }) => method === "PUT")).toEqual([]);
  });
});

describe("task move", () => {
  it("moves and passes on how it ended", async () => {
    const words = ["task", "move", "shop/1", "completed", "--outcome", "partial", "--completion-notes", "half of it"];
    const { out, requests } = await runCli(words, done({ status: "done" }));
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/projects/shop/tasks/TASK-001/move" });
    expect(requests[0]?.body).toEqual({ status: "completed", outcome: "partial", completionNotes: "half of it" });
    expect(out).toBe("shop/TASK-001 is done.\n");
  });
});
