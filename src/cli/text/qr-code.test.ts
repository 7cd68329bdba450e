import { expect, it } from "vitest";
import { type QrCode, qrCode } from "./qr-code.ts";
import { qrText } from "./qr-text.ts";

const LINK = "https://hall.example.org/#/enter/00112233445566778899aabbccddeeff";

/** Reads the format bits, takes the mask off and follows the modules: the other way round from how a code is drawn. */
function readBytes(code: QrCode, count: number): Buffer {
  const size = code.length;
  const dark = (x: number, y: number) => code[y]?.[x] === true;
  const format = [0, 1, 2, 3, 4, 5].map((at) => Number(dark(8, at)));
  const bits = [...format, Number(dark(8, 7)), Number(dark(8, 8)), Number(dark(7, 8))];
  for (let at = 9; at < 15; at++) bits.push(Number(dark(14 - at, 8)));
  const mask = (bits.reduce((sum, bit, at) => sum | (bit << at), 0) ^ 0x5412) >> 10;
  const isData = (x: number, y: number) => {
    const inCorner = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
    const inMark = Math.abs(x - (size - 7)) <= 2 && Math.abs(y - (size - 7)) <= 2;
    return !inCorner && !inMark && x !== 6 && y !== 6;
  };
  const MASKS = [(x: number, y: number) => (x + y) % 2, (_: number, y: number) => y % 2, (x: number) => x % 3];
  const masked = (x: number, y: number) =>
    [
      ...MASKS.map((rule) => rule(x, y)),
      (x + y) % 3,
      (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
      ((x * y) % 2) + ((x * y) % 3),
      (((x * y) % 2) + ((x * y) % 3)) % 2,
      (((x + y) % 2) + ((x * y) % 3)) % 2,
    ][mask & 7] === 0;
  let text = "";
  for (let right = size - 1, up = true; right >= 1; right -= right === 8 ? 3 : 2, up = !up)
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - step : step;
        if (isData(x, y)) text += dark(x, y) !== masked(x, y) ? "1" : "0";
      }
  const bytes = text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return Buffer.from(bytes.slice(0, count));
}

it("a short text is read back from the modules", () => {
  const text = "https://a.example";
  const code = qrCode(text);
  expect(code.length).toBe(25);
  const bytes = readBytes(code, text.length + 2);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  expect(bits.slice(0, 4)).toBe("0100");
  expect(Number.parseInt(bits.slice(4, 12), 2)).toBe(text.length);
  const read = bits.slice(12).match(/.{8}/g) ?? [];
  expect(Buffer.from(read.slice(0, text.length).map((byte) => Number.parseInt(byte, 2))).toString()).toBe(text);
});

it("a code grows with its text, and what is too long is refused", () => {
  expect([1, 14, 15, 84, 85, 213, 412].map((length) => qrCode("x".repeat(length)).length)).toEqual([
    21, 21, 25, 37, 41, 57, 77,
  ]);
  expect(() => qrCode("x".repeat(413))).toThrow(RangeError);
});

it("a terminal shows it black on white, with a light border, in half as many lines", () => {
  const code = qrCode(LINK);
  const lines = qrText(code, { colors: true }).split("\n");
  expect(lines).toHaveLength(Math.ceil((code.length + 4) / 2));
  for (const line of lines) {
    const [start, end] = ["\u001b[38;5;16;48;5;231m", "\u001b[0m"];
    expect(line.startsWith(start) && line.endsWith(end)).toBe(true);
    expect(line.slice(start.length, -end.length)).toMatch(/^ {2}[ ▀▄█]+ {2}$/);
  }
  const plain = qrText(code, { colors: false }).split("\n");
  expect(plain[0]).toMatch(/^█+$/);
  expect(new Set(plain.map((line) => line.length))).toEqual(new Set([code.length + 4]));
});
