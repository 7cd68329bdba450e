export interface Job {
  runId: string;
  projectId: string;
  /** Higher goes first; among equals the one that was enqueued first. */
  priority: number;
  /** The last epoch the run had, as far as its own records tell; 0 for a new one. The next lease has a higher one. */
  epoch: number;
  /** What it must have to itself while it is under way: no job is handed out beside another that has the same. */
  turn?: Turn | undefined;
  /** It is not handed out before it is woken, but keeps its turn. */
  parked?: boolean | undefined;
}

export interface Turn {
  /** What is taken turns on: a working folder. */
  on: string;
  /** Those who started the job, the first one first, and the job itself. They share one turn. */
  line: readonly string[];
}

/** The right to carry out a run, for a while. Whoever holds an older epoch is refused. */
export type Lease = Omit<Job, "turn" | "parked">;
export type LeaseKey = Pick<Lease, "runId" | "epoch">;

export interface ClaimRules {
  /** Runs at once in one project. */
  perProject: number;
  /** Runs at once. */
  total: number;
}

/**
 * Who may carry out which run. Every change is fenced by the lease's epoch, so a worker that was given up and comes back
 * changes nothing.
 */
export interface Engine {
  /**
   * Idempotent by run id; answers whether the job was new. A job that was settled is not taken again, as far as the engine
   * remembers (10,000 jobs at least): of several schedulers that enqueue the job of one cron slot, under an id that follows
   * from the slot, the last may come when it is long done.
   */
  enqueue(job: Job): Promise<boolean>;
  /**
   * Takes a new job and leases it at once, for a run that is about to be created. Undefined when it would have to wait: then
   * the job was not taken. The lease does not expire before it is renewed for the first time.
   */
  reserve(job: Job, worker: string, rules: ClaimRules): Promise<Lease | undefined>;
  /** The next job that may be started now, leased; undefined when there is none. A lease that ran out is claimed anew. */
  claim(worker: string, rules: ClaimRules): Promise<Lease | undefined>;
  /** Extends a lease; false when it is lost. */
  renew(lease: LeaseKey): Promise<boolean>;
  /** A job that only waits for other jobs keeps its lease and counts in no limit. False when the lease is lost. */
  setWaiting(lease: LeaseKey, isWaiting: boolean): Promise<boolean>;
  /** Ends a job; false when the lease is lost, and then nothing may be done in its name. */
  settle(lease: LeaseKey): Promise<boolean>;
  /** Gives a job back to be claimed again; false when the lease is lost. */
  release(lease: LeaseKey): Promise<boolean>;
  /** Gives the lease back without letting the job be claimed before it is woken; false when the lease is lost. */
  park(lease: LeaseKey): Promise<boolean>;
  /** Lets a job be claimed that was parked. */
  wake(runId: string): Promise<void>;
  /** Takes a job away, whoever holds it. */
  cancel(runId: string): Promise<void>;
  close(): Promise<void>;
}
