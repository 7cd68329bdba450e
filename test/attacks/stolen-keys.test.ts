import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Hall, startHall } from "../harness/daemon.ts";

const KEY = "test-KEY-0123456789abcdef";
const OTHER = "test-OTHER-fedcba9876543210";
const NO_OLLAMA = { OLLAMA_HOST: "127.0.0.1:9" };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that remembers the headers it was sent. */
async function hostileServer(answer: Answer) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(JSON.stringify(request.rawHeaders));
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const setKey = (hall: Hall, name: string, body: object) => hall.call("PUT", `/api/providers/${name}/key`, body);

function everythingIn({ workspace }: Hall): string {
  const all = readdirSync(workspace, { recursive: true, encoding: "utf8" });
  return all
    .filter((path) => path !== ".guildhall/secrets" && statSync(join(workspace, path)).isFile())
    .map((path) => readFileSync(join(workspace, path), "latin1"))
    .join("\n");
}

it("a key is not sent to the address of another provider of the same kind", async () => {
  const server = await hostileServer((_, response) => json(response, { data: [{ id: "m-1" }] }));
  const hall = await startHall(undefined, { env: { ...NO_OLLAMA, ANTHROPIC_API_KEY: KEY } });
  const body = { kind: "anthropic", baseUrl: server.url };
  expect((await setKey(hall, "evil", body)).body.error?.code).toBe("key_required");
  expect((await setKey(hall, "evil", { ...body, untested: true })).body.error?.code).toBe("key_required");
  // In two steps: a server without a key first, which then changes its kind.
  await setKey(hall, "evil", { kind: "openai-compatible", baseUrl: server.url, untested: true });
  expect((await setKey(hall, "evil", body)).body.error?.code).toBe("key_required");
  expect(server.heard.join()).not.toContain(KEY);
});

it("a redirect is not followed, with a key or without", async () => {
  const elsewhere = await hostileServer((_, response) => json(response, { data: [{ id: "m-1" }] }));
  for (const status of [301, 302, 307, 308]) {
    const server = await hostileServer((request, response) =>
      response.writeHead(status, { location: `${elsewhere.url}${request.url}` }).end(),
    );
    const hall = await startHall(undefined, { env: NO_OLLAMA });
    const answer = await setKey(hall, "lab", { key: KEY, baseUrl: server.url, model: "m-1" });
    expect(answer.body.error?.code).toBe("key_untested");
    await hall.stop();
  }
  expect(elsewhere.heard).toEqual([]);
});

it("a server that repeats the key gets it into no answer, event or file", async () => {
  const logged: object[] = [];
  let mode: "listed" | "failing" | "chatty" = "listed";
  const server = await hostileServer((request, response) => {
    const listing = request.method === "GET";
    if (mode === "failing")
      return void response.writeHead(418, KEY).end(`You sent ${KEY} and ${encodeURIComponent(KEY)}`);
    if (listing) return void json(response, { data: [{ id: `m-${KEY}` }, { id: KEY, created: 9 }, { id: "m-1" }] });
    if (mode === "listed") return void json(response, { error: { message: `Wrong key ${KEY}` } }, 400);
    const choices = [{ index: 0, delta: { content: `Hello ${KEY}` }, finish_reason: "stop" }];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices })}\n\ndata: [DONE]\n\n`);
  });
  const hall = await startHall(undefined, { env: NO_OLLAMA, log: (entry) => logged.push(entry) });
  const answers: unknown[] = [];
  const ask = async (...asked: Parameters<Hall["call"]>) => answers.push((await hall.call(...asked)).body);
  for (const next of ["failing", "listed", "chatty"] as const) {
    mode = next;
    await ask("PUT", "/api/providers/lab/key", { key: KEY, baseUrl: server.url, untested: true });
    await ask("POST", "/api/providers/lab/test", {});
    await ask("GET", "/api/providers/lab/models");
    await ask("POST", "/api/models/test", { model: "lab/m-1" });
    for (const path of ["models", "settings", "doctor", "now", "events", "problems", "status"])
      await ask("GET", `/api/${path}`);
  }
  for (const [index, answer] of answers.entries()) expect(JSON.stringify(answer), `answer ${index}`).not.toContain(KEY);
  await hall.stop();
  expect(everythingIn(hall)).not.toContain(KEY);
  expect(JSON.stringify(logged)).not.toContain(KEY);
});

it("keys that are set at the same moment are all stored, and none spoils the file", async () => {
  const server = await hostileServer((request, response) =>
    request.method === "GET" ? json(response, { data: [{ id: "m-1" }] }) : json(response, {}, 402),
  );
  const hall = await startHall(undefined, { env: NO_OLLAMA });
  const names = Array.from({ length: 12 }, (_, index) => `lab-${index}`);
  const set = await Promise.all(
    names.map((name) => setKey(hall, name, { key: `${KEY}-${name}`, baseUrl: server.url, untested: true })),
  );
  expect(set.map(({ status }) => status)).toEqual(names.map(() => 200));
  const stored = readFileSync(join(hall.workspace, ".guildhall/secrets"), "utf8");
  for (const name of names) expect(stored).toContain(`${KEY}-${name}\n`);

  // A quote at the beginning would make the next lines part of this key.
  for (const key of [
    `"${OTHER}`,
    `'${OTHER}`,
    `${OTHER}\nEVIL=1`,
    `${OTHER}\u2028x`,
    `${OTHER}é`,
    "x".repeat(1_000_000),
  ]) {
    const answer = await setKey(hall, "odd", { key, baseUrl: server.url, untested: true });
    expect(answer.status, key.slice(0, 40)).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer.body)).not.toContain(OTHER);
  }
  // More than the next start would read.
  const large = await Promise.all(
    Array.from({ length: 26 }, (_, index) =>
      setKey(hall, `large-${index}`, { key: "k".repeat(3_990) + index, baseUrl: server.url, untested: true }),
    ),
  );
  expect(large.some(({ status }) => status !== 200)).toBe(true);
  await hall.stop();
  const again = await startHall(hall.workspace, { env: NO_OLLAMA });
  const { providers } = (await again.call("GET", "/api/models")).body;
  for (const name of names)
    expect(providers.find((each: { name: string }) => each.name === name)).toMatchObject({ key: true });
});
