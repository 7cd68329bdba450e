import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface ApiRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A JSON body with status 200, or with the given one; or a function that answers by itself. */
export type ApiAnswer = { status: number; body: unknown } | ((response: ServerResponse) => void);

export interface FakeApi {
  url: string;
  workspace: string;
  token: string;
  requests: ApiRequest[];
  close: () => Promise<void>;
}

/**
 * A real HTTP server that speaks the contract's envelopes, and the workspace whose daemon it pretends to be.
 * `answer` sees each request; without an answer it is a 404 of the contract.
 */
export async function fakeApi(answer: (request: ApiRequest, count: number) => ApiAnswer | undefined): Promise<FakeApi> {
  const requests: ApiRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    send(response, answer(request, requests.length) ?? refused("route_not_found", 404));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = "a-token-of-the-tests";
  const workspace = fakeWorkspace({ url, token });
  const close = () => {
    rmSync(workspace, { recursive: true, force: true });
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url, workspace, token, requests, close };
}

/** A workspace that says its daemon is this very process. */
export function fakeWorkspace({
  url,
  token,
  pid = process.pid,
}: {
  url: string;
  token?: string;
  pid?: number;
}): string {
  const workspace = mkdtempSync(join(tmpdir(), "guildhall-cli-"));
  const secrets = join(workspace, ".guildhall");
  mkdirSync(secrets, { mode: 0o700 });
  writeFileSync(join(secrets, "lock"), JSON.stringify({ pid, url, startedAt: "2026-03-01T12:00:00Z", version: "0" }));
  if (token !== undefined) writeFileSync(join(secrets, "token"), `${token}\n`, { mode: 0o600 });
  chmodSync(secrets, 0o700);
  return workspace;
}

export function ok(body: unknown): ApiAnswer {
  return { status: 200, body };
}

export function refused(code: string, status: number, more: Record<string, unknown> = {}): ApiAnswer {
  return { status, body: { error: { code, message: `refused with ${code}`, requestId: "request-1", ...more } } };
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost");
  const sent = await text(incoming);
  return {
    method: incoming.method ?? "",
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: incoming.headers,
    body: sent === "" ? undefined : JSON.parse(sent),
  };
}

function send(response: ServerResponse, answer: ApiAnswer): void {
  if (typeof answer === "function") answer(response);
  else response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
}
