import type { Delivery, DeliveryGate, ReviewCode } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import { BY_DAEMON, type Core, commitAll } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import type { Together } from "../../workspace/together.ts";
import type { Workplaces } from "../git/workplaces.ts";
import type { RunBook } from "../record/run-book.ts";
import type { RunProgress } from "../record/run-progress.ts";
import { decide } from "./lifecycle.ts";
import type { AfterJudgement, Late } from "./lifecycle-events.ts";
import { moveDecidedTask } from "./verdicts.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "tasks">;
  book: Pick<RunBook, "judged">;
  progress: Pick<RunProgress, "find">;
  workplaces: Pick<Workplaces, "judgedLate" | "targetOf">;
  /** Takes away what a run whose result is merged needs no more; never rejects. */
  cleanUp: (run: Run) => Promise<void>;
}

/** Made durable with what becomes of the result. */
type Record = (delivery: Delivery) => Together;

const change = { actor: BY_DAEMON };
const JUDGEABLE: readonly ReviewCode[] = ["gate-running", "gate-unable", "gate-failed", "not-continued"];

/** Results whose gates ended after their run. A person who decided meanwhile has the last word. */
export class JudgedResults {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Carries out what the gates say, which may be a merge. Answers what became of the result, or undefined where a person decided
   * about it. What moved, or can't be carried out, stays as it is. Doing it again after a crash does it once.
   */
  judged(id: string, late: Late, record: Record): Promise<AfterJudgement | undefined> {
    return this.#alone(id, async (known) => {
      if (!isWaiting(known.run.delivery)) return undefined;
      const after = await this.#parts.workplaces.judgedLate(known.run, late);
      return after !== undefined && "kind" in after ? this.#save(known, after, record) : after;
    });
  }

  /**
   * Shows that the gates judge it, or do so once more; `isApproved`: because a person approved it. Undefined where a person decided
   * about it.
   */
  judging(
    id: string,
    { gate, isApproved = false }: { gate: DeliveryGate; isApproved?: boolean },
    record: Record,
  ): Promise<Delivery | undefined> {
    return this.#alone(id, async (known) => {
      const { state, reasonCode = "required" } = known.run.delivery ?? {};
      // A result that waits for the person for another reason is theirs to decide.
      if (state !== "review" || !(isApproved || JUDGEABLE.includes(reasonCode))) return undefined;
      const policy = { requiresReview: true };
      const { delivery } = decide(known, { type: "judged", judgement: { is: "later", gate } }, policy);
      return delivery && this.#save(known, delivery, record);
    });
  }

  /** The commit that the target of its branch has now; undefined where that can't be told. */
  targetOf(run: Run): Promise<string | undefined> {
    return this.#parts.workplaces.targetOf(run);
  }

  /** It stays where it is, and waits for nobody. */
  giveUp(id: string, record: Record): Promise<Delivery | undefined> {
    return this.#alone(id, async (known) => {
      const { delivery } = decide(known, { type: "given-up" });
      return delivery && this.#save(known, delivery, record);
    });
  }

  /** What follows when a result was merged: its task is done, and its worktree goes. Doing it again changes nothing. */
  async close(id: string): Promise<void> {
    const { hall, progress, cleanUp } = this.#parts;
    const { run } = progress.find(id);
    if (run.delivery?.state !== "delivered") return;
    await moveDecidedTask(hall, run, { event: { type: "approved" }, ...change });
    await cleanUp(run);
  }

  async #save(known: IndexedRun, delivery: Delivery, record: Record): Promise<Delivery> {
    const { core, book } = this.#parts;
    const line = book.judged(known, { delivery, at: core.clock().toISOString() });
    const more = record(delivery);
    const apply: Together["apply"] = (placed) => {
      line.apply(placed);
      more.apply(placed);
    };
    await commitAll(core, {
      events: [...line.events, ...more.events],
      writes: [...line.writes, ...more.writes],
      apply,
    });
    return delivery;
  }

  /** One decision about a run at a time. */
  #alone<Result>(id: string, work: (known: IndexedRun) => Promise<Result>): Promise<Result> {
    const { core, progress } = this.#parts;
    return core.locks.run(`review ${id}`, () => work(progress.find(id)));
  }
}

function isWaiting(delivery: Delivery | undefined): boolean {
  return delivery?.state === "review" && delivery.reasonCode === "gate-running";
}
