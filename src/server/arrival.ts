import type { IncomingMessage } from "node:http";
import { HallError } from "../contract/errors.ts";

/** Every line of every header, under its lower-case name; nothing is joined, so that a repeated header shows. */
export type HeaderLines = ReadonlyMap<string, readonly string[]>;

/** A request as it came over the wire. `path` is undecoded and is the very text that is routed on. */
export interface Arrival {
  readonly requestId: string;
  readonly method: string;
  readonly authority: string;
  readonly path: string;
  /** As in the request line, with its query; absent when the request was made in process. */
  readonly target?: string | undefined;
  readonly search: string;
  readonly headers: HeaderLines;
  readonly hasBody: boolean;
  /** The name of the client whose token it shows; absent where it speaks for the person. */
  readonly client?: string | undefined;
  /** The session of the page that it comes from; set once the guard has let it in. */
  readonly session?: { readonly id: string; readonly kind: "browser" | "device" } | undefined;
  /** The address at the other end; absent when the request was made in process. */
  readonly remote?: string | undefined;
  readonly isTls?: boolean | undefined;
  /** Rejects with too_large as soon as more than `limit` bytes have come. May be called once. */
  readBody(limit: number): Promise<Uint8Array>;
}

/** A request whose target or Host does not make an address. */
export class UnreadableAddress extends Error {}

/** `host`: what it counts as sent to, where it does not say. Throws UnreadableAddress. */
export function arrivalOf(incoming: IncomingMessage, host: string, requestId: string): Arrival {
  const headers = headerLines(incoming.rawHeaders);
  return {
    requestId,
    method: incoming.method ?? "",
    ...splitUrl(urlOf(incoming, host)),
    headers,
    hasBody: announcesBody(headers),
    target: incoming.url ?? "",
    remote: incoming.socket.remoteAddress ?? "",
    isTls: "encrypted" in incoming.socket,
    readBody: (limit) => readIncoming(incoming, limit),
  };
}

const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;
const PLAIN_TARGET = /^\/[!#$&-;=?-[\]_a-z~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?#]|$)/;

/** The address of a request; what nobody could read otherwise is not resolved as URLs are, which takes longer than all else. */
function urlOf(incoming: IncomingMessage, defaultHost: string): string {
  const { url: target = "", headers } = incoming;
  const isWhole = /^https?:\/\//.test(target);
  const host = headers.host || defaultHost;
  const url = isWhole ? target : `${"encrypted" in incoming.socket ? "https" : "http"}://${host}${target}`;
  if (!isWhole && target !== "" && !target.startsWith("/")) throw new UnreadableAddress("it is no path");
  if (!isWhole && PLAIN_HOST.test(host) && PLAIN_TARGET.test(target) && !DOT_SEGMENT.test(target)) return url;
  if (target.replace(/\?.*$/s, "").includes("\\")) throw new UnreadableAddress("it has a backslash in its path");
  const resolved = resolvedUrl(url);
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (!isWhole && resolved.hostname.length !== host.length && resolved.hostname !== name)
    throw new UnreadableAddress("its Host is another one than it seems");
  return resolved.href;
}

function resolvedUrl(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new UnreadableAddress("it is no address");
  }
}

export function headerLines(raw: readonly string[]): HeaderLines {
  const lines = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? "";
    const value = raw[at + 1] ?? "";
    const known = lines.get(name);
    if (known) known.push(value);
    else lines.set(name, [value]);
  }
  return lines;
}

/** The value of a header that may stand only once. */
export function onlyValue(headers: HeaderLines, name: string): string | undefined {
  const values = headers.get(name);
  if (values === undefined) return undefined;
  if (values.length > 1) throw new HallError("malformed", `The header ${name} was sent more than once.`);
  return values[0];
}

export function splitUrl(url: string): { authority: string; path: string; search: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const authority = url.slice(url.indexOf("://") + 3, start);
  const fragment = url.indexOf("#", start);
  const end = fragment === -1 ? url.length : fragment;
  const query = url.indexOf("?", start);
  if (query === -1 || query > end) return { authority, path: url.slice(start, end), search: "" };
  return { authority, path: url.slice(start, query), search: url.slice(query + 1, end) };
}

function announcesBody(headers: HeaderLines): boolean {
  if (headers.has("transfer-encoding")) return true;
  const length = headers.get("content-length")?.[0];
  return length !== undefined && Number(length) !== 0;
}

function readIncoming(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  if (Number(incoming.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      incoming.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost);
      act();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      incoming.pause();
      settle(() => reject(tooLarge(limit)));
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onLost = () => settle(() => reject(new HallError("malformed", "The body ended before it was complete.")));
    incoming.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost);
  });
}

function tooLarge(limit: number): HallError {
  const size = limit < 1_048_576 ? `${limit / 1_024} KiB` : `${limit / 1_048_576} MiB`;
  return new HallError("too_large", `The body is larger than ${size}.`);
}
