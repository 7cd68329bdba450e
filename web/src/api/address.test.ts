import { expect, test } from "vitest";
import { oneOf, saidIn, searchText } from "./address.ts";

test("what an address says is text and nothing else, and comes back as it was", () => {
  expect(saidIn('?q=5&view={"a":1}&task=&ready=true&q=6')).toEqual({ q: "6", view: '{"a":1}', ready: "true" });
  const said = { q: "a & b+c", view: "true", task: "5" };
  expect(searchText({ ...said, gone: undefined, empty: "" })).toBe("?q=a+%26+b%2Bc&view=true&task=5");
  expect(saidIn(searchText(said))).toEqual(said);
  expect(searchText({})).toBe("");
});

test("a word without a meaning is as if it were not said", () => {
  expect(oneOf(["1", "30"], "30")).toBe("30");
  for (const said of ["evil", "toString", "3", undefined]) expect(oneOf(["1", "30"], said), said).toBe(undefined);
});
