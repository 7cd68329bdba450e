import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { anthropic } from "./wire/anthropic.ts";
import { google } from "./wire/google.ts";
import { openaiChat } from "./wire/openai-chat.ts";
import { openaiResponses } from "./wire/openai-responses.ts";
import type { Body, Gist, ScriptedTurn } from "./wire/wire.ts";

const WIRES = { anthropic, "openai-chat": openaiChat, "openai-responses": openaiResponses, google };
export type WireFormat = keyof typeof WIRES;

/**
 * A language model on loopback that follows a script and speaks the real wire formats, with server-sent events:
 * Anthropic Messages (`…/messages`), OpenAI Chat Completions (`…/chat/completions`), OpenAI Responses (`…/responses`)
 * and Google (`…:streamGenerateContent`). Any path before that will do, so `url` serves as a base URL with `/v1` or
 * without.
 *
 *     const provider = await startProvider([
 *       { calls: [{ name: "read", input: { path: "a.txt" } }] },
 *       { status: 529 },
 *       { text: "Done.", usage: { input: 100, output: 7 } },
 *     ]);
 *     onTestFinished(() => provider.close());
 *
 * A list is played in the order in which requests arrive, and a request after its end is refused with 400. A function
 * looks at each request and decides: an obedient model is `({ text }) => ({ calls: whateverItSays(text) })`.
 */
export interface Turn extends ScriptedTurn {
  /** Anything but 200 is a refusal; `error` words it, or `body` is sent as it is. */
  status?: number;
  headers?: Record<string, string>;
  error?: { type?: string; message?: string };
  body?: string;
  /** Before the first byte. */
  delayMs?: number;
  /** Never answers: not at all, or no more after the first half of its events. */
  hang?: true | "middle";
  /** Breaks the connection off after so many bytes of the body. */
  cutAfterBytes?: number;
  /** This, as a successful answer. */
  garbage?: string;
  /** Writes the body in pieces of so many bytes, wherever that cuts. */
  chunkBytes?: number;
}

export interface SeenRequest extends Gist {
  number: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  format: WireFormat;
  body: Body;
  /** Which connection it came on; the same number means that the socket was used again. */
  connection: number;
  /** Resolves when the exchange is over, and says who ended it. */
  ended: Promise<"answered" | "aborted">;
}

export type Script = readonly Turn[] | ((request: SeenRequest) => Turn | Promise<Turn>);

export interface ScriptedProvider {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** Every request so far, oldest first. */
  requests: SeenRequest[];
  /** The request of that number, from 0; waits until it has arrived. */
  request(number: number): Promise<SeenRequest>;
  /** Follows another script from now on. */
  play(script: Script): void;
  /** Nobody listens any more, until it is opened again at the same address. */
  shut(): Promise<void>;
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** What a provider says beside its script. */
export interface Door {
  /** What it lists; unless given, it does not list its models. */
  models?: string[];
  /** The key it accepts, which may change; unless given, any. */
  key?: () => string;
}

export async function startProvider(script: Script = [], door: Door = {}): Promise<ScriptedProvider> {
  let next = nextTurn(script);
  const requests: SeenRequest[] = [];
  const waiting = new Map<number, (request: SeenRequest) => void>();
  const connections = new WeakMap<Socket, number>();
  let opened = 0;
  const server = createServer((request, response) => {
    void take(request, response);
  });
  server.on("connection", (socket) => connections.set(socket, ++opened));
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    if (isTurnedAway(request, response, door)) return;
    const seen = await read(request, response, connections.get(request.socket) ?? 0);
    if (seen === undefined) return;
    seen.number = requests.push(seen) - 1;
    waiting.get(seen.number)?.(seen);
    waiting.delete(seen.number);
    await answer(seen, await next(seen), response);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    request: (number) => {
      const seen = requests[number];
      return seen === undefined ? new Promise((resolve) => waiting.set(number, resolve)) : Promise.resolve(seen);
    },
    play: (other) => {
      next = nextTurn(other);
    },
    shut: close,
    reopen: () => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve)),
    close,
  };
}

/** Answers what needs no script: a key that is not accepted, and the list of models. */
function isTurnedAway(request: IncomingMessage, response: ServerResponse, { models, key }: Door): boolean {
  const { authorization = "", "x-api-key": own = "" } = request.headers;
  const given = authorization.replace(/^Bearer /, "") || String(own);
  const reply = (status: number, body: object) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return true;
  };
  if (key !== undefined && given !== key())
    return reply(401, { error: { type: "invalid_api_key", message: `Incorrect API key provided: ${given}` } });
  const isList = request.method === "GET" && /\/models(?:\?|$)/.test(request.url ?? "");
  return isList && models !== undefined && reply(200, { data: models.map((id) => ({ id })) });
}

function nextTurn(script: Script): (request: SeenRequest) => Turn | Promise<Turn> {
  if (typeof script === "function") return script;
  let at = 0;
  return () => script[at++] ?? { status: 400, error: { type: "script_ended", message: "The script is at its end." } };
}

async function read(
  request: IncomingMessage,
  response: ServerResponse,
  connection: number,
): Promise<SeenRequest | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part as Buffer);
  } catch {
    // It was broken off before it was whole.
    return undefined;
  }
  const { method = "", url: path = "", headers } = request;
  const format = (Object.keys(WIRES) as WireFormat[]).find((name) => WIRES[name].matches(path));
  if (method !== "POST" || format === undefined) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"no such path"}}');
    return undefined;
  }
  const body: Body = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const ended = new Promise<"answered" | "aborted">((resolve) => {
    response.once("close", () => resolve(response.writableFinished ? "answered" : "aborted"));
  });
  return { number: 0, method, path, headers, format, body, connection, ended, ...WIRES[format].gist(body, path) };
}

async function answer(seen: SeenRequest, turn: Turn, response: ServerResponse): Promise<void> {
  if (turn.hang === true) return;
  if (turn.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, turn.delayMs));
  const { status = 200, headers = {} } = turn;
  if (status !== 200) {
    const error = { type: "scripted_error", message: `scripted status ${status}`, ...turn.error };
    const body = turn.body ?? JSON.stringify(WIRES[seen.format].refusal(status, error));
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
  const frames = WIRES[seen.format].frames({ turn, model: seen.model, number: seen.number });
  if (turn.hang === "middle") {
    response.write(frames.slice(0, Math.ceil(frames.length / 2)).join(""));
    return;
  }
  const body = Buffer.from(turn.garbage ?? turn.body ?? frames.join(""), "utf8");
  if (turn.cutAfterBytes !== undefined) {
    response.write(body.subarray(0, turn.cutAfterBytes), () => response.destroy());
    return;
  }
  await send(body, turn.chunkBytes, response);
}

async function send(body: Buffer, chunkBytes: number | undefined, response: ServerResponse): Promise<void> {
  if (chunkBytes === undefined) {
    response.end(body);
    return;
  }
  for (let at = 0; at < body.length; at += chunkBytes)
    await new Promise((resolve) => response.write(body.subarray(at, at + chunkBytes), resolve));
  response.end();
}
