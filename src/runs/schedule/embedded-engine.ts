import type { JobTable } from "../../store/index/job-table.ts";
import type { ClaimRules, Engine, Job, Lease, LeaseKey } from "./engine.ts";

const LEASE_MS = 15_000;

export interface EmbeddedOptions {
  /** Milliseconds of a clock that all who share the table share. */
  now: () => number;
  leaseMs?: number;
}

/** The engine of one machine: a table of jobs in SQLite, filled again from the run books at every start. */
export class EmbeddedEngine implements Engine {
  readonly #jobs: JobTable;
  readonly #now: () => number;
  readonly #leaseMs: number;

  constructor(jobs: JobTable, options: EmbeddedOptions) {
    this.#jobs = jobs;
    this.#now = options.now;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  async enqueue(job: Job): Promise<boolean> {
    const { turn, parked = false, ...row } = job;
    return this.#jobs.add(
      { ...row, parked },
      turn && { turn: turn.on, line: turn.line.map((id) => `${id}/`).join("") },
    );
  }

  async claim(worker: string, rules: ClaimRules): Promise<Lease | undefined> {
    const now = this.#now();
    const until = now + this.#leaseMs;
    // After a clock went back, its holder gets one more lease time to renew it, and nobody waits longer than that.
    this.#jobs.shorten(until);
    return this.#jobs.claim({ worker, now, until, perProject: rules.perProject, total: rules.total });
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

  async close(): Promise<void> {
    this.#jobs.close();
  }
}
