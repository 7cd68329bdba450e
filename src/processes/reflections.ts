import type { RunReflection } from "../contract/run.ts";
import type { RunSum } from "../models/ledger-line.ts";

export interface ReflectionPorts {
  /** How many model calls a reflection may take. */
  rounds: number;
  /** What a run has used so far, its reflection included. */
  sumOf: (runId: string) => RunSum | undefined;
  /** Durable when it resolves. Called for reflections that asked a model, after their run was settled. */
  record: (runId: string, reflection: Omit<RunReflection, "at">) => Promise<void>;
}

interface Ended extends Pick<RunReflection, "rounds" | "wrote" | "error"> {
  runId: string;
}

interface Open {
  epoch: number;
  /** Made so far; they never reject. */
  calls: Promise<void>[];
  /** What the run had used before the first call. */
  before: RunSum | undefined;
  settled: Promise<void>;
}

/** The runs of one process that are over, but on which it may still look back. */
export class Reflections {
  readonly #ports: ReflectionPorts;
  readonly #open = new Map<string, Open>();

  constructor(ports: ReflectionPorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The run has ended, and its process will say when it has looked back on it. `settled` never rejects. */
  begin(runId: string, epoch: number, settled: Promise<void>): void {
    this.#open.set(runId, { epoch, calls: [], before: undefined, settled });
  }

  /** Makes one more model call, or answers false. Not before the run is settled: what it cost itself is known then. */
  async ask(runId: string, epoch: number, call: () => Promise<void>): Promise<boolean> {
    const open = this.#open.get(runId);
    if (open === undefined || open.epoch !== epoch) return false;
    await open.settled;
    if (this.#open.get(runId) !== open || open.calls.length >= this.#ports.rounds) return false;
    if (open.calls.length === 0) open.before = copyOf(this.#ports.sumOf(runId));
    open.calls.push(call());
    await open.calls.at(-1);
    return true;
  }

  /** What it cost and brought is kept, unless it never asked a model. */
  async end({ runId, rounds, wrote, error }: Ended): Promise<void> {
    const open = this.#open.get(runId);
    this.#open.delete(runId);
    if (open === undefined || open.calls.length === 0) return;
    // One that is broken off costs something, too.
    await Promise.all(open.calls);
    const spent = spentSince(open.before, this.#ports.sumOf(runId));
    await this.#ports.record(runId, { rounds, wrote, ...spent, ...(error === undefined ? {} : { error }) });
  }

  /** The process is gone. */
  async abandon(): Promise<void> {
    const lost = { wrote: [], error: "Its process ended." };
    await Promise.all([...this.#open].map(([runId, { calls }]) => this.end({ runId, rounds: calls.length, ...lost })));
  }
}

function copyOf(sum: RunSum | undefined): RunSum | undefined {
  return sum === undefined ? undefined : { ...sum };
}

const NOTHING: RunSum = { usd: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, unpriced: 0 };

/** At the turn of a day the ledger forgets what runs that are over used before. */
function spentSince(earlier = NOTHING, now = NOTHING): Omit<RunReflection, "at" | "rounds" | "wrote" | "error"> {
  const before = now.input < earlier.input || now.output < earlier.output ? NOTHING : earlier;
  return {
    inputTokens: now.input - before.input,
    outputTokens: now.output - before.output,
    cacheReadTokens: now.cacheRead - before.cacheRead,
    cacheWriteTokens: now.cacheWrite - before.cacheWrite,
    costUsd: Math.max(0, Math.round((now.usd - before.usd) * 1e12) / 1e12),
    costKnown: now.unpriced === before.unpriced,
  };
}
