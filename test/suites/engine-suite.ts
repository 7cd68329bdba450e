import { describe, expect, it } from "vitest";
import type { Engine, Lease } from "../../src/runs/schedule/engine.ts";
import { claim, claimAll, job, LEASE_MS, NO_LIMIT, type OpenEngine, openEngine } from "./engine-bench.ts";

/** What every engine has to do. */
export function engineSuite(name: string, open: OpenEngine): void {
  describe(`${name}: jobs`, () => jobs(open));
  describe(`${name}: reservations`, () => reservations(open));
  describe(`${name}: limits`, () => limits(open));
  describe(`${name}: turns`, () => turns(open));
  describe(`${name}: leases`, () => leases(open));
  describe(`${name}: clocks that jump`, () => clocks(open));
  describe(`${name}: several workers`, () => workers(open));
}

function jobs(open: OpenEngine): void {
  it("does not hand out a job that is parked before it is woken, also one that comes parked", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a"));
    const lease = await claim(engine);
    expect(await engine.park(lease)).toBe(true);
    await engine.enqueue({ ...job("b"), parked: true });
    expect(await claimAll(engine)).toEqual([]);
    // Whoever held it has it no more.
    expect([await engine.renew(lease), await engine.settle(lease), await engine.park(lease)]).toEqual([
      false,
      false,
      false,
    ]);
    await engine.wake("a");
    await engine.wake("b");
    expect(await claimAll(engine)).toEqual(["a", "b"]);
  });

  it("keeps a job once, however often it is enqueued", async () => {
    const { engine } = await openEngine(open);
    expect(await engine.enqueue(job("a"))).toBe(true);
    expect(await engine.enqueue(job("a"))).toBe(false);
    expect(await claimAll(engine)).toEqual(["a"]);
  });

  it("does not let a second enqueue disturb a job that is leased", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a"));
    const lease = await claim(engine);
    expect(await engine.enqueue(job("a"))).toBe(false);
    expect(await claimAll(engine)).toEqual([]);
    expect(await engine.settle(lease)).toBe(true);
  });

  it("does not take a job again that was settled, and does take one that was only taken away", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("done"));
    await engine.settle(await claim(engine));
    expect(await engine.enqueue(job("done"))).toBe(false);
    await engine.enqueue(job("held"));
    await engine.cancel("held");
    expect(await engine.enqueue(job("held"))).toBe(true);
    expect(await claimAll(engine)).toEqual(["held"]);
  });

  it("hands out what is urgent first, and among equals what came first", async () => {
    const { engine } = await openEngine(open);
    for (const [id, priority] of Object.entries({ low1: 0, high1: 2, low2: 0, urgent: 3, high2: 2 })) {
      await engine.enqueue(job(id, { priority }));
    }
    expect(await claimAll(engine)).toEqual(["urgent", "high1", "high2", "low1", "low2"]);
  });

  it("has nothing to hand out when it is empty, and after everything was settled", async () => {
    const { engine } = await openEngine(open);
    expect(await engine.claim("worker", NO_LIMIT)).toBeUndefined();
    await engine.enqueue(job("a"));
    expect(await engine.settle(await claim(engine))).toBe(true);
    expect(await engine.claim("worker", NO_LIMIT)).toBeUndefined();
  });

  it("takes a cancelled job away, be it leased or not", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("waiting"));
    await engine.cancel("waiting");
    expect(await claimAll(engine)).toEqual([]);
    await engine.enqueue(job("leased"));
    const lease = await claim(engine);
    await engine.cancel("leased");
    expect(await engine.renew(lease)).toBe(false);
    expect(await engine.settle(lease)).toBe(false);
    await engine.cancel("never there");
  });
}

