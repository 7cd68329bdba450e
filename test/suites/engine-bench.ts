import { onTestFinished } from "vitest";
import type { ClaimRules, Engine, Job, Lease } from "../../src/runs/schedule/engine.ts";

export const LEASE_MS = 15_000;
export const NO_LIMIT: ClaimRules = { perProject: 1_000, total: 1_000 };

/** How the suite reaches an adapter: a new, empty engine. Tests move the clock. */
export type OpenEngine = (options: { leaseMs: number; now: () => number }) => Promise<Engine>;

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

export async function openEngine(open: OpenEngine) {
  const clock = { now: 1_700_000_000_000 };
  const engine = await open({ leaseMs: LEASE_MS, now: () => clock.now });
  onTestFinished(() => engine.close());
  return { engine, clock };
}
