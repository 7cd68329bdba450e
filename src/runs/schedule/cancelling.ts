import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { RunEnd } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import { storageTrouble } from "../../store/files/storage-failure.ts";
import type { Core } from "../../workspace/core.ts";
import { childrenOf } from "../plan/child-runs.ts";
import type { RunProgress } from "../record/run-progress.ts";
import { decide } from "../results/lifecycle.ts";
import type { Stopper } from "./scheduler-ports.ts";
import type { Waiters } from "./waiters.ts";

/** Ends runs, with all that they have started. */
export class Cancelling {
  readonly #core: Core;
  readonly #progress: RunProgress;
  readonly #waiters: Waiters;

  constructor({ core, progress, waiters }: { core: Core; progress: RunProgress; waiters: Waiters }) {
    this.#core = core;
    this.#progress = progress;
    this.#waiters = waiters;
  }

  /** `by`: whoever wants it, if it is not the hall. Resolves when it is over. */
  async cancel(id: string, { reason, by }: { reason: string; by?: Actor | undefined }, stopper: Stopper): Promise<Run> {
    const { run, epoch } = this.#progress.find(id);
    if (decide({ run }, { type: "cancel" }).refused !== undefined) throw endedAlready(run);
    await this.#progress
      .cancelling(id, { reason, by })
      .catch((error: unknown) => cancelUnwritten(id, { reason, error }, stopper));
    const isTold = await stopper.cancel(id, reason);
    await this.cancelChildren(id, reason, stopper);
    const end: RunEnd = { status: "cancelled", cause: "cancelled", error: reason };
    if (!isTold) await this.#progress.finished({ runId: id, epoch }, end);
    return this.#waiters.unlessStopping(this.#progress.ended(id));
  }

  /** For a run that is over or to end, and therefore gets no more of them. Who reviews it for a gate does so when it is over. */
  async cancelChildren(id: string, reason: string, stopper: Stopper): Promise<void> {
    const { runs, locks } = this.#core;
    const open = await locks.run(childrenOf(id), async () => runs.unsettled());
    const children = open.filter(({ run }) => run.parentRunId === id && run.purpose === "work");
    const cancel = (child: Run) => this.cancel(child.id, { reason }, stopper).catch(ignoreEnded);
    await Promise.all(children.map(({ run }) => cancel(run)));
  }
}

/** It cannot be written down that the run is to end. One that is at work stops all the same: what it does costs money. */
async function cancelUnwritten(
  id: string,
  { reason, error }: { reason: string; error: unknown },
  stopper: Stopper,
): Promise<never> {
  const trouble = storageTrouble(error);
  if (trouble === undefined || !stopper.isAtWork(id)) throw error;
  await stopper.cancel(id, reason);
  throw new HallError("storage_failed", `The cancellation can't be saved, because ${trouble}.`, {
    hint: "The run has stopped, and ends when the disk is writable. Stop it again if the daemon restarts before that.",
  });
}

export function ignoreEnded(error: unknown): void {
  if (!(error instanceof HallError && error.code === "run_ended")) throw error;
}

export function endedAlready({ id, status }: Run): HallError {
  return new HallError("run_ended", `Run '${id}' is already ${status}.`, { hint: hint("run-retry", { run: id }) });
}