function reservations(open: OpenEngine): void {
  it("leases a new job at once, and nobody else gets it", async () => {
    const { engine } = await openEngine(open);
    const lease = await engine.reserve(job("a"), "worker", NO_LIMIT);
    expect(lease).toMatchObject({ runId: "a", epoch: 1 });
    expect(await claimAll(engine)).toEqual([]);
    expect(await engine.enqueue(job("a"))).toBe(false);
    expect(await engine.settle(lease as Lease)).toBe(true);
  });

  it("takes no job that would have to wait for the limits, its turn, or another job", async () => {
    const { engine } = await openEngine(open);
    const turn = { on: "folder", line: ["a"] };
    expect(await engine.reserve(job("a", { turn }), "worker", { perProject: 1, total: 9 })).toBeDefined();
    expect(await engine.reserve(job("b"), "worker", { perProject: 1, total: 9 })).toBeUndefined();
    expect(await engine.reserve(job("b"), "worker", { perProject: 9, total: 1 })).toBeUndefined();
    expect(await engine.reserve(job("b", { turn: { ...turn, line: ["b"] } }), "worker", NO_LIMIT)).toBeUndefined();
    await engine.enqueue(job("first"));
    expect(await engine.reserve(job("b"), "worker", NO_LIMIT)).toBeUndefined();
    expect(await claimAll(engine)).toEqual(["first"]);
    expect(await engine.reserve(job("b"), "worker", NO_LIMIT)).toBeDefined();
  });

  it("keeps the lease of a run that is being created until it is renewed for the first time", async () => {
    const { engine, clock } = await openEngine(open);
    const lease = (await engine.reserve(job("a"), "worker", NO_LIMIT)) as Lease;
    clock.now += 100 * LEASE_MS;
    expect(await claimAll(engine)).toEqual([]);
    clock.now += LEASE_MS;
    expect(await engine.renew(lease)).toBe(true);
    clock.now += LEASE_MS;
    expect(await claim(engine)).toMatchObject({ runId: "a", epoch: 2 });
    expect(await engine.renew(lease)).toBe(false);
  });

  it("frees the place of a job that was taken away before it began", async () => {
    const { engine } = await openEngine(open);
    const one = { perProject: 1, total: 1 };
    const lease = (await engine.reserve(job("a"), "worker", one)) as Lease;
    await engine.cancel("a");
    expect(await engine.renew(lease)).toBe(false);
    expect(await engine.reserve(job("b"), "worker", one)).toBeDefined();
  });
}

function limits(open: OpenEngine): void {
  it("keeps to the limit of each project and goes on with the next one", async () => {
    const { engine } = await openEngine(open);
    for (const id of ["a1", "a2", "a3"]) await engine.enqueue(job(id, { projectId: "a", priority: 3 }));
    for (const id of ["b1", "b2"]) await engine.enqueue(job(id, { projectId: "b" }));
    expect(await claimAll(engine, { perProject: 2, total: 100 })).toEqual(["a1", "a2", "b1", "b2"]);
  });

  it("keeps to the limit over all projects, and goes on when a place is free", async () => {
    const { engine } = await openEngine(open);
    for (const id of ["a", "b", "c"]) await engine.enqueue(job(id, { projectId: id }));
    const rules = { perProject: 1, total: 2 };
    const first = await claim(engine, rules);
    await claim(engine, rules);
    expect(await engine.claim("worker", rules)).toBeUndefined();
    await engine.settle(first);
    expect((await claim(engine, rules)).runId).toBe("c");
  });

  it("does not count a job that waits for others, until it goes on", async () => {
    const { engine } = await openEngine(open);
    const rules = { perProject: 1, total: 1 };
    for (const id of ["parent", "child", "next"]) await engine.enqueue(job(id));
    const parent = await claim(engine, rules);
    expect(await engine.setWaiting(parent, true)).toBe(true);
    const child = await claim(engine, rules);
    expect(child.runId).toBe("child");
    expect(await engine.setWaiting(parent, false)).toBe(true);
    await engine.settle(child);
    expect(await engine.claim("worker", rules)).toBeUndefined();
    await engine.settle(parent);
    expect((await claim(engine, rules)).runId).toBe("next");
  });

  it("counts a job that was waiting when it was given back, once it is claimed anew", async () => {
    const { engine } = await openEngine(open);
    const rules = { perProject: 1, total: 1 };
    for (const id of ["parent", "child"]) await engine.enqueue(job(id));
    const parent = await claim(engine, rules);
    await engine.setWaiting(parent, true);
    await engine.release(parent);
    expect((await claim(engine, rules)).runId).toBe("parent");
    expect(await engine.claim("worker", rules)).toBeUndefined();
  });
}

