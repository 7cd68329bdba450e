import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { withTexts } from "./reported-criteria.ts";

/** As the daemon makes it. */
const criterionKey = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

const planned = ["It shines", "Nobody slips"].map(criterionKey);
const reported = [
  { criterion: 1, met: true, note: "Looked at it." },
  { criterion: 2, met: false },
];

it("names the criteria that a run reported on by the numbers it was given", async () => {
  const criteria = ["Added later", "Nobody slips", "It shines"].map((text) => ({ text, done: false }));
  expect(await withTexts({ reported, criteria, planned })).toEqual([
    { criterion: 1, met: true, note: "Looked at it.", text: "It shines" },
    { criterion: 2, met: false, text: "Nobody slips" },
  ]);
});

it("names no criterion that was reworded since", async () => {
  const criteria = ["It shines", "Nobody falls"].map((text) => ({ text, done: false }));
  expect(await withTexts({ reported, criteria, planned })).toMatchObject([{ text: "It shines" }, reported[1]]);
  expect((await withTexts({ reported, criteria, planned }))[1]).not.toHaveProperty("text");
});
