import { setTimeout as delay } from "node:timers/promises";
import { HallError } from "../../contract/errors.ts";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import type { ProcessExit } from "../../processes/process-exit.ts";
import { storageTrouble } from "../../store/files/storage-failure.ts";
import type { Lease } from "./engine.ts";
import type { RunWork, SchedulerPorts } from "./scheduler-ports.ts";

/** After a failure: how long to wait before a run is tried again, and before what the disk refused is. */
const AGAIN_MS = 3_000;
const DISK_AGAIN_MS = 500;
/** An index that is being rebuilt is asked again so soon. */
const RECOVERED_MS = 50;
const MOST_CRASHES = 3;

type Ports = Pick<SchedulerPorts, "engine" | "onCrashed" | "onWait" | "onTrouble"> & {
  onEnded(lease: Lease, end: RecordedEnd): Promise<void>;
};

/** How a run leaves the scheduler's hands: it ends, is handed back to be taken up again, or is given up. */
export class Endings {
  readonly #ports: Ports;
  readonly #closing: AbortSignal;

  constructor(ports: Ports, closing: AbortSignal) {
    this.#ports = ports;
    this.#closing = closing;
  }

  /** Everything a run leaves behind, then the end of its job. After a failure it is taken up again, and ends anew. */
  async end(lease: Lease, end: RecordedEnd): Promise<void> {
    const { engine, onEnded } = this.#ports;
    try {
      await this.untilWritten(lease, async () => {
        // Nothing may be done in the name of a lease that is lost.
        if (!(await engine.renew(lease))) return;
        await onEnded(lease, end);
        await engine.settle(lease);
      });
    } catch (error) {
      await this.tryLater(lease, error);
    }
  }

  /**
   * Does it again until the disk takes what it writes; the run waits for the disk meanwhile. Any other failure is the
   * caller's, and so is this one when the hall stops.
   */
  async untilWritten<Result>(lease: Lease, work: () => Promise<Result>): Promise<Result> {
    let isWaiting = false;
    for (;;) {
      try {
        const result = await work();
        if (isWaiting) this.#ports.onWait(lease, "scheduler", undefined);
        return result;
      } catch (error) {
        const trouble = storageTrouble(error);
        if (trouble === undefined || this.#closing.aborted) throw error;
        // The daemon puts this right by itself, in a moment.
        if (error instanceof HallError && error.retryable) {
          await this.#pause(RECOVERED_MS);
          continue;
        }
        if (!isWaiting) this.#ports.onTrouble(`run ${lease.runId} waits for the disk`, error);
        isWaiting = true;
        const text = `the run's result can't be saved, because ${trouble}`;
        this.#ports.onWait(lease, "scheduler", { reason: "disk", text });
        await this.#pause(DISK_AGAIN_MS);
      }
    }
  }

  /** A run that could not go on although its process lives. Where the disk is the reason, that is not held against it. */
  async stumbled(work: RunWork, { reason, isStorage }: { reason: string; isStorage: boolean }): Promise<void> {
    await this.#pause(isStorage ? DISK_AGAIN_MS : AGAIN_MS);
    await this.recover(work, { kind: "crashed", cause: reason, expected: isStorage });
  }

  /** What becomes of a run whose process is gone. */
  async recover({ lease, state }: RunWork, exit: ProcessExit): Promise<void> {
    if (state.kind === "ending") return;
    if (state.kind === "cancelling")
      return this.end(lease, { status: "cancelled", cause: "cancelled", error: state.reason });
    if (exit.expected) return void (await this.untilWritten(lease, () => this.#ports.engine.release(lease)));
    try {
      const crashes = await this.untilWritten(lease, () => this.#ports.onCrashed(lease, exit.cause));
      if (crashes < MOST_CRASHES) await this.#ports.engine.release(lease);
      else
        await this.end(lease, {
          status: "failed",
          cause: exit.kind,
          error: `The run failed after ${crashes} attempts: ${exit.cause}.`,
        });
    } catch (error) {
      await this.tryLater(lease, error);
    }
  }

  /** Resolves when the run was handed back, however often that fails before. */
  async tryLater(lease: Lease, error: unknown): Promise<void> {
    this.#ports.onTrouble(`run ${lease.runId} will be retried in a moment`, error);
    await this.#pause(AGAIN_MS);
    try {
      await this.#ports.engine.release(lease);
    } catch (failure) {
      if (!this.#closing.aborted) await this.tryLater(lease, failure);
    }
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#closing }).catch(() => undefined);
  }
}