function turns(open: OpenEngine): void {
  const turn = (...line: string[]) => ({ turn: { on: "/work", line } });

  it("hands out one job at a time of those that take turns, and the others beside it", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a", turn("a")));
    await engine.enqueue(job("b", turn("b")));
    await engine.enqueue(job("reads"));
    await engine.enqueue(job("elsewhere", { turn: { on: "/other", line: ["elsewhere"] } }));
    const lease = await claim(engine);
    expect([lease.runId, ...(await claimAll(engine))]).toEqual(["a", "reads", "elsewhere"]);
    await engine.settle(lease);
    expect(await claimAll(engine)).toEqual(["b"]);
  });

  it("lets those that a job started share its turn, but not each other's", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a", turn("a")));
    await engine.setWaiting(await claim(engine), true);
    await engine.enqueue(job("b", { ...turn("b"), priority: 3 }));
    await engine.enqueue(job("a1", turn("a", "a1")));
    await engine.enqueue(job("a2", turn("a", "a2")));
    const first = await claim(engine);
    expect([first.runId, await claimAll(engine)]).toEqual(["a1", []]);
    await engine.enqueue(job("a11", turn("a", "a1", "a11")));
    const inner = await claim(engine);
    expect([inner.runId, await claimAll(engine)]).toEqual(["a11", []]);
    await engine.settle(inner);
    await engine.settle(first);
    expect(await claimAll(engine)).toEqual(["a2"]);
  });

  it("keeps the turn for a job that was handed back half done, and never lets two such wait for each other", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("fresh", { ...turn("fresh"), priority: 3 }));
    await engine.enqueue(job("begun", { ...turn("begun"), epoch: 2 }));
    await engine.enqueue(job("begun too", { ...turn("begun too"), epoch: 1 }));
    const order: string[] = [];
    for (const _ of [1, 2, 3]) {
      const lease = await claim(engine);
      order.push(lease.runId);
      await engine.settle(lease);
    }
    expect(order).toEqual(["begun", "begun too", "fresh"]);
  });

  it("gives a turn on when the job that had it is taken away", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a", turn("a")));
    await engine.enqueue(job("b", turn("b")));
    await claim(engine);
    await engine.cancel("a");
    expect(await claimAll(engine)).toEqual(["b"]);
  });
}

function leases(open: OpenEngine): void {
  it("keeps a job from everyone else while its lease lasts, and while it is renewed", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    const lease = await claim(engine);
    for (let renewals = 0; renewals < 10; renewals++) {
      clock.now += LEASE_MS - 1;
      expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
      expect(await engine.renew(lease)).toBe(true);
    }
  });

  it("hands a job out again when its lease ran out, with a higher epoch", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    const first = await claim(engine);
    clock.now += LEASE_MS;
    const second = await claim(engine);
    expect(second.runId).toBe("a");
    expect(second.epoch).toBeGreaterThan(first.epoch);
  });

  it("refuses everything in the name of an older epoch", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    const old = await claim(engine);
    clock.now += LEASE_MS;
    const current = await claim(engine);
    expect(await engine.renew(old)).toBe(false);
    expect(await engine.setWaiting(old, true)).toBe(false);
    expect(await engine.release(old)).toBe(false);
    expect(await engine.settle(old)).toBe(false);
    expect(await engine.renew(current)).toBe(true);
    expect(await engine.settle(current)).toBe(true);
  });

  it("lets a late holder go on when nobody took the job meanwhile", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    const lease = await claim(engine);
    clock.now += 10 * LEASE_MS;
    expect(await engine.renew(lease)).toBe(true);
    expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
  });

  it("hands a job that was given back out at once, and refuses whoever gave it back", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a"));
    const first = await claim(engine);
    expect(await engine.release(first)).toBe(true);
    expect(await engine.renew(first)).toBe(false);
    expect(await engine.settle(first)).toBe(false);
    const second = await claim(engine);
    expect(second.epoch).toBeGreaterThan(first.epoch);
    expect(await engine.settle(first)).toBe(false);
  });

  it("starts above the epoch that a run had before the engine knew of it", async () => {
    const { engine } = await openEngine(open);
    await engine.enqueue(job("a", { epoch: 7 }));
    expect((await claim(engine)).epoch).toBeGreaterThan(7);
  });
}

