import type { RunSum } from "../contract/runs/ledger.ts";
import type { ModelSettings } from "../contract/runs/model-call.ts";
import type { RunReflection } from "../contract/runs/run.ts";
import type { HallQuestions } from "./hall-questions.ts";
import type { Party, Said } from "./party.ts";
import type { Work } from "./place.ts";
import type { Processes } from "./processes.ts";

export interface ReflectionPorts {
  processes: Pick<Processes, "drop" | "track">;
  /** How many model calls a reflection may take. */
  rounds: number;
  /** What a run has used so far, its reflection included. */
  sumOf: (runId: string) => RunSum | undefined;
  /** Durable when it resolves. Called for reflections that asked a model, after their run was settled. */
  record: (runId: string, reflection: Omit<RunReflection, "at">) => Promise<void>;
}

interface Reflection extends Work {
  readonly runId: string;
  readonly model: string;
  /** That of the run; never rejects. */
  readonly settled: Promise<void>;
  /** Made so far; they never reject. */
  readonly calls: Promise<void>[];
  /** What the run had used before the first call. */
  before: RunSum | undefined;
}

/** A run that has ended, and that its process may look back on. */
export interface EndedRun extends Work {
  readonly runId: string;
  readonly model: string;
}

/** The runs that are over, but on which their processes still look back. */
export class Reflections implements Party {
  readonly kind = "reflect";
  readonly questions: HallQuestions = {};
  /** Looking back on a run is not worth waiting for money or quota. */
  readonly isPatient = () => false;
  readonly #ports: ReflectionPorts;

  constructor(ports: ReflectionPorts) {
    this.#ports = ports;
  }

  /** Orders it when the run is settled: what the run itself cost is known then. `settled` never rejects. */
  begin({ id: on, place, runId, model }: EndedRun, tokens: number, settled: Promise<void>): void {
    const id = `reflect.${on}`;
    const order = { id, kind: "reflect" as const, place, runId, model, isBusy: true };
    const work: Reflection = { ...order, settled, calls: [], before: undefined };
    place.take(work);
    void settled.then(() => place.send({ type: "order", order: { kind: "reflect", id, on, tokens } }));
  }

  settings({ model }: Reflection, asked: ModelSettings): ModelSettings {
    return { ...asked, model };
  }

  async ask(work: Reflection, call: () => Promise<void>): Promise<boolean> {
    await work.settled;
    if (!work.place.has(work) || work.calls.length >= this.#ports.rounds) return false;
    if (work.calls.length === 0) work.before = copyOf(this.#ports.sumOf(work.runId));
    work.calls.push(call());
    await work.calls.at(-1);
    return true;
  }

  onDelta(): void {}

  onWait(): void {}

  hear(work: Reflection, said: Said): void {
    if (said.type !== "reflected") return;
    const { processes } = this.#ports;
    const { rounds, wrote, error } = said;
    processes.drop(work);
    processes.track(work.place.projectId, this.#end(work, { rounds, wrote, error }));
  }

  lost(works: Reflection[]): Promise<void>[] {
    return works.map((work) => this.#end(work, { rounds: work.calls.length, wrote: [], error: "Its process ended." }));
  }

  /** What it cost and brought is kept, unless it never asked a model. */
  async #end(
    { runId, calls, before }: Reflection,
    { error, ...brought }: Pick<RunReflection, "rounds" | "wrote"> & { error?: string | undefined },
  ): Promise<void> {
    if (calls.length === 0) return;
    // One that is broken off costs something, too.
    await Promise.all(calls);
    const spent = spentSince(before, this.#ports.sumOf(runId));
    await this.#ports.record(runId, { ...brought, ...spent, ...(error === undefined ? {} : { error }) });
  }
}

function copyOf(sum: RunSum | undefined): RunSum | undefined {
  return sum === undefined ? undefined : { ...sum };
}

const NOTHING: RunSum = { usd: 0, assumed: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, unpriced: 0 };

/** At the turn of a day the ledger forgets what runs that are over used before. */
function spentSince(earlier = NOTHING, now = NOTHING): Omit<RunReflection, "at" | "rounds" | "wrote" | "error"> {
  const before = now.input < earlier.input || now.output < earlier.output ? NOTHING : earlier;
  return {
    inputTokens: now.input - before.input,
    outputTokens: now.output - before.output,
    cacheReadTokens: now.cacheRead - before.cacheRead,
    cacheWriteTokens: now.cacheWrite - before.cacheWrite,
    costUsd: rounded(now.usd + now.assumed - before.usd - before.assumed),
    costKnown: now.unpriced === before.unpriced,
    ...(now.unpriced === before.unpriced ? {} : { estimatedUsd: rounded(now.assumed - before.assumed) }),
  };
}

function rounded(usd: number): number {
  return Math.max(0, Math.round(usd * 1e12) / 1e12);
}
