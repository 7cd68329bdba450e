import { afterEach, describe, expect, it } from "vitest";
import { type ApiAnswer, type ApiRequest, type FakeApi, fakeApi, ok, refused } from "../../../test/fakes/api.ts";
import { task } from "../../../test/fakes/api-documents.ts";
import { type Client, createClient } from "./client.ts";
import { findDaemon } from "./connection.ts";

let api: FakeApi;

afterEach(() => api.close());

async function clientOf(answer: (request: ApiRequest) => ApiAnswer | undefined): Promise<Client> {
  api = await fakeApi(answer);
  return createClient(() => findDaemon(api.workspace, { env: {}, calledAs: "guildhall" }));
}

describe("a call", () => {
  it("goes to the endpoint's method and path, with token and client named", async () => {
    const client = await clientOf(() => ok({ tasks: [task()], invalid: [] }));
    const answer = await client.call("listTasks", {
      params: { id: "shop" },
      query: { ready: true, limit: undefined, q: "a&b ü" },
    });
    expect(answer.tasks).toEqual([task()]);
    expect(api.requests).toMatchObject([
      {
        method: "GET",
        path: "/api/projects/shop/tasks",
        query: { ready: "true", q: "a&b ü" },
        headers: {
          authorization: `Bearer ${api.token}`,
          "x-guildhall-client": "cli",
          host: new URL(api.url).host,
          connection: "close",
        },
        body: undefined,
      },
    ]);
  });

  it("sends a body as JSON, byte for byte what was given", async () => {
    const client = await clientOf(() => ok({ success: true, task: task() }));
    const body = { title: '🚀 \u0000 "quoted" 日本', description: "one\ntwo\r\n" };
    await client.call("createTask", { params: { id: "shop" }, body });
    expect(api.requests[0]).toMatchObject({ method: "POST", headers: { "content-type": "application/json" }, body });
  });

  it("sends an empty object where a POST has nothing to say", async () => {
    const client = await clientOf(() => ok({ success: true }));
    await client.call("stopDaemon", {});
    expect(api.requests[0]).toMatchObject({ method: "POST", path: "/api/shutdown", body: {} });
  });

  it("binds a change to an etag", async () => {
    const client = await clientOf(() => ok({ success: true, task: task() }));
    await client.call("updateTask", { params: { id: "shop", taskId: "TASK-001" }, body: {}, ifMatch: "e1" });
    expect(api.requests[0]?.headers["if-match"]).toBe("e1");
  });

  it("keeps an id inside its segment of the path", async () => {
    const client = await clientOf(() => ok({ role: {} }));
    await client.call("getRole", { params: { id: "a/../b?c#d%" } });
    expect(api.requests[0]?.path).toBe("/api/roles/a%2F..%2Fb%3Fc%23d%25");
  });

  it.each(["", ".", "..", "\ud800"])("refuses the id '%s', which would make another request of it", async (taskId) => {
    const client = await clientOf(() => undefined);
    const call = client.call("moveTask", { params: { id: "shop", taskId }, body: { status: "done" } });
    await expect(call).rejects.toMatchObject({ code: "usage" });
    expect(api.requests).toEqual([]);
  });

  it("throws a refusal with the daemon's own words", async () => {
    const client = await clientOf(() => refused("file_invalid", 409, { file: "a.md", line: 3, hint: "Mend it." }));
    await expect(client.call("getStatus", {})).rejects.toMatchObject({
      code: "file_invalid",
      message: "refused with file_invalid",
      file: "a.md",
      line: 3,
      hint: { action: "advice", args: { text: "Mend it." } },
      requestId: "request-1",
      exit: 4,
    });
  });

  it("takes a code it does not know for the nearest one with that status", async () => {
    const client = await clientOf(() => refused("too_fancy", 413));
    await expect(client.call("getStatus", {})).rejects.toMatchObject({
      code: "too_large",
      message: "refused with too_fancy",
    });
  });

  it.each([
    [
      "a page",
      (request: ApiRequest): ApiAnswer =>
        (response) =>
          void response.end(`<p>${request.path}</p>`),
    ],
    ["an error without words", (): ApiAnswer => (response) => void response.writeHead(500).end("oops")],
  ])("calls it a defect when the daemon answers with %s", async (_, answer) => {
    const client = await clientOf(answer);
    await expect(client.call("getStatus", {})).rejects.toMatchObject({ code: "internal", exit: 1 });
  });

  it("puts a large answer together again", async () => {
    const tasks = Array.from({ length: 1_000 }, (_, index) => task({ title: `Täsk ${index} ${"€".repeat(500)}` }));
    const client = await clientOf(() => (response) => {
      const bytes = Buffer.from(JSON.stringify({ tasks, invalid: [] }));
      for (let at = 0; at < bytes.length; at += 10_007) response.write(bytes.subarray(at, at + 10_007));
      response.end();
    });
    expect((await client.call("listAllTasks", {})).tasks).toEqual(tasks);
  });
});
