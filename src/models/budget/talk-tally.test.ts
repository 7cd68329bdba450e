import { expect, it } from "vitest";
import { TalkTally } from "./talk-tally.ts";

const spent = { usd: 0.5, input: 10, output: 5, cacheRead: 1, cacheWrite: 2 };
const call = (day: string, projectId = "shop") => ({ at: `${day}T10:00:00Z`, projectId, model: "own/m" });

it("sums what conversations cost, by day, project and model", () => {
  const tally = new TalkTally();
  tally.add(call("2026-11-14"), spent);
  tally.add(call("2026-11-14"), { ...spent, usd: null });
  tally.add(call("2026-11-15"), spent);
  expect(tally.sums()).toEqual([
    {
      period: "2026-11-14",
      projectId: "shop",
      model: "own/m",
      usd: 0.5,
      assumed: 0.000175,
      input: 20,
      output: 10,
      cacheRead: 2,
      cacheWrite: 4,
      calls: 2,
      unpriced: 1,
    },
    {
      period: "2026-11-15",
      projectId: "shop",
      model: "own/m",
      usd: 0.5,
      assumed: 0,
      input: 10,
      output: 5,
      cacheRead: 1,
      cacheWrite: 2,
      calls: 1,
      unpriced: 0,
    },
  ]);
});

it("carries the last month day by day and what is older by month, and loses nothing of the sum", () => {
  const tally = new TalkTally();
  for (const day of ["2026-08-01", "2026-08-20", "2026-11-01", "2026-11-15"]) tally.add(call(day), spent);
  const carried = tally.carried("2026-11-15");
  expect(carried.map(({ period, calls }) => [period, calls])).toEqual([
    ["2026-08", 2],
    ["2026-11-01", 1],
    ["2026-11-15", 1],
  ]);
  expect(carried.reduce((sum, { usd }) => sum + usd, 0)).toBe(2);
});
