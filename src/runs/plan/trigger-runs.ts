import type { Run, RunTrigger, SpawnRequest } from "../../contract/runs/run.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { RunBook } from "../record/run-book.ts";
import type { Runs } from "../runs.ts";

interface Parts {
  core: Core;
  runs: Pick<Runs, "spawn" | "enqueue">;
  book: Pick<RunBook, "catchUp">;
  /** Resolves when models and sandbox are known. */
  settle: () => Promise<unknown>;
}

export interface TriggerRunOrder {
  /** Who asks again under the same id finds the same run. */
  runId: string;
  request: SpawnRequest;
  trigger: RunTrigger;
  /** Whether it was attempted before under that id. */
  isAgain: boolean;
}

/** Runs that triggers start. Under one id a run starts once. */
export class TriggerRuns {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  known(runId: string): Run | undefined {
    return this.#parts.core.runs.get(runId)?.run;
  }

  /** Refuses with HallError what can't be started. */
  async start({ runId, request, trigger, isAgain }: TriggerRunOrder): Promise<void> {
    const { core, runs, book, settle } = this.#parts;
    await core.locks.run(`trigger run ${runId}`, async () => {
      if (isAgain && this.known(runId) === undefined) {
        // On a full disk an earlier attempt may have been refused, and recorded all the same.
        await core.changes.checkpoint();
        if (request.projectId !== undefined) book.catchUp(request.projectId);
      }
      const made = this.known(runId);
      if (made?.status === "pending" && isAgain) await runs.enqueue(made);
      if (made !== undefined) return;
      await settle();
      await runs.spawn(request, { actor: BY_DAEMON }, { runId, trigger });
    });
  }
}
