import { expect, it } from "vitest";
import type { RunSum } from "../models/ledger-line.ts";
import { Reflections } from "./reflections.ts";

const call = async () => undefined;

function desk(rounds = 5) {
  const sum: RunSum = { usd: 1, input: 100, output: 10, cacheRead: 0, cacheWrite: 0, unpriced: 0 };
  const records: object[] = [];
  const reflections = new Reflections({
    rounds,
    sumOf: () => sum,
    record: async (runId, told) => void records.push({ runId, ...told }),
  });
  return { sum, records, reflections };
}

it("lets nobody ask before the run is settled, nor for a run that nobody looks back on", async () => {
  const { reflections, records } = desk();
  const { promise, resolve } = Promise.withResolvers<void>();
  reflections.begin("r1", 2, promise);
  let isIn: boolean | undefined;
  const asked = reflections.ask("r1", 2, call).then((is) => {
    isIn = is;
  });
  expect([await reflections.ask("r1", 1, call), await reflections.ask("r2", 2, call), isIn]).toEqual([
    false,
    false,
    undefined,
  ]);
  await reflections.end({ runId: "r1", rounds: 0, wrote: [] });
  resolve();
  await asked;
  expect([isIn, reflections.size, records]).toEqual([false, 0, []]);
});

it("keeps what was spent since, as often as it may be asked, also when its process is gone", async () => {
  const { sum, records, reflections } = desk(2);
  reflections.begin("r1", 1, Promise.resolve());
  expect(await reflections.ask("r1", 1, call)).toBe(true);
  Object.assign(sum, { usd: 1.5, input: 150, output: 20 });
  expect([await reflections.ask("r1", 1, call), await reflections.ask("r1", 1, call)]).toEqual([true, false]);
  await reflections.abandon();
  const spent = { inputTokens: 50, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(records).toEqual([
    { runId: "r1", rounds: 2, wrote: [], ...spent, costUsd: 0.5, costKnown: true, error: "Its process ended." },
  ]);
});

it("counts all there is when the ledger has begun another day meanwhile", async () => {
  const { sum, records, reflections } = desk();
  reflections.begin("r1", 1, Promise.resolve());
  await reflections.ask("r1", 1, call);
  Object.assign(sum, { usd: 0.25, input: 30, output: 5 });
  await reflections.end({ runId: "r1", rounds: 1, wrote: ["facts/a.md"] });
  expect(records).toMatchObject([{ inputTokens: 30, outputTokens: 5, costUsd: 0.25, wrote: ["facts/a.md"] }]);
});

it("waits for calls that are being broken off, which cost something too", async () => {
  const { sum, records, reflections } = desk();
  reflections.begin("r1", 1, Promise.resolve());
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = reflections.ask("r1", 1, () => promise);
  await Promise.resolve();
  const ended = reflections.end({ runId: "r1", rounds: 0, wrote: [], error: "It was cancelled." });
  sum.input += 7;
  resolve();
  await Promise.all([asked, ended]);
  expect(records).toMatchObject([{ rounds: 0, inputTokens: 7 }]);
});
