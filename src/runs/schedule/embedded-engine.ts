import type { ClaimRules, Engine, Job, Lease, LeaseKey } from "./engine.ts";
import { JobQueue, NO_END } from "./job-queue.ts";

const LEASE_MS = 15_000;

interface EmbeddedOptions {
  now: () => number;
  leaseMs?: number;
}

/** The engine of one process: a queue in memory, filled again from the run books at every start. */
export class EmbeddedEngine implements Engine {
  readonly #jobs = new JobQueue();
  readonly #now: () => number;
  readonly #leaseMs: number;

  constructor({ now, leaseMs = LEASE_MS }: EmbeddedOptions) {
    this.#now = now;
    this.#leaseMs = leaseMs;
  }

  async enqueue(job: Job): Promise<boolean> {
    return this.#jobs.add(job);
  }

  async reserve(job: Job, worker: string, rules: ClaimRules): Promise<Lease | undefined> {
    return this.#jobs.reserve(job, { worker, now: this.#now(), until: NO_END, ...rules });
  }

  async claim(worker: string, rules: ClaimRules): Promise<Lease | undefined> {
    const now = this.#now();
    const until = now + this.#leaseMs;
    // After a clock went back, its holder gets one more lease time to renew it, and nobody waits longer than that.
    this.#jobs.shorten(until);
    return this.#jobs.claim({ worker, now, until, ...rules });
  }

  async renew(lease: LeaseKey): Promise<boolean> {
    return this.#jobs.renew(lease, this.#now() + this.#leaseMs);
  }

  async setWaiting(lease: LeaseKey, isWaiting: boolean): Promise<boolean> {
    return this.#jobs.setWaiting(lease, isWaiting);
  }

  async settle(lease: LeaseKey): Promise<boolean> {
    return this.#jobs.settle(lease);
  }

  async release(lease: LeaseKey): Promise<boolean> {
    return this.#jobs.release(lease);
  }

  async park(lease: LeaseKey): Promise<boolean> {
    return this.#jobs.park(lease);
  }

  async wake(runId: string): Promise<void> {
    this.#jobs.wake(runId);
  }

  async cancel(runId: string): Promise<void> {
    this.#jobs.drop(runId);
  }

  async close(): Promise<void> {}
}
