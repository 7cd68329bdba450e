import { setTimeout as delay } from "node:timers/promises";
import type { RunEnd } from "../contract/journal.ts";
import type { Lease } from "./engine.ts";
import type { Work } from "./place.ts";
import type { ProcessExit } from "./project-process.ts";
import type { SchedulerPorts } from "./scheduler-ports.ts";

/** After a failure of the disk: how long to wait before a run is tried again. */
const AGAIN_MS = 3_000;
const MOST_CRASHES = 3;

type Ports = Pick<SchedulerPorts, "engine" | "onEnded" | "onCrashed" | "onTrouble">;

/** How a run leaves the scheduler's hands: it ends, is handed back to be taken up again, or is given up. */
export class Endings {
  readonly #ports: Ports;
  readonly #closing: AbortSignal;

  constructor(ports: Ports, closing: AbortSignal) {
    this.#ports = ports;
    this.#closing = closing;
  }

  /** Everything a run leaves behind, then the end of its job. After a failure it is taken up again, and ends anew. */
  async end(lease: Lease, end: RunEnd): Promise<void> {
    const { engine, onEnded } = this.#ports;
    try {
      // Nothing may be done in the name of a lease that is lost.
      if (!(await engine.renew(lease))) return;
      await onEnded(lease, end);
      await engine.settle(lease);
    } catch (error) {
      await this.tryLater(lease, error);
    }
  }

  /** A run that could not go on although its process lives: mostly a disk that is full, which may pass. */
  async stumbled(work: Work, reason: string): Promise<void> {
    await this.#pause();
    await this.recover(work, { cause: reason, expected: false });
  }

  /** What becomes of a run whose process is gone. */
  async recover({ lease, state }: Work, exit: ProcessExit): Promise<void> {
    if (state.kind === "ending") return;
    if (state.kind === "cancelling") return this.end(lease, { status: "cancelled", error: state.reason });
    if (exit.expected) return void (await this.#ports.engine.release(lease));
    try {
      const crashes = await this.#ports.onCrashed(lease, exit.cause);
      if (crashes < MOST_CRASHES) await this.#ports.engine.release(lease);
      else
        await this.end(lease, {
          status: "failed",
          error: `The run was given up after ${crashes} tries: ${exit.cause}.`,
        });
    } catch (error) {
      await this.tryLater(lease, error);
    }
  }

  /** Resolves when the run was handed back, however often that fails before. */
  async tryLater(lease: Lease, error: unknown): Promise<void> {
    this.#ports.onTrouble(`run ${lease.runId} is tried again in a moment`, error);
    await this.#pause();
    try {
      await this.#ports.engine.release(lease);
    } catch (failure) {
      if (!this.#closing.aborted) await this.tryLater(lease, failure);
    }
  }

  #pause(): Promise<void> {
    return delay(AGAIN_MS, undefined, { signal: this.#closing }).catch(() => undefined);
  }
}
