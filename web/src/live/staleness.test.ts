import type { QueryKey } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { Staleness } from "./staleness.ts";

/** Time stands still until `pass`; a request takes `took`. */
function opened({ took = 0, isHidden = false } = {}) {
  let now = 0;
  let tasks: { at: number; task: () => void }[] = [];
  const asked: string[] = [];
  const after = (ms: number, task: () => void) => {
    tasks.push({ at: now + ms, task });
  };
  const refetch = (key: QueryKey) => {
    asked.push(`${key.join(" ")} ${now}`);
    return took === 0 ? Promise.resolve() : new Promise<void>((resolve) => after(took, resolve));
  };
  const staleness = new Staleness({ refetch, isHidden: () => isHidden, now: () => now, after });
  const pass = async (ms: number, each: () => void = () => {}) => {
    await new Promise(setImmediate);
    for (const end = now + ms; now < end; ) {
      now += 10;
      each();
      for (const entry of tasks.filter(({ at }) => at <= now)) {
        tasks = tasks.filter((other) => other !== entry);
        entry.task();
      }
      await new Promise(setImmediate);
    }
  };
  return { staleness, asked, pass };
}

it("asks at once for the first, and once for all that come in its rest", async () => {
  const { staleness, asked, pass } = opened();
  staleness.mark([["now"], ["run", "1"]]);
  expect(asked).toEqual(["now 0", "run 1 0"]);
  await pass(10);
  for (let at = 0; at < 20; at++) staleness.mark([["now"]]);
  await pass(90);
  await pass(2_000);
  expect(asked).toEqual(["now 0", "run 1 0", "now 100"]);
  staleness.mark([["now"]]);
  expect(asked.at(-1)).toBe("now 2100");
});

it("asks about once a second while events do not end, and again for the last of them", async () => {
  const { staleness, asked, pass } = opened();
  await pass(10_000, () => staleness.mark([["now"]]));
  expect(asked.length).toBeGreaterThan(8);
  expect(asked.length).toBeLessThan(16);
  const before = asked.length;
  await pass(2_000);
  expect(asked.length).toBe(before + 1);
});

it("waits for an answer that is on its way, and longer after one that took long", async () => {
  const { staleness, asked, pass } = opened({ took: 500 });
  await pass(5_000, () => staleness.mark([["now"]]));
  expect(asked).toEqual(["now 10", "now 2510"]);
});

it("takes its time in a tab that nobody sees", async () => {
  const { staleness, asked, pass } = opened({ isHidden: true });
  await pass(4_500, () => staleness.mark([["now"]]));
  expect(asked).toEqual(["now 10", "now 2010", "now 4010"]);
});
