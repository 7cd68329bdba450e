import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Lease } from "../../src/runs/schedule/engine.ts";
import { eventually } from "../harness/daemon.ts";
import { claim, job, NO_LIMIT, openEngine, SHORT_LEASE_MS } from "./engine-bench.ts";
import type { Order } from "./engine-worker.ts";

/** What has to hold between processes that share an engine. */
export function processes(doorPath: string): void {
  const WORKERS = 8;
  const JOBS = 800;

  it(`hands ${JOBS} jobs to ${WORKERS} processes at once, each job to one of them`, { timeout: 60_000 }, async () => {
    const { engine, address } = await openEngine(doorPath, { real: true });
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(doorPath, address, 60_000)));
    for (let number = 0; number < JOBS; number++)
      await engine.enqueue(job(`job-${number}`, { projectId: `p${number % 5}` }));
    const settled = await Promise.all(
      workers.map((worker) => worker.tell({ do: "drain", ...NO_LIMIT }) as Promise<Lease[]>),
    );
    const ids = settled.flat().map((lease) => lease.runId);
    expect(ids).toHaveLength(JOBS);
    expect(new Set(ids).size).toBe(JOBS);
    expect(settled.flat().every((lease) => lease.epoch === 1)).toBe(true);
  });

  it("has the job of a cron slot once when two schedulers fire it at once, and when one comes late", async () => {
    const { engine, address } = await openEngine(doorPath, { real: true });
    const schedulers = await Promise.all([1, 2].map(() => startWorker(doorPath, address, 60_000)));
    const slots = Array.from({ length: 200 }, (_, minute) => `cron-nightly-${1_700_000_000_000 + minute * 60_000}`);
    const fire = (scheduler: Worker) => scheduler.tell({ do: "enqueue", runIds: slots }) as Promise<string[]>;
    const fired = await Promise.all(schedulers.map(fire));
    expect(fired.flat().toSorted()).toEqual(slots);
    const worker = await startWorker(doorPath, address, 60_000);
    const settled = (await worker.tell({ do: "drain", ...NO_LIMIT })) as Lease[];
    expect(settled.map((lease) => lease.runId).toSorted()).toEqual(slots);
    // The clock of one scheduler is slow, or it was stopped for a while: the work was done meanwhile.
    expect(await Promise.all(schedulers.map(fire))).toEqual([[], []]);
    expect(await engine.claim("other", NO_LIMIT)).toBeUndefined();
  });

  it("frees the job of a process that was killed with SIGKILL", async () => {
    const { engine, address } = await openEngine(doorPath, { real: true });
    await engine.enqueue(job("a"));
    const worker = await startWorker(doorPath, address, SHORT_LEASE_MS);
    const lost = (await worker.tell({ do: "claim" })) as Lease;
    expect(lost.runId).toBe("a");
    await worker.kill();
    const next = await eventually(
      () => engine.claim("other", NO_LIMIT),
      (lease) => lease !== undefined,
    );
    expect(next?.epoch).toBeGreaterThan(lost.epoch);
  });

  it("refuses a process that was stopped, lost its lease and woke up again", async () => {
    const { engine, address } = await openEngine(doorPath, { real: true });
    await engine.enqueue(job("a"));
    const zombie = await startWorker(doorPath, address, SHORT_LEASE_MS);
    const lost = (await zombie.tell({ do: "claim" })) as Lease;
    zombie.signal("SIGSTOP");
    const current = await eventually(
      () => engine.claim("other", NO_LIMIT),
      (lease) => lease !== undefined,
    );
    zombie.signal("SIGCONT");
    expect(await zombie.tell({ do: "renew", lease: lost })).toBe(false);
    expect(await zombie.tell({ do: "release", lease: lost })).toBe(false);
    expect(await zombie.tell({ do: "settle", lease: lost })).toBe(false);
    expect(await engine.settle(current as Lease)).toBe(true);
  });

  it("sees in one process what was enqueued, given back and cancelled in another", async () => {
    const { engine, address } = await openEngine(doorPath, { real: true });
    const worker = await startWorker(doorPath, address, 60_000);
    await engine.enqueue(job("a"));
    const lease = (await worker.tell({ do: "claim" })) as Lease;
    expect(await engine.claim("here", NO_LIMIT)).toBeUndefined();
    await worker.tell({ do: "release", lease });
    expect((await claim(engine)).epoch).toBeGreaterThan(lease.epoch);
    await engine.cancel("a");
    expect(await worker.tell({ do: "claim" })).toBeNull();
  });
}

interface Worker {
  tell(order: Order): Promise<unknown>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
}

async function startWorker(doorPath: string, address: string, leaseMs: number): Promise<Worker> {
  const child = fork(join(import.meta.dirname, "engine-worker.ts"), [doorPath, address, String(leaseMs)]);
  const kill = () => killed(child);
  onTestFinished(kill);
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once("message", (message: { answer: unknown }) => resolve(message.answer));
      child.once("exit", (code) => reject(new Error(`the worker ended with ${code}`)));
    });
  expect(await next()).toBe("ready");
  const tell = (order: Order) => {
    const answer = next();
    child.send(order);
    return answer;
  };
  return { tell, signal: (name) => void child.kill(name), kill };
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
