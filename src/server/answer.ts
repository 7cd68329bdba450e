import type { IncomingMessage, ServerResponse } from "node:http";

/** What is sent back. A stream is sent as it comes. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

/** What is left of a body that nobody wanted is read and dropped, up to here; then the connection ends. */
const DROPPED_MS = 500;
const DROPPED_BYTES = 64 * 1024 * 1024;

/** Resolves when everything was handed to the socket, or it is gone. */
export async function sendAnswer({ status, headers, body }: Answer, outgoing: ServerResponse): Promise<void> {
  const { req: incoming } = outgoing;
  outgoing.once("finish", () => dropRest(incoming));
  if (incoming.method === "HEAD" || body === null) {
    outgoing.writeHead(status, headers).end();
    if (body instanceof ReadableStream) await body.cancel();
  } else if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers).flushHeaders();
    await pass(body, outgoing);
  } else {
    outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  }
}

/** As fast as the client reads. A client that leaves ends the stream. */
async function pass(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  outgoing.once("close", cancel).once("error", cancel);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      if (!outgoing.write(next.value)) await drained(outgoing);
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : undefined);
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go).off("close", go);
      resolve();
    };
    outgoing.on("drain", go).on("close", go);
  });
}

/** The next request of the connection comes after the rest of this one. */
function dropRest(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let size = 0;
  const timer = setTimeout(() => incoming.socket.destroySoon(), DROPPED_MS).unref();
  incoming
    .on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > DROPPED_BYTES) incoming.socket.destroySoon();
    })
    .once("end", () => clearTimeout(timer))
    .once("error", () => clearTimeout(timer))
    .once("close", () => clearTimeout(timer))
    .resume();
}
