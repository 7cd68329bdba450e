import { expect, it } from "vitest";
import { readDiscussion, readExploration } from "./delegated.ts";

it("reads what a subagent found, and names what is wrong with it", () => {
  expect(readExploration({ summary: "It adds.", findings: { file: "a.js", line: 3, note: "adds\nhere" } })).toEqual({
    ok: true,
    value: { summary: "It adds.", findings: [{ file: "a.js", line: 3, note: "adds here" }] },
  });
  expect(readExploration("It adds.")).toMatchObject({ ok: true, value: { findings: [] } });
  expect(readExploration({ summary: " ", findings: [{ note: "x" }] })).toMatchObject({ ok: false });
});

it("reads ratings from 1 to 5 with a severity", () => {
  const one = { name: "Security", rating: 2, severity: "HIGH", note: "Leaks." };
  expect(readDiscussion({ perspectives: [one] })).toMatchObject({
    ok: true,
    value: { perspectives: [{ severity: "high" }] },
  });
  for (const wrong of [{ ...one, rating: 6 }, { ...one, severity: "terrible" }, "fine"])
    expect(readDiscussion({ perspectives: [wrong] }), JSON.stringify(wrong)).toMatchObject({ ok: false });
  expect(readDiscussion({ perspectives: [] })).toMatchObject({ ok: false });
});
