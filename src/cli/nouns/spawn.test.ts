import { describe, expect, it } from "vitest";
import { type ApiRequest, ok, refused } from "../../../test/fakes/api.ts";
import { runPlan } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const response = { success: true, sessionId: "run-1", taskId: "TASK-001", status: "pending" };
const started = () => ok(response);
const detached = (...words: string[]) => runCli(["spawn", "coder", ...words, "--detach"], started);

describe("spawn", () => {
  it("asks for a new task with all that was said of it", async () => {
    const words =
      "Fix it -p shop -d more -t bug --priority high --file a.ts --file b.ts --context API.md --model x/y --thinking low --timeout 60 --skills read,write --var A=1 --var B=x=y --no-artifact --no-notify";
    const { requests } = await detached(...words.split(" "));
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/team/spawn", query: {} });
    expect(requests[0]?.body).toEqual({
      projectId: "shop",
      roleId: "coder",
      task: {
        title: "Fix it",
        description: "more",
        type: "bug",
        priority: "high",
        context: { files: ["a.ts", "b.ts"] },
      },
      overrides: { model: "x/y", thinking: "low", timeout: 60, skills: ["read", "write"] },
      variables: { A: "1", B: "x=y" },
      contextFiles: ["API.md"],
      options: { notifyOnComplete: false, createArtifact: false },
    });
  });

  it("says as little as was asked, and leaves the project to the hall", async () => {
    const { requests } = await detached("Fix it");
    expect(requests[0]?.body).toEqual({ roleId: "coder", task: { title: "Fix it" }, overrides: {}, variables: {} });
  });

  it.each([
    [["--task", "7", "-p", "shop"], { projectId: "shop", taskId: "TASK-007" }],
    [["--task", "shop/7"], { projectId: "shop", taskId: "TASK-007" }],
    [["--task", "TASK-012"], { taskId: "TASK-012" }],
    [["x", "--offline"], { overrides: { model: "offline/rehearsal" } }],
    [["x", "--offline", "--model", "offline/demo"], { overrides: { model: "offline/demo" } }],
  ])("understands %j", async (words, body) => {
    expect((await detached(...words)).requests[0]?.body).toMatchObject(body);
  });

  it.each([
    [[], "Missing task."],
    [["  "], "Missing task."],
    [["Title", "--task", "7"], "can't be combined"],
    [["--task", "7", "-d", "more"], "can't be combined"],
    [["x", "--var", "A"], "--var must be NAME=VALUE, not 'A'."],
    [["x", "--offline", "--model", "x/y"], "--offline and --model can't be combined."],
  ])("refuses %j before anything is asked", async (words, message) => {
    const { code, err, requests } = await detached(...words);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(err).toContain(message);
  });

  it("reads the description from standard input", async () => {
    const words = ["spawn", "coder", "x", "-d", "-", "--detach"];
    const { requests } = await runCli(words, started, { input: "Many\nlines" });
    expect(requests[0]?.body).toMatchObject({ task: { description: "Many\nlines" } });
  });

  it("tells with --detach how to follow, and gives the API's answer as JSON", async () => {
    expect((await detached("x")).out).toBe("Started run-1 for TASK-001.\nFollow with: guildhall run logs -f run-1\n");
    expect(JSON.parse((await detached("x", "--json")).out)).toEqual(response);
  });

  it("shows with --dry-run what would be started", async () => {
    const dry = ({ query }: ApiRequest) => (query.dryRun === "true" ? ok({ plan: runPlan() }) : undefined);
    const { code, out } = await runCli(["spawn", "coder", "x", "--dry-run"], dry, { terminal: 40 });
    expect(code).toBe(0);
    expect(out).toContain("nothing started.");
    const { out: json } = await runCli(["spawn", "coder", "x", "--dry-run", "--json"], dry);
    expect(JSON.parse(json)).toEqual({ plan: runPlan() });
  });

  it("names the template that a role could be made from", async () => {
    const templates = [{ id: "coder" }];
    const unknown = ({ path }: ApiRequest) =>
      path === "/api/roles/templates" ? ok({ templates }) : refused("role_not_found", 404);
    const known = await runCli(["spawn", "coder", "x"], unknown);
    expect([known.code, known.err]).toEqual([3, expect.stringContaining("guildhall role create --template coder")]);
    const { err } = await runCli(["spawn", "cooder", "x"], unknown);
    expect(err).toContain("guildhall role list");
  });
});
