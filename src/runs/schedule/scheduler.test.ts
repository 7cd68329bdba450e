import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Processes } from "../../processes/processes.ts";
import type { Engine, Lease } from "./engine.ts";
import { Scheduler } from "./scheduler.ts";
import type { RunWork, SchedulerPorts } from "./scheduler-ports.ts";

const job = { runId: "run-1", projectId: "shop", priority: 0, epoch: 1 };
const limits = { runs: 8, runsPerProject: 3 } as SchedulerPorts["limits"];
const onTrouble = () => undefined;

const engineOf = (claim: () => Promise<Lease | undefined>, parked: string[] = []): Engine => ({
  enqueue: async () => true,
  reserve: async () => undefined,
  claim,
  renew: async () => true,
  setWaiting: async () => true,
  settle: async () => true,
  release: async () => true,
  park: async ({ runId }) => {
    parked.push(runId);
    return true;
  },
  wake: async () => undefined,
  cancel: async () => undefined,
  close: async () => undefined,
});

it("stops although a run that is handed back could be claimed again at once", async () => {
  let claims = 0;
  const engine = engineOf(async () => {
    claims++;
    return job;
  });
  const processes = new Processes({ onTrouble } as unknown as ConstructorParameters<typeof Processes>[0]);
  const scheduler = new Scheduler({ engine, limits, processes, onTrouble } as unknown as SchedulerPorts);
  await scheduler.enqueue(job);
  await processes.close();
  expect(claims).toBeLessThanOrEqual(1);
});

/** A run at work in a process that only notes what it is sent. */
async function atWork() {
  const [sent, parked, works]: [string[], string[], RunWork[]] = [[], [], []];
  const jobs: Lease[] = [job];
  const place = {
    take: (work: RunWork) => works.push(work),
    has: () => true,
    send: ({ type }: { type: string }) => sent.push(type),
    process: { ready: async () => undefined },
  };
  const processes = {
    closing: new AbortController().signal,
    calm: async () => false,
    wake: () => place,
    drop: () => undefined,
    track: () => undefined,
  };
  const ports = {
    limits,
    processes,
    onTrouble,
    onWait: () => undefined,
    engine: engineOf(async () => jobs.pop(), parked),
  };
  const begin = {
    onLeased: async () => ({ go: true }),
    orderOf: () => ({ journal: "", messages: [], model: "own/m" }),
  };
  const scheduler = new Scheduler({ ...ports, ...begin } as unknown as SchedulerPorts);
  await scheduler.enqueue(job);
  while (!sent.includes("order")) await nextTurn();
  return { scheduler, work: works[0] as RunWork, sent, parked };
}

it("parks a run at its model call only while that waits, and lets a call go on that was sent meanwhile", async () => {
  const { scheduler, work, sent, parked } = await atWork();
  let writes = 0;
  const write = (meanwhile: () => void) => async () => {
    writes++;
    meanwhile();
    return true;
  };
  const park = (meanwhile: () => void = () => undefined) =>
    scheduler.park("run-1", write(meanwhile), { atModel: true });
  expect([await park(), writes]).toEqual([false, 0]);
  scheduler.heldUp(work, { reason: "budget", text: "" });
  expect([await park(() => scheduler.heldUp(work, undefined)), writes]).toEqual([false, 1]);
  expect([sent, parked]).toEqual([["order"], []]);
  scheduler.heldUp(work, { reason: "budget", text: "" });
  expect(await park()).toBe(true);
  expect([sent, parked]).toEqual([["order", "let_go"], ["run-1"]]);
});