function clocks(open: OpenEngine): void {
  it("frees a job in one lease time after the clock went back a year", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    await claim(engine);
    clock.now -= 365 * 24 * 3_600_000;
    expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
    clock.now += LEASE_MS;
    expect((await claim(engine)).runId).toBe("a");
  });

  it("leaves a job with a holder who renews in time after the clock went back", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    const lease = await claim(engine);
    clock.now -= 3_600_000;
    expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
    clock.now += LEASE_MS - 1;
    expect(await engine.renew(lease)).toBe(true);
    clock.now += LEASE_MS - 1;
    expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
  });

  it("lets only one of two holders end a job after the clock went ahead", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("a"));
    const first = await claim(engine);
    clock.now += 3_600_000;
    const second = await claim(engine);
    clock.now -= 3_600_000;
    expect(await engine.settle(first)).toBe(false);
    expect(await engine.settle(second)).toBe(true);
  });

  it("keeps the order of arrival when the clock goes back between two jobs", async () => {
    const { engine, clock } = await openEngine(open);
    await engine.enqueue(job("first"));
    clock.now -= 3_600_000;
    await engine.enqueue(job("second"));
    expect(await claimAll(engine)).toEqual(["first", "second"]);
  });
}

function workers(open: OpenEngine): void {
  it("hands 800 jobs to 8 workers at once, each job to one of them", async () => {
    const { engine } = await openEngine(open);
    const jobs = Array.from({ length: 800 }, (_, number) => job(`job-${number}`, { projectId: `p${number % 5}` }));
    await Promise.all(jobs.map((each) => engine.enqueue(each)));
    const settled = await Promise.all(Array.from({ length: 8 }, (_, number) => drain(engine, `worker-${number}`)));
    expect(settled.flat().toSorted()).toEqual(jobs.map(({ runId }) => runId).toSorted());
  });

  it("has the job of a cron slot once when two schedulers fire it at once, and when one comes late", async () => {
    const { engine } = await openEngine(open);
    const slots = Array.from({ length: 200 }, (_, minute) => `cron-nightly-${1_700_000_000_000 + minute * 60_000}`);
    const fire = () => Promise.all(slots.map((slot) => engine.enqueue(job(slot))));
    const fired = (await Promise.all([fire(), fire()])).flat();
    expect(fired.filter((isNew) => isNew)).toHaveLength(slots.length);
    expect(await drain(engine, "worker")).toEqual(slots);
    // The clock of one scheduler is slow, or it was stopped for a while: the work was done meanwhile.
    expect(new Set(await fire())).toEqual(new Set([false]));
    expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
  });
}

/** Claims and settles until nothing is left; answers what it settled. */
async function drain(engine: Engine, worker: string): Promise<string[]> {
  const settled: string[] = [];
  for (;;) {
    const lease = await engine.claim(worker, NO_LIMIT);
    if (lease === undefined) return settled;
    expect([lease.epoch, await engine.settle(lease)]).toEqual([1, true]);
    settled.push(lease.runId);
  }
}
