import { expect, it } from "vitest";
import type { RunSum } from "../contract/runs/ledger.ts";
import type { ToProcess } from "../contract/runs/protocol.ts";
import type { Work } from "./place.ts";
import { type EndedRun, Reflections } from "./reflections.ts";

const call = async () => undefined;

/** A process that looks back on one run, once that is settled. */
function reflection({ rounds = 5, settled = Promise.resolve() } = {}) {
  const sum: RunSum = { usd: 1, assumed: 0, input: 100, output: 10, cacheRead: 0, cacheWrite: 0, unpriced: 0 };
  const records: object[] = [];
  const sent: ToProcess[] = [];
  const tracked: Promise<void>[] = [];
  const works = new Set<Work>();
  const place = {
    projectId: "shop",
    take: (work: Work) => works.add(work),
    has: (work: Work) => works.has(work),
    send: (message: ToProcess) => sent.push(message),
  };
  const reflections = new Reflections({
    processes: { drop: (work) => void works.delete(work), track: (_, work) => void tracked.push(work) },
    rounds,
    sumOf: () => sum,
    record: async (runId, told) => void records.push({ runId, ...told }),
  });
  reflections.begin({ id: "r1.2", place, runId: "r1", model: "own/planned" } as unknown as EndedRun, 900, settled);
  const [work] = works as unknown as [Parameters<Reflections["ask"]>[0]];
  const ask = (made: () => Promise<void> = call) => reflections.ask(work, made);
  const end = async (brought: { rounds: number; wrote: string[]; error?: string }) => {
    reflections.hear(work, { type: "reflected", orderId: work.id, ...brought });
    await Promise.all(tracked);
  };
  return { sum, records, sent, works, reflections, work, ask, end };
}

it("is ordered when the run is settled, and lets nobody ask before", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ask, end, sent, works, records } = reflection({ settled: promise });
  let isIn: boolean | undefined;
  const asked = ask().then((is) => {
    isIn = is;
  });
  await Promise.resolve();
  expect([isIn, sent, works.size]).toEqual([undefined, [], 1]);
  await end({ rounds: 0, wrote: [] });
  resolve();
  await asked;
  expect([isIn, works.size, records]).toEqual([false, 0, []]);
  const order = { kind: "reflect", id: "reflect.r1.2", on: "r1.2", tokens: 900 };
  expect(sent).toEqual([{ type: "order", order }]);
});

it("asks the model of the run, whatever its process says", () => {
  const { reflections, work } = reflection();
  const asked = { model: "claude/dear", thinking: "high" as const };
  expect(reflections.settings(work, asked)).toEqual({ ...asked, model: "own/planned" });
});

it("keeps what was spent since, as often as it may be asked, also when its process is gone", async () => {
  const { sum, records, reflections, work, ask } = reflection({ rounds: 2 });
  expect(await ask()).toBe(true);
  Object.assign(sum, { usd: 1.5, input: 150, output: 20 });
  expect([await ask(), await ask()]).toEqual([true, false]);
  await Promise.all(reflections.lost([work]));
  const spent = { inputTokens: 50, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(records).toEqual([
    { runId: "r1", rounds: 2, wrote: [], ...spent, costUsd: 0.5, costKnown: true, error: "Its process ended." },
  ]);
});

it("counts all there is when the ledger has begun another day meanwhile", async () => {
  const { sum, records, ask, end } = reflection();
  await ask();
  Object.assign(sum, { usd: 0.25, input: 30, output: 5 });
  await end({ rounds: 1, wrote: ["facts/a.md"] });
  expect(records).toMatchObject([{ inputTokens: 30, outputTokens: 5, costUsd: 0.25, wrote: ["facts/a.md"] }]);
});

it("waits for calls that are being broken off, which cost something too", async () => {
  const { sum, records, ask, end } = reflection();
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const asked = ask(() => {
    begun.resolve();
    return promise;
  });
  await begun.promise;
  const ended = end({ rounds: 0, wrote: [], error: "It was cancelled." });
  sum.input += 7;
  resolve();
  await Promise.all([asked, ended]);
  expect(records).toMatchObject([{ rounds: 0, inputTokens: 7 }]);
});
