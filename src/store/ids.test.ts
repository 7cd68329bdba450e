import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timeSortedIds } from "./ids.ts";

describe("ids that sort by time", () => {
  it("are short, plain and alike in length", () => {
    const next = timeSortedIds(() => new Date("2026-11-15T12:00:00Z"));
    for (let count = 0; count < 100; count++) expect(next()).toMatch(/^[0-9a-hjkmnp-tv-z]{22}$/);
  });

  it("come in the order in which they were made, whatever the clock does", () => {
    const times = fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(times, (moments) => {
        let at = 0;
        const next = timeSortedIds(() => new Date(moments[at++] ?? 0));
        const ids = moments.map(() => next());
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it("of two halls at the same moment differ by chance alone", () => {
    const clock = () => new Date("2026-11-15T12:00:00Z");
    const [left, right] = [timeSortedIds(clock), timeSortedIds(clock)];
    expect(left().slice(0, 14)).toBe(right().slice(0, 14));
    expect(new Set([left(), right(), left(), right()]).size).toBe(4);
  });

  it("take their chance from where they are told to", () => {
    const clock = () => new Date(0);
    expect(timeSortedIds(clock, (size) => new Uint8Array(size))().slice(-8)).toBe("00000000");
    expect(timeSortedIds(clock, (size) => new Uint8Array(size).fill(255))().slice(-8)).toBe("zzzzzzzz");
  });

  it("stay in order over more than can be made in one millisecond", () => {
    const next = timeSortedIds(() => new Date("2026-11-15T12:00:00Z"));
    const ids = Array.from({ length: 40_000 }, () => next());
    expect(ids.toSorted()).toEqual(ids);
  });
});
