import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { animatedPng, chunksOf } from "./animated-png.ts";

/** A gray picture of this size, with one shade. */
function picture(width: number, shade: number): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const pixels = deflateSync(Buffer.from([0, ...Array.from({ length: width }, () => shade)]));
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

it("puts frames into one picture, numbered in one sequence, each with its time", () => {
  const png = animatedPng([
    { png: picture(2, 10), ms: 500 },
    { png: picture(2, 200), ms: 1_500 },
  ]);
  const chunks = chunksOf(png);
  expect(chunks.map(({ type }) => type)).toEqual(["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "IEND"]);
  expect(chunks[1]?.data.readUInt32BE(0)).toBe(2);
  expect([2, 4, 5].map((at) => chunks[at]?.data.readUInt32BE(0))).toEqual([0, 1, 2]);
  expect([2, 4].map((at) => chunks[at]?.data.readUInt16BE(20))).toEqual([500, 1_500]);
});

it("refuses frames of different sizes", () => {
  const frames = [picture(2, 0), picture(3, 0)].map((png) => ({ png, ms: 1 }));
  expect(() => animatedPng(frames)).toThrow("frame 2");
});
