import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { runPlan } from "../../../test/fakes/api-documents.ts";
import type { ToProcess } from "../../contract/runs/protocol.ts";
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

/** A run that is about to be created, for which a process gets ready. */
function beingCreated() {
  const sent: ToProcess[] = [];
  const told: string[] = [];
  const works = new Map<string, RunWork>();
  const place = {
    workdir: "/shop",
    take: (work: RunWork) => void works.set(work.id, work),
    has: ({ id }: RunWork) => works.has(id),
    send: (message: ToProcess) => void sent.push(message),
    process: { ready: async () => undefined },
  };
  const processes = {
    closing: new AbortController().signal,
    calm: async () => false,
    wake: () => place,
    awake: () => place,
    release: () => void told.push("released"),
    drop: ({ id }: RunWork) => void works.delete(id),
    track: () => undefined,
  };
  const workdir = { now: "/shop" };
  const engine = {
    ...engineOf(async () => undefined),
    release: async () => Boolean(told.push("handed back")),
  };
  const ports = {
    ...{ limits, processes, onTrouble, engine, onWait: () => undefined },
    onLeased: async () => ({ go: true, workdir: workdir.now }),
    orderOf: () => ({ journal: "j", messages: [], model: "own/m" }),
    newsOf: () => ({ messages: [{ id: "m", text: "Hurry." }], model: "own/m" }),
    guardsOf: () => ({ before: ["read"] }),
    onCrashed: async () => told.push("crashed"),
  };
  const scheduler = new Scheduler(ports as unknown as SchedulerPorts);
  const work = () => [...works.values()][0] as RunWork;
  const prepare = async () => {
    scheduler.prepare(job, { plan: runPlan({ runId: "run-1" }), journal: "j", model: "own/m" });
    await nextTurn();
  };
  return { scheduler, prepare, sent, told, work, works, workdir, types: () => sent.map(({ type }) => type) };
}

it("has a process get ready for a run, and lets it begin when the run is created", async () => {
  const { scheduler, prepare, sent, told, work, types } = beingCreated();
  await prepare();
  expect(sent).toMatchObject([{ type: "order", order: { id: "run-1.1", plan: { runId: "run-1" } } }]);
  expect(work()).toMatchObject({ state: { kind: "preparing" }, held: [] });
  scheduler.begin(job);
  await nextTurn();
  expect(types()).toEqual(["order", "begin"]);
  expect(sent.at(-1)).toMatchObject({ orderId: "run-1.1", messages: [{ id: "m", text: "Hurry." }] });
  expect([work().state.kind, told]).toEqual(["working", ["released"]]);
});

it("tells a process that got ready for a run what the hall is asked about, if that has changed meanwhile", async () => {
  const { scheduler, prepare, sent } = beingCreated();
  await prepare();
  scheduler.guard(() => undefined);
  scheduler.begin(job);
  await nextTurn();
  expect(sent.at(-1)).toMatchObject({ type: "begin", guards: { before: ["read"] } });
});

it("takes a run from the process that got ready for it when it is not created", async () => {
  const { scheduler, prepare, types, works, told } = beingCreated();
  await prepare();
  await scheduler.withdraw("run-1");
  expect([types(), works.size, told]).toEqual([["order", "let_go"], 0, []]);
});

it("starts a run in another process when the one that got ready for it dies, and does not hold that against the run", async () => {
  const { scheduler, prepare, types, works, work, told } = beingCreated();
  await prepare();
  const lost = work();
  works.clear();
  await Promise.all(scheduler.lost([lost], { kind: "crashed", cause: "signal SIGKILL", expected: false }));
  scheduler.begin(job);
  await nextTurn();
  expect([types(), told]).toEqual([["order", "order"], []]);
});

it("hands a run back whose working folder is another one than its process got ready for", async () => {
  const { scheduler, prepare, types, works, workdir, told } = beingCreated();
  await prepare();
  workdir.now = "/other";
  scheduler.begin(job);
  await nextTurn();
  expect([types(), works.size, told]).toEqual([["order", "let_go"], 0, ["handed back"]]);
});
