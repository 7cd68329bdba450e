import { expect, test } from "vitest";
import { type House, house } from "../../test/fakes/house.ts";
import { HallError } from "../contract/errors.ts";

const TASKS = "/api/projects/alpha/tasks";
const keyed = (key: string) => ({ "idempotency-key": key });
const create = ({ ask }: House, title: string, key: string) =>
  ask("POST", TASKS, { body: { title }, headers: keyed(key) });

test("the same key and request make one task and one answer", async () => {
  const home = house();
  const first = await create(home, "once", "k1");
  const second = await create(home, "once", "k1");
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(await second.text()).toBe(await first.text());
  expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
  expect([first, second].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
  expect(home.changes).toHaveLength(1);
});

test("the key goes with the change, so that the workspace remembers it", async () => {
  const home = house();
  await create(home, "once", "k1");
  expect(home.changes[0]?.request).toEqual({ key: "k1", fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test("the same key for another request is a conflict", async () => {
  const home = house();
  await create(home, "one", "k1");
  expect((await create(home, "two", "k1")).status).toBe(409);
  expect(
    (await home.ask("POST", "/api/projects/beta/tasks", { body: { title: "one" }, headers: keyed("k1") })).status,
  ).toBe(409);
});

test("a refused request can be tried again with its key", async () => {
  const home = house();
  const { create: make } = home.hall.tasks;
  home.hall.tasks.create = () => Promise.reject(new HallError("storage_failed", "full"));
  expect((await create(home, "once", "k1")).status).toBe(503);
  home.hall.tasks.create = make;
  expect((await create(home, "once", "k1")).status).toBe(201);
});

test.each(["", "with space", "ü", "x".repeat(201)])("the key '%s' is malformed", async (key) => {
  expect((await create(house(), "once", key)).status).toBe(400);
});

test("a key counts on POST only", async () => {
  const home = house();
  await home.ask("PUT", `${TASKS}/TASK-001`, { body: { title: "x" }, headers: keyed("k1") });
  expect(home.changes[0]?.request).toBeUndefined();
});

test.each([
  ["/api/roles", { name: "x" }, { type: "role.created", subjectId: "developer" }, "role", 201],
  [
    "/api/answer-rules",
    { question: "Which?", resolution: "This.", scope: "hall" },
    { type: "rule.created", subjectId: "rule-001" },
    "rule",
    201,
  ],
  ["/api/projects", { name: "x" }, { type: "project.created", projectId: "alpha", subjectId: "alpha" }, "project", 201],
  [
    "/api/projects/alpha/move",
    { status: "active" },
    { type: "project.moved", projectId: "alpha", subjectId: "alpha" },
    "project",
    200,
  ],
  [
    "/api/projects/alpha/team",
    { roleId: "developer" },
    { type: "assignment.created", projectId: "alpha", subjectId: "developer" },
    "assignment",
    201,
  ],
  [TASKS, { title: "x" }, { type: "task.created", projectId: "alpha", subjectId: "TASK-001" }, "task", 201],
  [
    "/api/tasks",
    { title: "x", projectId: "alpha" },
    { type: "task.created", projectId: "alpha", subjectId: "TASK-001" },
    "task",
    201,
  ],
  [
    `${TASKS}/TASK-001/move`,
    { status: "done" },
    { type: "task.moved", projectId: "alpha", subjectId: "TASK-001" },
    "task",
    200,
  ],
  [
    "/api/projects/alpha/initiatives",
    { title: "x" },
    { type: "initiative.created", projectId: "alpha", subjectId: "launch" },
    "initiative",
    201,
  ],
  [
    "/api/projects/alpha/artifacts",
    { name: "a", content: "" },
    { type: "document.written", projectId: "alpha", subjectId: "ARTIFACTS/2026-03-01/a.md" },
    "artifact",
    201,
  ],
] as const)("after a restart POST %s is answered from what it did", async (path, body, done, envelope, status) => {
  const home = house();
  home.hall.replay = () => done;
  const answer = await home.ask("POST", path, { body, headers: keyed("k1") });
  expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([status, "true"]);
  expect(await answer.json()).toMatchObject({ success: true, [envelope]: {} });
  expect(home.changes).toEqual([]);
});

const RUN = { type: "run.created", projectId: "alpha", subjectId: "run-1" } as const;
const SPAWN = { roleId: "developer", task: { title: "Do it" } };

test.each([
  ["/api/team/spawn", SPAWN, "running"],
  ["/api/projects/alpha/spawn", SPAWN, "running"],
  ["/api/runs/run-1/retry", undefined, "running"],
  ["/api/team/spawn", { ...SPAWN, options: { waitForCompletion: true } }, "completed"],
])("after a restart POST %s is answered with the run it started", async (path, body, status) => {
  const home = house();
  home.hall.replay = () => RUN;
  const answer = await home.ask("POST", path, { ...(body && { body }), headers: keyed("k1") });
  expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
  expect(await answer.json()).toEqual({ success: true, sessionId: "run-1", taskId: "TASK-001", status });
  expect([home.changes, home.spawned]).toEqual([[], []]);
});

test("after a restart, what the request made and someone removed since is said to be gone", async () => {
  const home = house();
  home.hall.replay = () => ({ type: "task.created", projectId: "alpha", subjectId: "TASK-009" });
  expect((await create(home, "once", "k1")).status).toBe(404);
  home.hall.replay = () => ({ ...RUN, subjectId: "run-9" });
  expect((await home.ask("POST", "/api/team/spawn", { body: SPAWN, headers: keyed("k2") })).status).toBe(404);
  expect(home.spawned).toEqual([]);
});
