import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { exchange } from "./wire.ts";

let server: Server | undefined;

afterEach(() => {
  server?.close();
  server = undefined;
});

/** A server that answers each connection with these bytes, piece by piece, and then closes it. */
async function answering(pieces: string[], end: (socket: Socket) => void = (socket) => socket.end()): Promise<URL> {
  server = createServer(async (socket) => {
    socket.on("error", () => {}).resume();
    for (const piece of pieces) await new Promise((sent) => socket.write(Buffer.from(piece, "utf8"), sent));
    end(socket);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function get(origin: URL, silenceMs = 5_000): Promise<{ status: number; text: string }> {
  const { status, body } = await exchange({ method: "GET", origin, path: "/", headers: {}, silenceMs });
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return { status, text: Buffer.concat(parts).toString("utf8") };
}

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5;note=1\r\n, €\r\n";

describe("exchange", () => {
  it("reads a body of a given length", async () => {
    const origin = await answering(["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more"]);
    expect(await get(origin)).toEqual({ status: 200, text: "hello" });
  });

  it("reads a body in chunks", async () => {
    const origin = await answering([`${CHUNKED}0\r\n\r\n`]);
    expect(await get(origin)).toEqual({ status: 200, text: "hello, €" });
  });

  it("reads an answer that comes byte by byte", async () => {
    const origin = await answering([
      ..."HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
    ]);
    expect(await get(origin)).toEqual({ status: 404, text: "no" });
  });

  it("reads a body that ends with the connection", async () => {
    const origin = await answering(["HTTP/1.0 200 OK\r\n\r\nall of it"]);
    expect(await get(origin)).toEqual({ status: 200, text: "all of it" });
  });

  it("passes over an interim answer", async () => {
    const origin = await answering([
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
    ]);
    expect(await get(origin)).toEqual({ status: 201, text: "ok" });
  });

  it.each([
    ["a body shorter than announced", ["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello"]],
    ["chunks without their end", [CHUNKED]],
    ["headers without their end", ["HTTP/1.1 200 OK\r\nContent-"]],
    ["no answer at all", []],
  ])("says that the answer broke off: %s", async (_, pieces) => {
    const origin = await answering(pieces);
    await expect(get(origin)).rejects.toMatchObject({
      code: "daemon_unreachable",
      message: "The daemon's response was cut off.",
    });
  });

  it.each([
    ["SSH-2.0-OpenSSH\r\n"],
    ["HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"],
    ["x".repeat(70_000)],
  ])("refuses what is not the HTTP of the daemon: %.20s", async (answer) => {
    const origin = await answering([answer]);
    await expect(get(origin)).rejects.toMatchObject({
      code: "daemon_unreachable",
      message: /not from a Guildhall daemon/,
    });
  });

  it("tells a refused connection", async () => {
    const origin = await answering([]);
    await new Promise((closed) => server?.close(closed));
    await expect(get(origin)).rejects.toMatchObject({ code: "daemon_unreachable", message: /connection refused/ });
  });

  it("gives up on a daemon that is silent for too long", async () => {
    const origin = await answering(["HTTP/1.1 200 OK\r\n"], () => {});
    await expect(get(origin, 10)).rejects.toMatchObject({
      code: "daemon_unreachable",
      message: /did not answer within/,
    });
  });

  it("closes the connection when the body is left", async () => {
    const closed = Promise.withResolvers<void>();
    const origin = await answering([CHUNKED], (socket) => socket.on("close", () => closed.resolve()));
    const { body } = await exchange({ method: "GET", origin, path: "/", headers: {}, silenceMs: 0 });
    for await (const part of body) {
      expect(part.toString()).toBe("hello");
      break;
    }
    await closed.promise;
  });

  it("refuses a header that would begin another line", async () => {
    const request = { method: "GET", origin: new URL("http://127.0.0.1:9"), path: "/", silenceMs: 0 };
    await expect(exchange({ ...request, headers: { "if-match": "a\r\nx: y" } })).rejects.toMatchObject({
      code: "usage",
    });
  });
});
