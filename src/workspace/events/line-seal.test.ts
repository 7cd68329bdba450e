import { expect, it } from "vitest";
import { GrowingSeal, LineDigests, type LineSeal } from "./line-seal.ts";

const fileOf = (text: string) => {
  const bytes = Buffer.from(text);
  return { size: bytes.length, read: (into: Uint8Array, position: number) => bytes.copy(into, 0, position) };
};

function digestsOf(lines: readonly string[]): LineDigests {
  const digests = new LineDigests();
  digests.read(fileOf(lines.map((line) => `${line}\n`).join("")));
  return digests;
}

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

it("finds the line that differs, and of a long file the few among which it is", () => {
  for (const [count, every] of [
    [1, 1],
    [64, 1],
    [65, 2],
    [1_000, 16],
  ] as const) {
    const seal = digestsOf(lines(count)).seal("a");
    expect(seal).toMatchObject({ lines: count, every, from: 0 });
    expect(seal.marks.length).toBeLessThanOrEqual(64 * 6);
    expect(digestsOf(lines(count)).differs(seal)).toBeUndefined();
    for (const at of new Set([0, Math.floor(count / 2), count - 1])) {
      const found = digestsOf(lines(count).with(at, "other")).differs(seal);
      expect([found?.first, found?.last].every((line) => line !== undefined)).toBe(true);
      expect(found?.first).toBeLessThanOrEqual(at + 1);
      expect(found?.last).toBeGreaterThanOrEqual(at + 1);
      expect((found?.last ?? 0) - (found?.first ?? 0)).toBeLessThan(every);
    }
    expect(digestsOf(lines(count - 1)).differs(seal)?.last).toBe(count);
  }
});

it("goes on with a file that grew, waits for the end of its last line, and tells of the new lines alone", () => {
  const growing = new GrowingSeal();
  const first = growing.next("f", fileOf("a\nb\nhalf"));
  expect(first).toEqual(digestsOf(["a", "b"]).seal("f"));
  expect(growing.next("f", fileOf("a\nb\nhalf of"))).toBeUndefined();
  const whole = "a\nb\nhalf of it\nd\n";
  const seal = growing.next("f", fileOf(whole)) as LineSeal;
  expect(seal).toMatchObject({ lines: 4, bytes: whole.length, from: 2, every: 1 });
  expect(seal.marks).toHaveLength(12);
  expect(digestsOf(["a", "b", "half of it", "d"]).differs(seal)).toBeUndefined();
  expect(digestsOf(["a", "b", "half of it", "d", "later"]).differs(seal)).toBeUndefined();
  expect(digestsOf(["a", "b", "half of that", "d"]).differs(seal)).toEqual({ first: 3, last: 3 });
});

it("finds one of many new lines among a few", () => {
  const growing = new GrowingSeal();
  growing.next("f", fileOf("old\n"));
  const all = ["old", ...lines(100)];
  const seal = growing.next("f", fileOf(all.map((line) => `${line}\n`).join(""))) as LineSeal;
  expect(seal).toMatchObject({ lines: 101, from: 1, every: 13 });
  expect(digestsOf(all).differs(seal)).toBeUndefined();
  expect(digestsOf(all.with(50, "other")).differs(seal)).toEqual({ first: 41, last: 53 });
  expect(digestsOf(all.with(100, "other")).differs(seal)).toEqual({ first: 93, last: 101 });
});

it("is not taken in by beginnings of hashes that fit", () => {
  const seal = digestsOf(lines(3)).seal("a");
  const other = digestsOf(["x", "y", "z"]);
  expect(other.differs({ ...seal, marks: other.seal("a").marks })).toEqual({ first: 1, last: 3 });
});

it("reads lines longer than what is read at once", () => {
  const long = ["x".repeat(700_000), "y".repeat(300_000), "z"];
  expect(digestsOf(long).seal("a")).toMatchObject({ lines: 3, bytes: 1_000_004 });
});
