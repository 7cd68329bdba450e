import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { contentOf, makeShop, playedHall } from "../harness/scripted-hall.ts";

const waiting = { options: { waitForCompletion: true } };
const task = { title: "Anything" };

async function hallWithShop() {
  const hall = await startHall();
  await makeShop(hall);
  return hall;
}

it("a spawn that names no project lands in the inbox, which is made when it is first needed [S0-COMPAT-01]", async () => {
  const hall = await hallWithShop();
  const first = await hall.call("POST", "/api/team/spawn", { roleId: "coder", task, ...waiting });
  expect(first.body).toMatchObject({ success: true, status: "completed", taskId: "TASK-001" });
  const again = await hall.call("POST", "/api/team/spawn", { roleId: "coder", task });
  expect(again.body.taskId).toBe("TASK-002");
  expect((await hall.call("GET", "/api/projects/inbox")).body.project).toMatchObject({ id: "inbox", status: "active" });
  expect((await hall.call("GET", "/api/projects/shop/tasks")).body.tasks).toEqual([]);
  expect((await hall.call("GET", "/api/runs?project=inbox")).body.runs).toHaveLength(2);
  const [artifact = ""] = first.body.result?.artifacts ?? [];
  expect(existsSync(join(hall.workspace, "projects/inbox", artifact))).toBe(true);
});

it("ten that come at once share one inbox [S0-COMPAT-01]", async () => {
  const hall = await hallWithShop();
  const spawn = () => hall.call("POST", "/api/team/spawn", { roleId: "coder", task, ...waiting });
  const answers = await Promise.all(Array.from({ length: 10 }, spawn));
  expect(answers.map(({ body }) => body.status)).toEqual(Array(10).fill("completed"));
  expect(new Set(answers.map(({ body }) => body.taskId)).size).toBe(10);
});

it("no inbox is made for a request that is refused [S0-COMPAT-01]", async () => {
  const hall = await hallWithShop();
  await hall.call("POST", "/api/roles", { id: "picky", name: "Picky", variables: ["colour"] });
  const before = contentOf(hall.workspace);
  for (const body of [
    { roleId: "nobody", task },
    { roleId: "picky", task },
    { roleId: "coder", taskId: "TASK-001" },
    { roleId: "coder", task, overrides: { model: "nowhere/m" } },
  ])
    expect((await hall.call("POST", "/api/team/spawn", body)).status).toBeGreaterThanOrEqual(400);
  expect(contentOf(hall.workspace)).toEqual(before);
});

it("a project that asks for nothing works in its own folder, without review or limits of its own [S0-COMPAT-02]", async () => {
  const turns = "turns:\n  - calls: [{tool: write, input: {path: src/a.ts, content: x}}]\n  - text: Done.\n";
  const hall = await playedHall(turns);
  const body = { projectId: "shop", roleId: "coder", task, overrides: { model: "offline/play" }, ...waiting };
  const { sessionId } = (await hall.call("POST", "/api/team/spawn", body)).body;
  expect(readFileSync(join(hall.workspace, "projects/shop/src/a.ts"), "utf8")).toBe("x");
  expect((await hall.call("GET", "/api/projects/shop/tasks/TASK-001")).body.task.status).toBe("done");
  const { plan } = (await hall.call("GET", `/api/runs/${sessionId}/prompt`)).body;
  expect(plan).toMatchObject({ timeout: { because: "set by the role" }, limits: { turns: 50 } });
  expect(plan.limits.tokens).toBeUndefined();
});

it("review, timeout, tokens and model are those of the project once it sets them [S0-COMPAT-03]", async () => {
  const hall = await playedHall(
    "turns:\n  - calls: [{tool: write, input: {path: a.txt, content: a}}]\n  - text: Done.\n",
  );
  const constraints = { requireReview: true, defaultTimeout: 77, maxTokensPerTask: 9_000 };
  await hall.call("PUT", "/api/projects/shop", { config: { constraints }, model: "offline/play" });
  const body = { projectId: "shop", roleId: "coder", task, ...waiting };
  const { sessionId } = (await hall.call("POST", "/api/team/spawn", body)).body;
  const { plan } = (await hall.call("GET", `/api/runs/${sessionId}/prompt`)).body;
  const because = "set by the project";
  expect(plan).toMatchObject({
    timeout: { value: 77, because },
    model: { value: "offline/play", because },
    limits: { seconds: 77, tokens: 9_000 },
  });
  expect((await hall.call("GET", "/api/projects/shop/tasks/TASK-001")).body.task.status).toBe("review");
});
