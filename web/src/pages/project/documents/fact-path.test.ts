import { expect, it } from "vitest";
import { factPath } from "./fact-path.ts";

it("makes the name of a file of what a fact is called", () => {
  const named = ["How the checkout works", "checkout.md", " Größe & Maß ", "../../etc", "v2.1_notes", "支払い", ""];
  expect(named.map(factPath)).toEqual([
    "facts/how-the-checkout-works.md",
    "facts/checkout.md",
    "facts/gro-e-ma.md",
    "facts/etc.md",
    "facts/v2.1_notes.md",
    "",
    "",
  ]);
  expect(factPath("a".repeat(200))).toBe(`facts/${"a".repeat(80)}.md`);
});
