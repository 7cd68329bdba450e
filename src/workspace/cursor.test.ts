import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, decodeTextCursor, encodeCursor } from "./cursor.ts";

describe("a cursor", () => {
  it("gives back the place it was made from", () => {
    const part = fc.oneof(fc.string(), fc.integer());
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (position) => {
        const cursor = encodeCursor(position);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, position.length)).toEqual(position);
      }),
    );
    expect(decodeTextCursor(encodeCursor(["projects/alpha"]))).toBe("projects/alpha");
  });

  it("is not needed for the first page", () => {
    expect(decodeCursor(undefined, 2)).toBeUndefined();
    expect(decodeTextCursor(undefined)).toBeUndefined();
  });

  it.each([
    ["no base64", "%%%"],
    ["no JSON", Buffer.from("nonsense").toString("base64url")],
    ["no list", Buffer.from('{"a":1}').toString("base64url")],
    ["a list of something else", encodeCursor([["nested"] as unknown as string, 1])],
    ["null inside", encodeCursor([null as unknown as string, 1])],
    ["the cursor of another list", encodeCursor([1, 2, 3])],
    ["empty", ""],
  ])("is refused as invalid input when it is %s", (_name, cursor) => {
    expect(() => decodeCursor(cursor, 2)).toThrow(expect.objectContaining({ code: "invalid" }));
  });
});
