import type { Lease } from "../../src/runs/schedule/engine.ts";
import type { EngineDoor } from "./engine-door.ts";

/**
 * A worker process of the engine suite: `engine-worker.ts <door> <address> <leaseMs>`. It does what it is told over its
 * channel and answers in order.
 */
export type Order =
  | { do: "claim" }
  /** What a scheduler does: enqueues each of these, one after the other; answers which of them were new. */
  | { do: "enqueue"; runIds: string[] }
  | { do: "renew" | "settle" | "release"; lease: Lease }
  | { do: "drain"; perProject: number; total: number };

const [doorPath = "", address = "", leaseMs = ""] = process.argv.slice(2);
const { door } = (await import(doorPath)) as { door: EngineDoor };
const engine = await door.openEngine(address, { leaseMs: Number(leaseMs) });
const worker = `worker-${process.pid}`;
const NO_LIMIT = { perProject: 1_000, total: 1_000 };

async function carryOut(order: Order): Promise<unknown> {
  switch (order.do) {
    case "claim":
      return engine.claim(worker, NO_LIMIT);
    case "enqueue":
      return enqueue(order.runIds);
    case "renew":
      return engine.renew(order.lease);
    case "settle":
      return engine.settle(order.lease);
    case "release":
      return engine.release(order.lease);
    case "drain":
      return drain(order);
  }
}

async function enqueue(runIds: readonly string[]): Promise<string[]> {
  const added: string[] = [];
  for (const runId of runIds)
    if (await engine.enqueue({ runId, projectId: "shop", priority: 1, epoch: 0 })) added.push(runId);
  return added;
}

/** Claims and settles until nothing is left; answers what it settled. */
async function drain(rules: { perProject: number; total: number }): Promise<Lease[]> {
  const settled: Lease[] = [];
  for (;;) {
    const lease = await engine.claim(worker, rules);
    if (lease === undefined) return settled;
    if (await engine.settle(lease)) settled.push(lease);
  }
}

let last: Promise<unknown> = Promise.resolve();
process.on("message", (order: Order) => {
  last = last.then(() => carryOut(order)).then((answer) => process.send?.({ answer: answer ?? null }));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ answer: "ready" });
