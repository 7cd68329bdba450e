import { describe, expect, test } from "vitest";
import { sampleTask } from "../../test/fakes/fake-hall.ts";
import { house } from "../../test/fakes/house.ts";
import { ErrorBody } from "../contract/error-body.ts";

const TASK = "/api/projects/alpha/tasks/TASK-001";

async function errorOf(answer: Response) {
  return ErrorBody.parse(await answer.json()).error;
}

describe("reading the request", () => {
  test("a query parameter given twice or unknown is refused", async () => {
    const { ask } = house();
    expect((await errorOf(await ask("GET", "/api/tasks?status=a&status=b"))).message).toBe(
      "status: must not be given more than once",
    );
    expect((await ask("GET", "/api/tasks?colour=red")).status).toBe(422);
    expect((await ask("GET", `${TASK}?colour=red`)).status).toBe(422);
    expect((await ask("GET", "/api/tasks?__proto__=1")).status).toBe(422);
  });

  test("a body over 10 MiB is too large", async () => {
    const answer = await house().ask("POST", "/api/projects/alpha/tasks", {
      body: `{"title":"${"x".repeat(10 * 1_048_576)}"}`,
    });
    expect(answer.status).toBe(413);
  });

  test("an endpoint without a body takes none, an empty object, and nothing else", async () => {
    const { ask, stops } = house();
    expect((await ask("POST", "/api/shutdown")).status).toBe(200);
    expect((await ask("POST", "/api/shutdown", { body: {} })).status).toBe(200);
    expect((await ask("POST", "/api/shutdown", { body: { now: true } })).status).toBe(422);
    expect(stops).toHaveLength(2);
  });

  test("an endpoint with a body needs one", async () => {
    const { ask } = house();
    const json = { headers: { "content-type": "application/json" } };
    expect((await ask("POST", "/api/tasks")).status).toBe(415);
    expect((await ask("POST", "/api/tasks", json)).status).toBe(400);
  });

  test("a whole role may be posted, and its own stamps not", async () => {
    const { ask } = house();
    const { role } = (await (await ask("GET", "/api/roles/developer")).json()) as { role: Record<string, unknown> };
    const { createdAt, updatedAt: _, version: __, etag: ___, ...body } = role;
    expect((await ask("POST", "/api/roles", { body })).status).toBe(201);
    expect((await ask("POST", "/api/roles", { body: { ...body, createdAt } })).status).toBe(422);
  });

  test.each([
    ["/api/roles/developer", "role"],
    ["/api/projects/alpha", "project"],
    [TASK, "task"],
  ])("what GET %s answers can be PUT back", async (path, key) => {
    const { ask } = house();
    const document = ((await (await ask("GET", path)).json()) as Record<string, object>)[key];
    const answer = await ask("PUT", path, { body: { ...document, createdAt: "2020-01-01T00:00:00Z" } });
    expect([answer.status, (await errorOf(answer)).message]).toEqual([422, "createdAt: cannot be changed"]);
    expect((await ask("PUT", path, { body: document })).status).toBe(200);
  });

  test("an assignment can be PUT back", async () => {
    const { ask } = house();
    const { assignments } = (await (await ask("GET", "/api/projects/alpha/team")).json()) as { assignments: object[] };
    expect((await ask("PUT", "/api/projects/alpha/team/developer", { body: assignments[0] })).status).toBe(200);
  });

  test("the actor is a person, on the command line or elsewhere", async () => {
    const { ask, changes } = house();
    await ask("PUT", TASK, { body: { title: "a" } });
    await ask("PUT", TASK, { body: { title: "b" }, headers: { "x-guildhall-client": "cli" } });
    expect(changes.map(({ actor }) => actor)).toEqual([
      { kind: "person", via: "http" },
      { kind: "person", via: "cli" },
    ]);
  });
});

describe("versions", () => {
  test("a document comes with its etag, and a good copy is not sent again", async () => {
    const { ask } = house();
    const etag = (await ask("GET", TASK)).headers.get("etag") ?? "";
    expect(etag).toBe(`"${sampleTask.etag}"`);
    const again = await ask("GET", TASK, { headers: { "if-none-match": etag } });
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
  });

  test("a change based on an older version is refused", async () => {
    const { ask } = house();
    const headers = { "if-match": '"TASK-001-v1"' };
    const first = await ask("PUT", TASK, { body: { title: "mine" }, headers });
    expect(first.headers.get("etag")).not.toBe('"TASK-001-v1"');
    expect((await ask("PUT", TASK, { body: { title: "yours" }, headers })).status).toBe(412);
    expect((await ask("POST", `${TASK}/move`, { body: { status: "done" }, headers })).status).toBe(412);
  });

  test("If-Match reaches deletions and not creations", async () => {
    const { ask, changes } = house();
    const headers = { "if-match": '"x"' };
    await ask("DELETE", "/api/roles/developer", { headers });
    await ask("POST", "/api/roles", { body: { name: "x" }, headers });
    expect(changes.map(({ ifMatch }) => ifMatch)).toEqual(["x", undefined]);
  });
});
