import { expect, test } from "vitest";
import { isParting, ofProject, part, under } from "./parting.ts";

test("nobody asks for what is being deleted until the parting is over, and for all else as ever", () => {
  const first = part(under("role", "coder"));
  const second = part(under("role", "coder"));
  expect(isParting(["role", "coder"])).toBe(true);
  expect(isParting(["role", "coder", "history"])).toBe(true);
  expect(isParting(["role", "reviewer"])).toBe(false);
  expect(isParting(["roles"])).toBe(false);
  first();
  expect(isParting(["role", "coder"])).toBe(true);
  second();
  expect(isParting(["role", "coder"])).toBe(false);
});

test("a project goes with all that is in it, and leaves a role of the same name alone", () => {
  const concerns = ofProject("shop");
  for (const key of [
    ["project", "shop", "assignments"],
    ["cards", "shop"],
    ["knowledge", { project: "shop" }],
  ])
    expect(concerns(key), String(key)).toBe(true);
  for (const key of [
    ["project", "till"],
    ["role", "shop"],
    ["runs", { role: "shop" }],
    ["now"],
    ["activity", undefined],
  ])
    expect(concerns(key), String(key)).toBe(false);
});
