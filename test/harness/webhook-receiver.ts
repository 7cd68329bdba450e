import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Cleaner } from "./temporary-folder.ts";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely by tests
  body: any;
}

/** What it answers: a status with headers, never anything, or a broken connection. */
export type Reply = { status: number; headers?: Record<string, string> } | "hang" | "break";

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Answers like this from now on. */
  play(reply: (request: Received, number: number) => Reply): void;
  close(): Promise<void>;
}

/** Someone who wants to be told, on loopback. */
export async function startReceiver(port = 0, later: Cleaner = onTestFinished): Promise<Receiver> {
  const received: Received[] = [];
  let answer: (request: Received, number: number) => Reply = () => ({ status: 204 });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    const { method = "", url: path = "", headers } = request;
    const seen: Received = { method, path, headers, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
    const reply = answer(seen, received.push(seen) - 1);
    if (reply === "break") response.destroy();
    else if (reply !== "hang") response.writeHead(reply.status, reply.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  later(close);
  const taken = (server.address() as AddressInfo).port;
  const play: Receiver["play"] = (reply) => {
    answer = reply;
  };
  return { url: `http://127.0.0.1:${taken}/hooks/s3cret-path`, port: taken, received, play, close };
}

/** Whether a request was signed with the secret, as docs/configuration.md tells receivers to check it. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const [, time = "", signature = ""] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-guildhall-signature"])) ?? [];
  const isFresh = Math.abs(Date.now() / 1_000 - Number(time)) < 300;
  return isFresh && createHmac("sha256", secret).update(`${time}.${text}`).digest("hex") === signature;
}
