import { expect, it } from "vitest";
import { cutMiddle, cutText } from "./cut-text.ts";

it("leaves a text that fits as it is", () => {
  expect([cutText("four", 4), cutMiddle("four", 4, { mark: " … " })]).toEqual(["four", "four"]);
});

it("marks what was cut, and can say how much", () => {
  expect(cutText("abcdef", 4)).toBe("abcd…");
  expect(cutText("abcdef", 4, (rest) => ` (${rest} more)`)).toBe("abcd (2 more)");
  expect(cutMiddle("abcdefgh", 4, { head: 0.25, mark: (rest) => `(${rest})` })).toBe("a(4)fgh");
});

it("splits no character", () => {
  expect(cutText("ab🦉d", 3, (rest) => `+${rest}`)).toBe("ab+3");
  expect(cutMiddle("🦉🦉🦉", 3, { mark: "-" }).isWellFormed()).toBe(true);
});

it("keeps nothing where there is no room", () => {
  expect([cutText("ab", 0), cutText("ab", -1), cutMiddle("abc", 0, { mark: "-" })]).toEqual(["…", "…", "-"]);
});
