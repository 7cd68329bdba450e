import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { WebRefusal } from "./web-refusal.ts";

const DECODERS: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

/** The whole body, decompressed. What is larger than the cap, as sent or decompressed, is refused as soon as that is known. */
export async function readBody(response: IncomingMessage, mostBytes: number, signal: AbortSignal): Promise<Buffer> {
  const declared = Number(response.headers["content-length"] ?? 0);
  if (declared > mostBytes) throw tooLarge(mostBytes, declared);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of decoded(response, mostBytes)) {
      size += (part as Buffer).length;
      if (size > mostBytes) throw tooLarge(mostBytes);
      parts.push(part as Buffer);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof WebRefusal ? error : new WebRefusal("the response was cut off or is corrupt");
  } finally {
    response.destroy();
  }
  return Buffer.concat(parts);
}

function decoded(response: IncomingMessage, mostBytes: number): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined)
    throw new WebRefusal(`it is encoded as '${encoding.slice(0, 40)}', which is not supported`);
  let sent = 0;
  response.on("data", (part: Buffer) => {
    sent += part.length;
    if (sent > mostBytes) response.destroy(tooLarge(mostBytes));
  });
  // The error reaches whoever reads the decoder.
  pipeline(response, decoder, () => undefined);
  return decoder;
}

function tooLarge(mostBytes: number, declared?: number): WebRefusal {
  const size = declared === undefined ? "it" : `it has ${declared} bytes, and`;
  return new WebRefusal(`${size} exceeds the limit of ${mostBytes} bytes`);
}
