import { connect, type Socket } from "node:net";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";

/**
 * One HTTP/1.1 exchange over a plain socket. node:http would do the same, but loading it takes as long as everything
 * else a command does; the daemon is the only server ever spoken to.
 */
export interface WireRequest {
  method: string;
  origin: URL;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** How long the daemon may be silent; 0 waits for ever. */
  silenceMs: number;
}

export interface WireResponse {
  status: number;
  headers: Map<string, string>;
  /** Ends only when the whole body has come; throws HallError when it breaks off. Leaving it closes the connection. */
  body: AsyncIterable<Buffer>;
}

const LONGEST_LINE = 64 * 1024;

export async function exchange(request: WireRequest): Promise<WireResponse> {
  const { origin } = request;
  const text = requestText(request);
  const socket = connect(Number(origin.port || 80), origin.hostname.replace(/^\[|\]$/g, ""));
  socket.setTimeout(request.silenceMs, () => socket.destroy(silent(request)));
  socket.write(text);
  const bytes = new ByteReader(socket);
  try {
    const { status, headers } = await readHead(bytes);
    return { status, headers, body: closing(socket, bodyParts(bytes, headers)) };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function requestText({ method, origin, path, headers, body }: WireRequest): string {
  const content = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: origin.host, connection: "close", ...headers, ...content }).map(headerLine);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

function headerLine([name, value]: [string, string]): string {
  if (!/^[\x20-\x7e]*$/.test(value))
    throw new HallError("usage", `The value of the ${name} header must be plain ASCII.`);
  return `${name}: ${value}\r\n`;
}

async function readHead(bytes: ByteReader): Promise<{ status: number; headers: Map<string, string> }> {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(await bytes.line())?.[1];
  if (status === undefined) throw garbled();
  const headers = new Map<string, string>();
  for (let line = await bytes.line(); line !== ""; line = await bytes.line()) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return status.startsWith("1") ? readHead(bytes) : { status: Number(status), headers };
}

function bodyParts(bytes: ByteReader, headers: Map<string, string>): AsyncIterable<Buffer> {
  if (headers.get("transfer-encoding")?.toLowerCase() === "chunked") return chunks(bytes);
  const length = headers.get("content-length");
  if (length === undefined) return untilClosed(bytes);
  if (!/^\d+$/.test(length)) throw garbled();
  return exactly(bytes, Number(length));
}

async function* chunks(bytes: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const size = /^([0-9a-f]+)\s*(?:;|$)/i.exec(await bytes.line())?.[1];
    if (size === undefined) throw garbled();
    if (/^0+$/.test(size)) break;
    yield* exactly(bytes, Number.parseInt(size, 16));
    if ((await bytes.line()) !== "") throw garbled();
  }
  while ((await bytes.line()) !== "");
}

async function* exactly(bytes: ByteReader, length: number): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const part = await bytes.some(left);
    if (part === undefined) throw brokenOff();
    left -= part.length;
    yield part;
  }
}

async function* untilClosed(bytes: ByteReader): AsyncGenerator<Buffer> {
  for (let part = await bytes.some(LONGEST_LINE); part !== undefined; part = await bytes.some(LONGEST_LINE)) yield part;
}

async function* closing(socket: Socket, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* parts;
  } finally {
    socket.destroy();
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#source = socket[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes, or undefined at the end. */
  async some(most: number): Promise<Buffer | undefined> {
    if (this.#held.length === 0 && !(await this.#more())) return undefined;
    const part = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(part.length);
    return part;
  }

  async line(): Promise<string> {
    let end = this.#held.indexOf(0x0a);
    while (end === -1) {
      if (this.#held.length > LONGEST_LINE) throw garbled();
      if (!(await this.#more())) throw brokenOff();
      end = this.#held.indexOf(0x0a);
    }
    const line = this.#held.toString("latin1", 0, end);
    this.#held = this.#held.subarray(end + 1);
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next().catch((error: unknown) => {
      throw error instanceof HallError ? error : unreachable(error);
    });
    if (next.done === true) return false;
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value]);
    return true;
  }
}

function unreachable(error: unknown): HallError {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "ECONNREFUSED")
    return new HallError("daemon_unreachable", "Can't reach the daemon: connection refused.");
  return new HallError("daemon_unreachable", `Can't reach the daemon: ${code}.`, { hint: VERIFY });
}

const VERIFY = hint("daemon-verify");

function silent({ silenceMs }: WireRequest): HallError {
  const message = `The daemon did not respond within ${silenceMs / 1000} seconds.`;
  return new HallError("daemon_unreachable", message, { hint: VERIFY });
}

function brokenOff(): HallError {
  return new HallError("daemon_unreachable", "The daemon's response was cut off.", { hint: VERIFY });
}

function garbled(): HallError {
  return new HallError("daemon_unreachable", "The response is not from a Guildhall daemon.", {
    hint: hint("daemon-start-again"),
  });
}
