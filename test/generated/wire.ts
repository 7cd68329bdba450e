import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { expect } from "vitest";
import { ErrorBody } from "../../src/contract/error-body.ts";
import { type ErrorCode, errorTable } from "../../src/contract/errors.ts";
import { type EndpointName, endpoints } from "../../src/contract/routes/endpoints.ts";
import type { Route } from "../../src/contract/routes/route.ts";
import { routes } from "../../src/contract/routes/routes.ts";
import type { Hall } from "../harness/daemon.ts";

/** A request as it goes over the wire: nothing is encoded, sorted or tidied up on the way. */
export interface WireRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | undefined;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function send(hall: Hall, asked: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(hall.url);
  const { method, path, body } = asked;
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const headers = { authorization: `Bearer ${hall.token}`, ...length, ...asked.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      const finish = () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        });
      incoming.on("data", (chunk) => chunks.push(chunk)).on("end", finish);
      // A stream of events has no end; that it began is its answer.
      if (incoming.headers["content-type"]?.startsWith("text/event-stream")) incoming.destroy().on("close", finish);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const STACK = /\n\s+at |\.ts:\d|node:internal|node_modules|file:\/\//;

/** Whatever was asked, the answer is one that the contract knows, and tells nothing about the machine. */
export function expectAnswer(hall: Hall, asked: WireRequest, answer: WireAnswer, name?: EndpointName): void {
  const about = () =>
    `${asked.method} ${asked.path.slice(0, 300)}\n${asked.body?.toString().slice(0, 2_000)}\n→ ${answer.status} ${answer.text.slice(0, 2_000)}`;
  expect(answer.status, about()).toBeLessThan(500);
  expect(answer.headers["x-request-id"], about()).toMatch(/\S/);
  if (answer.status >= 400) expectError(hall, asked, answer, about);
  else if (
    name !== undefined &&
    answer.status !== 304 &&
    answer.headers["content-type"]?.startsWith("application/json")
  ) {
    const route: Route = routes[name];
    expect(answer.status, about()).toBe(route.status ?? 200);
    const parsed = route.response.safeParse(JSON.parse(answer.text));
    expect(parsed.error?.issues ?? [], about()).toEqual([]);
  }
}

function expectError(hall: Hall, asked: WireRequest, answer: WireAnswer, about: () => string): void {
  if (asked.method === "HEAD") return;
  const parsed = ErrorBody.safeParse(JSON.parse(answer.text));
  expect(parsed.error?.issues ?? [], about()).toEqual([]);
  const { error } = parsed.data as ErrorBody;
  expect(error.requestId, about()).toBe(answer.headers["x-request-id"]);
  expect(errorTable[error.code as ErrorCode].status, about()).toBe(answer.status);
  for (const told of [error.message, error.hint ?? "", error.file ?? ""]) {
    expect(told, about()).not.toMatch(STACK);
    for (const place of [process.cwd(), hall.workspace, "/proc/"]) expect(told.includes(place), about()).toBe(false);
    expect(told.length, about()).toBeLessThan(20_000);
  }
}

export function addressOf(name: EndpointName): { method: string; path: string } {
  const [method = "", path = ""] = endpoints[name].split(" ");
  return { method, path };
}
