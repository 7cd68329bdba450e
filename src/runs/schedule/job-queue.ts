import type { ClaimRules, Job, Lease, LeaseKey, Turn } from "./engine.ts";

/** How many of the last jobs are remembered, so that someone who comes late does not bring one of them again. */
const SETTLED_KEPT = 10_000;

/** The lease of a run that is being created ends when it is renewed, or with the job. */
export const NO_END = Number.POSITIVE_INFINITY;

interface QueuedJob extends Lease {
  /** The order of arrival. A time would let a newer job overtake when the clock goes back. */
  seq: number;
  turn: Turn | undefined;
  worker: string | undefined;
  leaseUntil: number;
  isWaiting: boolean;
  isParked: boolean;
}

interface Claim extends ClaimRules {
  worker: string;
  now: number;
  until: number;
}

/** Jobs and their leases, in memory. Nothing is awaited, so that every claim sees all claims before it. */
export class JobQueue {
  readonly #jobs = new Map<string, QueuedJob>();
  readonly #settled = new Set<string>();
  #arrived = 0;

  add({ runId, projectId, priority, epoch, turn, parked = false }: Job): boolean {
    if (this.#jobs.has(runId) || this.#settled.has(runId)) return false;
    const lease = { worker: undefined, leaseUntil: 0, isWaiting: false };
    const seq = ++this.#arrived;
    this.#jobs.set(runId, { runId, projectId, priority, epoch, seq, turn, isParked: parked, ...lease });
    return true;
  }

  /** Adds a job and leases it, unless it would have to wait. */
  reserve(job: Job, claim: Claim): Lease | undefined {
    if (!this.add(job)) return undefined;
    if (this.#next(claim)?.runId === job.runId) return this.claim(claim);
    this.drop(job.runId);
    return undefined;
  }

  claim(claim: Claim): Lease | undefined {
    const next = this.#next(claim);
    if (next === undefined) return undefined;
    const { worker, until } = claim;
    Object.assign(next, { epoch: next.epoch + 1, worker, leaseUntil: until, isWaiting: false });
    const { runId, projectId, priority, epoch } = next;
    return { runId, projectId, priority, epoch };
  }

  #next({ now, perProject, total }: Claim): QueuedJob | undefined {
    const busy = this.#busy(now);
    if (busy.total >= total) return undefined;
    const begun = this.#begun();
    const isFree = (job: QueuedJob) =>
      job.leaseUntil <= now &&
      !job.isParked &&
      (busy.byProject.get(job.projectId) ?? 0) < perProject &&
      !begun.some((other) => hasTurnOf(other, job, now));
    let next: QueuedJob | undefined;
    for (const job of this.#jobs.values()) if ((next === undefined || goesBefore(job, next)) && isFree(job)) next = job;
    return next;
  }

  /** No lease ends later than this, as it would when the clock went back. */
  shorten(until: number): void {
    for (const job of this.#jobs.values())
      if (job.leaseUntil !== NO_END) job.leaseUntil = Math.min(job.leaseUntil, until);
  }

  renew(lease: LeaseKey, until: number): boolean {
    return this.#change(lease, { leaseUntil: until });
  }

  setWaiting(lease: LeaseKey, isWaiting: boolean): boolean {
    return this.#change(lease, { isWaiting });
  }

  /** Ends a job for good. */
  settle(lease: LeaseKey): boolean {
    const job = this.#held(lease);
    if (job === undefined) return false;
    this.#jobs.delete(job.runId);
    this.#settled.add(job.runId);
    for (const oldest of this.#settled) {
      if (this.#settled.size <= SETTLED_KEPT) break;
      this.#settled.delete(oldest);
    }
    return true;
  }

  release(lease: LeaseKey): boolean {
    return this.#change(lease, { worker: undefined, leaseUntil: 0, isWaiting: false });
  }

  /** Gives the lease back; nobody claims the job before it is woken. */
  park(lease: LeaseKey): boolean {
    return this.#change(lease, { worker: undefined, leaseUntil: 0, isWaiting: false, isParked: true });
  }

  wake(runId: string): void {
    const job = this.#jobs.get(runId);
    if (job !== undefined) job.isParked = false;
  }

  drop(runId: string): void {
    this.#jobs.delete(runId);
  }

  /** The job, if this is its current lease. */
  #held({ runId, epoch }: LeaseKey): QueuedJob | undefined {
    const job = this.#jobs.get(runId);
    return job?.epoch === epoch && job.worker !== undefined ? job : undefined;
  }

  /** False when the lease is not the current one. */
  #change(lease: LeaseKey, change: Partial<QueuedJob>): boolean {
    const job = this.#held(lease);
    if (job === undefined) return false;
    Object.assign(job, change);
    return true;
  }

  #busy(now: number): { total: number; byProject: Map<string, number> } {
    const byProject = new Map<string, number>();
    let total = 0;
    for (const { leaseUntil, isWaiting, projectId } of this.#jobs.values()) {
      if (leaseUntil <= now || isWaiting) continue;
      byProject.set(projectId, (byProject.get(projectId) ?? 0) + 1);
      total++;
    }
    return { total, byProject };
  }

  /** Jobs that have begun and take turns with others. */
  #begun(): QueuedJob[] {
    return [...this.#jobs.values()].filter(({ epoch, turn }) => epoch > 0 && turn !== undefined);
  }
}

function goesBefore(job: QueuedJob, other: QueuedJob): boolean {
  return job.priority === other.priority ? job.seq < other.seq : job.priority > other.priority;
}

/**
 * Whether another job has the turn that a job needs. A job that has begun keeps it until it is settled, also between two
 * leases. Of several that have begun the first goes on, so that they never wait for each other. Jobs share the turn of the
 * one that started them.
 */
function hasTurnOf(other: QueuedJob, job: QueuedJob, now: number): boolean {
  if (job.turn === undefined || other.turn?.on !== job.turn.on || other.seq === job.seq) return false;
  if (isWithin(job.turn.line, other.turn.line) || isWithin(other.turn.line, job.turn.line)) return false;
  return other.leaseUntil > now || job.epoch === 0 || other.seq < job.seq;
}

/** Whether one line of jobs begins with the other. */
function isWithin(line: readonly string[], other: readonly string[]): boolean {
  return other.every((id, at) => line[at] === id);
}
