import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange, openHouse, TOKEN } from "../../test/fakes/house.ts";
import { ErrorBody } from "../contract/error-body.ts";

const JSON_TYPE = "Content-Type: application/json";
const TASK = "/api/projects/alpha/tasks/TASK-001";

let server: Awaited<ReturnType<typeof openHouse>>["server"];
beforeAll(async () => {
  ({ server } = await openHouse());
});
afterAll(() => server.close());

interface Sent {
  readonly headers?: readonly string[];
  readonly body?: string;
  /** In place of our own address; undefined sends none. */
  readonly host?: string | undefined;
  readonly token?: boolean;
}

function written(port: number, line: string, sent: Sent): string {
  const { headers = [JSON_TYPE], body = "", token = true } = sent;
  const lines = [
    `${line} HTTP/1.1`,
    ...("host" in sent ? (sent.host === undefined ? [] : [`Host: ${sent.host}`]) : [`Host: 127.0.0.1:${port}`]),
    ...(token ? [`Authorization: Bearer ${TOKEN}`] : []),
    ...(headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "Connection: close",
    ...headers,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

async function statusOf(port: number, line: string, sent: Sent = {}): Promise<number> {
  const answer = await exchange(port, written(port, line.replace("PORT", String(port)), sent));
  expect(answer.toLowerCase()).toContain("x-content-type-options: nosniff");
  return Number(answer.split(" ")[1]);
}

describe("bytes that should not come", () => {
  const cases: [string, string, Sent, number][] = [
    ["no token", "GET /api/projects", { token: false }, 401],
    ["a token in the query", `GET /api/projects?token=${TOKEN}`, { token: false }, 401],
    ["two tokens", "GET /api/projects", { headers: ["Authorization: Bearer other"] }, 401],
    ["events without token", "GET /api/live", { token: false }, 401],
    ["dots that lead to the API without token", "GET /x/../api/roles", { token: false }, 400],
    ["dots that lead from one endpoint to another", "POST /api/runs/../stop", { body: "{}" }, 400],
    ["encoded dots", "POST /api/runs/%2e%2E/stop", { body: "{}" }, 400],
    ["half encoded dots", "POST /api/runs/.%2e/stop", { body: "{}" }, 400],
    ["dots behind a backslash", "POST /api/runs\\..\\stop", { body: "{}" }, 400],
    ["a dot for the same folder", "POST /api/./stop", { body: "{}" }, 400],
    ["dots at the end", "GET /api/runs/..", {}, 400],
    ["dots in a whole address", "POST http://127.0.0.1:PORT/api/runs/../stop", { body: "{}" }, 400],
    ["dots of a page", "GET /assets/../index.html", {}, 400],
    ["dots in a query", "GET /api/search?q=/../x", {}, 200],
    ["an encoded letter in the API's name", "GET /%61pi/roles", { token: false }, 404],
    ["a foreign host", "GET /", { host: "attacker.invalid" }, 421],
    ["a host with a dot at its end", "GET /", { host: "localhost." }, 421],
    ["an empty host", "GET /", { host: "" }, 400],
    ["no host", "GET /", { host: undefined }, 400],
    ["a host that is no host", "GET /", { host: "a b" }, 400],
    ["a foreign address in the request line", "GET http://attacker.invalid/", {}, 421],
    [
      "a post from another origin",
      "POST /api/tasks",
      { headers: [JSON_TYPE, "Origin: https://attacker.invalid"], body: "{}" },
      403,
    ],
    [
      "an origin that looks like ours",
      "POST /api/tasks",
      { headers: [JSON_TYPE, "Origin: http://localhost.attacker.invalid"], body: "{}" },
      403,
    ],
    [
      "a post from another site",
      "POST /api/tasks",
      { headers: [JSON_TYPE, "Sec-Fetch-Site: cross-site"], body: "{}" },
      403,
    ],
    [
      "a form",
      "POST /api/tasks",
      { headers: ["Content-Type: application/x-www-form-urlencoded"], body: "title=x" },
      415,
    ],
    [
      "a form without token",
      "POST /api/tasks",
      { headers: ["Content-Type: text/plain"], body: "{}", token: false },
      415,
    ],
    ["no content type", "POST /api/tasks", { headers: [], body: "{}" }, 415],
    ["a compressed body", "POST /api/tasks", { headers: [JSON_TYPE, "Content-Encoding: gzip"], body: "{}" }, 415],
    ["UTF-16", "POST /api/tasks", { headers: [`${JSON_TYPE}; charset=utf-16`], body: "{}" }, 415],
    [
      "a web socket from another origin",
      "GET /ws",
      { headers: ["Upgrade: websocket", "Connection: Upgrade", "Origin: https://attacker.invalid"] },
      403,
    ],
    ["TRACE", "TRACE /", { headers: [] }, 405],
    ["CONNECT", "CONNECT attacker.invalid:443", { headers: [] }, 405],
    ["a method that is not there", "PUT /api/projects", { body: "{}" }, 405],
    ["null", "POST /api/tasks", { body: "null" }, 400],
    ["nothing", "POST /api/tasks", {}, 400],
    ["too little", "POST /api/tasks", { body: "{}" }, 422],
    ["a prototype", "POST /api/tasks", { body: '{"title":"x","__proto__":{"admin":1}}' }, 422],
    [
      "deep nesting",
      "POST /api/tasks",
      { body: `{"title":"x","d":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
      400,
    ],
    ["half a surrogate", "POST /api/tasks", { body: '{"projectId":"alpha","title":"\\ud800"}' }, 422],
    [
      "a length that is too short",
      "POST /api/tasks",
      { headers: [JSON_TYPE, "Content-Length: 10"], body: '{"title":"longer than ten"}' },
      400,
    ],
    [
      "two ways to say the length",
      "POST /api/tasks",
      { headers: [JSON_TYPE, "Content-Length: 4", "Transfer-Encoding: chunked"], body: "0\r\n\r\nGET /admin" },
      400,
    ],
    [
      "ten thousand headers",
      "GET /",
      { headers: Array.from({ length: 10_000 }, (_, at) => `X-${at}: ${"a".repeat(50)}`) },
      431,
    ],
    ["dots in a path", "GET /assets/../../etc/passwd", {}, 400],
    ["dots encoded twice", "GET /assets/%252e%252e/etc/passwd", {}, 404],
    ["a lone percent sign", "GET /api/projects/%", {}, 400],
    ["a backslash", "GET /api\\roles", {}, 400],
    ["a project named like a prototype", "GET /api/projects/__proto__", {}, 404],
    ["a huge limit", "GET /api/tasks?limit=1000000000", {}, 422],
    ["a parameter twice", "GET /api/tasks?status=a&status=b", {}, 422],
    ["SQL in a search", "GET /api/search?q='%3BDROP%20TABLE%20tasks--", {}, 200],
    ["an old version", `PUT ${TASK}`, { headers: [JSON_TYPE, 'If-Match: "old"'], body: '{"title":"x"}' }, 412],
  ];

  test.each(cases)("%s", async (_, line, sent, status) => {
    expect(await statusOf(server.port, line, sent)).toBe(status);
  });

  test("what is not HTTP at all gets an error that can be read", async () => {
    const answer = await exchange(server.port, "hello\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const { error } = ErrorBody.parse(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))));
    expect(answer).toContain(`x-request-id: ${error.requestId}`);
  });
});

describe("a large body", () => {
  const head = (port: number, ...headers: string[]) =>
    `POST /api/tasks HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n${[JSON_TYPE, ...headers].join("\r\n")}\r\n\r\n`;

  test("is refused from its announced length, before it is sent", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(head(server.port, "Content-Length: 10485761"));
    const [answer] = await new Promise<Buffer[]>((resolve) => socket.once("data", (data: Buffer) => resolve([data])));
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("without a length is read up to the limit only", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    const answered = new Promise<string>((resolve) => socket.once("data", (data: Buffer) => resolve(String(data))));
    const chunk = `100000\r\n${"x".repeat(1_048_576)}\r\n`;
    socket.write(head(server.port, "Transfer-Encoding: chunked"));
    for (let at = 0; at < 11; at++) socket.write(chunk);
    expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });
});
