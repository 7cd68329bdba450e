import { backoffMs } from "../../contract/backoff.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Core } from "../../workspace/core.ts";
import type { Escalations } from "../../workspace/escalations/escalations.ts";
import type { Deliveries } from "./deliveries.ts";
import type { TaskBlocks } from "./task-blocks.ts";
import type { WaitingRuns } from "./waiting-runs.ts";
import { mayWithdraw, type Withdrawals } from "./withdrawals.ts";

interface Parts {
  core: Pick<Core, "shown">;
  escalations: Pick<Escalations, "get">;
  blocks: Pick<TaskBlocks, "settleOf" | "settleAll">;
  deliveries: Pick<Deliveries, "look" | "lookBack" | "deliver" | "runEnded" | "close">;
  waiting: Pick<WaitingRuns, "look">;
  withdrawals: Pick<Withdrawals, "look">;
  /** Sends a draft on its way. Does not wait. */
  send: (id: string) => void;
  onTrouble: (what: string, error: unknown) => void;
}

/** Events after which something that could not be delivered may be. */
const MAY_DELIVER: readonly HallEvent["type"][] = ["run.ended", "task.moved", "project.moved", "file.mended"];
const CHANGES: readonly HallEvent["type"][] = ["escalation.resolved", "escalation.reopened", "escalation.updated"];

const RETRY = { firstMs: 1_000, longestMs: 60_000 };

/** Keeps tasks, questions and deliveries in step with what happens, also to files, and after a restart. */
export class Upkeep {
  readonly #parts: Parts;
  /** One piece of work after the other: each sees what those before it did. */
  #work: Promise<void> = Promise.resolve();
  #failures = 0;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#checkAll();
    await this.#work;
    this.#parts.deliveries.look();
  }

  #checkAll(): void {
    const { blocks, deliveries, waiting, withdrawals } = this.#parts;
    this.#do("questions and blocked tasks could not be checked", async () => {
      await withdrawals.look();
      await waiting.look();
      await blocks.settleAll();
      await deliveries.lookBack();
      this.#failures = 0;
    });
  }

  /** Must not throw. */
  heed(event: HallEvent): void {
    const { blocks, deliveries, waiting, withdrawals, escalations, send } = this.#parts;
    const { type, subject, projectId, actor } = event;
    if (CHANGES.includes(type)) {
      // The answer is on its way before anything else is done.
      if (type === "escalation.resolved") deliveries.deliver(subject.id);
      this.#do(`the tasks of ${subject.id} could not be checked`, async () =>
        blocks.settleOf(await escalations.get(subject.id)),
      );
    }
    if (subject.kind === "escalation" && (actor.via === "file" || type === "escalation.removed"))
      this.#do(`what waited for ${subject.id} could not be checked`, async () => {
        await waiting.look();
        await blocks.settleAll();
      });
    if (type === "file.mended" && subject.kind === "escalation") send(subject.id);
    if (type === "run.ended")
      this.#do("the answers of an ended run could not be checked", () => deliveries.runEnded(subject.id));
    if (mayWithdraw(event)) this.#do("questions could not be checked", () => withdrawals.look(projectId));
    if (MAY_DELIVER.includes(type)) this.#do("answers could not be delivered", async () => deliveries.look());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await this.#work;
    await this.#parts.deliveries.close();
  }

  #do(what: string, work: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#isClosed) return;
      try {
        await this.#parts.core.shown.caughtUp();
        await work();
      } catch (error) {
        if (!(error instanceof HallError && error.code === "escalation_not_found")) this.#failed(what, error);
      }
    });
  }

  /** As on a full disk: everything is checked again later, so that no task stays blocked by what is resolved. */
  #failed(what: string, error: unknown): void {
    this.#parts.onTrouble(what, error);
    clearTimeout(this.#again);
    this.#failures += 1;
    const waitMs = backoffMs(RETRY, this.#failures, () => 1);
    this.#again = setTimeout(() => this.#checkAll(), waitMs).unref();
  }
}
