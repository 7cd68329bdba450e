import { crc32 } from "node:zlib";

export interface Frame {
  png: Buffer;
  /** How long it is shown. */
  ms: number;
}

interface Chunk {
  type: string;
  data: Buffer;
}

const SIGNATURE = 8;

/**
 * Pictures of one size and kind as one animated PNG that plays for ever. A reader that knows no animation shows the first one.
 * Browsers, and pages that show README files, play it; no encoder is needed, because the frames are taken as they are.
 */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error("an animation needs a frame");
  const header = chunksOf(first.png).find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(0);
  let sequence = 0;
  const parts = frames.flatMap(({ png, ms }, place) => {
    const chunks = chunksOf(png);
    if (!chunks.some(({ type, data }) => type === "IHDR" && data.equals(header)))
      throw new Error(`frame ${place + 1} has another size or kind than the first`);
    const control = frameControl(header, sequence++, ms);
    const data = chunks.filter(({ type }) => type === "IDAT");
    const pixels = data.map((chunk) =>
      place === 0 ? chunk : { type: "fdAT", data: Buffer.concat([numbers(sequence++), chunk.data]) },
    );
    return [{ type: "fcTL", data: control }, ...pixels];
  });
  const all = [
    { type: "IHDR", data: header },
    { type: "acTL", data: numbers(frames.length, 0) },
    ...parts,
    { type: "IEND", data: Buffer.alloc(0) },
  ];
  return Buffer.concat([first.png.subarray(0, SIGNATURE), ...all.map(written)]);
}

/** Each frame covers the whole picture, so that neither blending nor disposal matters. */
function frameControl(header: Buffer, sequence: number, ms: number): Buffer {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(ms, 0);
  delay.writeUInt16BE(1_000, 2);
  return Buffer.concat([numbers(sequence, width, height, 0, 0), delay]);
}

export function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, place) => void bytes.writeUInt32BE(value, 4 * place));
  return bytes;
}
