import { onTestFinished } from "vitest";
import type { ClaimRules, Engine, Job, Lease } from "../../src/runs/schedule/engine.ts";
import { temporaryFolder } from "../harness/daemon.ts";
import type { EngineDoor } from "./engine-door.ts";

export const LEASE_MS = 15_000;
/** Long enough to be renewed in time, short enough to be waited for. */
export const SHORT_LEASE_MS = 400;
export const NO_LIMIT: ClaimRules = { perProject: 1_000, total: 1_000 };

export function job(runId: string, more: Partial<Job> = {}): Job {
  return { runId, projectId: "shop", priority: 1, epoch: 0, ...more };
}

export async function claim(engine: Engine, rules = NO_LIMIT): Promise<Lease> {
  const lease = await engine.claim("worker", rules);
  if (lease === undefined) throw new Error("there was nothing to claim");
  return lease;
}

export async function claimAll(engine: Engine, rules = NO_LIMIT): Promise<string[]> {
  const claimed: string[] = [];
  for (
    let lease = await engine.claim("worker", rules);
    lease !== undefined;
    lease = await engine.claim("worker", rules)
  ) {
    claimed.push(lease.runId);
  }
  return claimed;
}

export async function openEngine(doorPath: string, { real = false } = {}) {
  const { door } = (await import(doorPath)) as { door: EngineDoor };
  const address = await door.prepareEngine(temporaryFolder());
  const clock = { now: 1_700_000_000_000 };
  const time = real ? { leaseMs: SHORT_LEASE_MS } : { leaseMs: LEASE_MS, now: () => clock.now };
  const engine = await door.openEngine(address, time);
  onTestFinished(() => engine.close());
  return { engine, clock, address };
}
