import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { problem, task } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";

describe("task list", () => {
  it("shows a table with what each task waits for, and the files that cannot be read", async () => {
    const tasks = [
      task(),
      task({ id: "TASK-002", title: "日本語 🚀", priority: "low", waitingOn: ["TASK-001"], ready: false }),
    ];
    const { out, requests } = await runCli(["task", "list", "-p", "shop"], () => ok({ tasks, invalid: [problem()] }));
    expect(out).toBe(
      [
        "ID        STATUS   PRIORITY  TYPE  BLOCKED BY  TITLE",
        "TASK-001  pending  high      bug               Fix the login page",
        "TASK-002  pending  low       bug   TASK-001    日本語 🚀",
        "invalid: projects/shop/TASKS/todo/TASK-009.md:4  status: must be one of pending, done",
        "",
      ].join("\n"),
    );
    expect(requests[0]).toMatchObject({ path: "/api/projects/shop/tasks", query: {} });
  });

  it("asks all projects without -p and shows whose task it is", async () => {
    const { out, requests } = await runCli(["task", "list"], () => ok({ tasks: [task()], invalid: [] }));
    expect(requests[0]?.path).toBe("/api/tasks");
    expect(out).toMatch(/^PROJECT {2}ID/);
  });

  it("takes the project from GUILDHALL_PROJECT", async () => {
    const env = { GUILDHALL_PROJECT: "shop" };
    const { requests } = await runCli(["task", "list"], () => ok({ tasks: [], invalid: [] }), { env });
    expect(requests[0]?.path).toBe("/api/projects/shop/tasks");
  });

  it("passes every filter on", async () => {
    const words =
      "--status todo --priority critical --type bugfix --role dev --label ui --plan q3 --no-ready -q login --sort updated --order desc --limit 5 --cursor abc";
    const { requests } = await runCli(["task", "list", ...words.split(" ")], () => ok({ tasks: [], invalid: [] }));
    expect(requests[0]?.query).toEqual({
      status: "todo",
      priority: "critical",
      type: "bugfix",
      role: "dev",
      label: "ui",
      plan: "q3",
      ready: "false",
      q: "login",
      sort: "updated",
      order: "desc",
      limit: "5",
      cursor: "abc",
    });
  });

  it("says how to see more, and with --all pages through everything into one document", async () => {
    const page = ({ query }: { query: Record<string, string> }) =>
      query.cursor === undefined
        ? ok({ tasks: [task()], invalid: [], nextCursor: "c2" })
        : ok({ tasks: [task({ id: "TASK-002" })], invalid: [] });
    expect((await runCli(["task", "list"], page)).out).toContain("--cursor c2");
    const all = await runCli(["task", "list", "--all", "--json"], page);
    expect(JSON.parse(all.out)).toEqual({ tasks: [task(), task({ id: "TASK-002" })], invalid: [] });
    expect(all.requests.map(({ query }) => query)).toEqual([{ limit: "1000" }, { limit: "1000", cursor: "c2" }]);
  });

  it("says what to do when there is none", async () => {
    const none = () => ok({ tasks: [], invalid: [] });
    expect((await runCli(["task", "list", "-p", "shop"], none)).out).toContain("guildhall task add TITLE -p shop");
    expect((await runCli(["task", "list", "--ready"], none)).out).toBe("No tasks match these filters.\n");
  });
});

describe("search", () => {
  const hit = {
    kind: "task",
    projectId: "shop",
    id: "TASK-001",
    title: "Login",
    snippet: "the\n login",
    status: "pending",
  };

  it("searches everything, or only tasks", async () => {
    const all = await runCli(["search", "log", "in", "--kind", "role", "-p", "shop"], () => ok({ hits: [] }));
    const tasks = await runCli(["task", "search", "log", "in", "--limit", "3"], () => ok({ hits: [hit] }));
    expect(all.requests[0]).toMatchObject({
      path: "/api/search",
      query: { q: "log in", kind: "role", project: "shop" },
    });
    expect(all.out).toContain("No matches.");
    expect(tasks.requests[0]?.query).toEqual({ q: "log in", kind: "task", limit: "3" });
    expect(tasks.out).toContain("task  shop/TASK-001  pending  Login  the login\n");
  });
});
