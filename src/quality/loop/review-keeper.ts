import type { GateReview } from "../../contract/documents/quality/review.ts";
import type { TaskType } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Gatekeeper, HeldBack, JudgedResult } from "../../runs/results/gatekeeper.ts";
import type { JudgedResults } from "../../runs/results/judged-results.ts";
import type { Judgement, Passed } from "../../runs/results/lifecycle-events.ts";
import type { Change } from "../../workspace/change.ts";
import { type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { judgedType } from "../task-type.ts";
import { gatesApply } from "./applies.ts";
import type { GateEngine } from "./gate-engine.ts";
import { gateOf } from "./review-effects.ts";
import type { HandedIn, ToldStep } from "./review-events.ts";
import { reviewLock } from "./review-loop.ts";
import { beginReview, isUnqueued, reviewStep } from "./review-step.ts";
import { draftOf, MOST_QUEUED, QUEUE_LOCK, type ReviewStore } from "./review-store.ts";
import type { TeamDeliveries } from "./team-delivery.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "replay">;
  store: ReviewStore;
  engine: Pick<GateEngine, "settingsOf">;
  /** The run whose result it goes on with. */
  continuedBy: (runId: string) => string | undefined;
  /** The team that a run belongs to. */
  teamOf: (run: Run) => string | undefined;
  deliveries: Pick<TeamDeliveries, "judge">;
  judged: Pick<JudgedResults, "judging">;
  /** Has the loop look at a review. */
  look: (reviewId: string) => void;
}

const NO_TREE = "the project's folder is not a git repository, so there is no exact state to judge";
const QUEUE_FULL = `${MOST_QUEUED} results are waiting for the quality gates already. Retry waits for a free place.`;

/** Takes results of completed runs into the review loop. Asked again after a crash, it answers the same. */
export class ReviewKeeper implements Gatekeeper {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async judge(run: Run, result: JudgedResult): Promise<Judgement> {
    const { engine, teamOf, deliveries } = this.#parts;
    const settings = engine.settingsOf(run.projectId);
    const teamId = teamOf(run);
    const isOn = settings.enabled && settings.appliesTo !== "off";
    const delivered = isOn ? await deliveries.judge(run, result) : undefined;
    if (delivered !== undefined) return delivered;
    const type = this.#typeOf(run, result);
    const applies = gatesApply({ settings, hasTeam: teamId !== undefined, type, kind: result.kind });
    switch (applies) {
      case "off":
        return { is: "pass" };
      case "skipped":
        await this.#tell(run, { type: "review.skipped", after: { taskId: run.taskId, taskType: type } });
        return { is: "pass" };
      case "no-tree":
        return { is: "unable", reason: NO_TREE };
      case "judge": {
        if (result.kind !== "branch") return { is: "unable", reason: NO_TREE };
        const handedIn = { runId: run.id, base: result.base, head: result.head };
        return this.#take(run, handedIn, { maxCycles: settings.maxReviewCycles, teamId });
      }
    }
  }

  passed({ projectId, delivery }: Run): Passed | undefined {
    const { engine, store } = this.#parts;
    const { gate } = delivery ?? {};
    const { enabled, appliesTo } = engine.settingsOf(projectId);
    if (gate?.verdict !== "pass" || !enabled || appliesTo === "off") return undefined;
    const review = store.find({ projectId, id: gate.reviewId });
    return review?.state === "passed" ? { head: review.head, onto: review.onto } : undefined;
  }

  async judgeAgain(run: Run, { moved, approval }: HeldBack, change: Change): Promise<void> {
    const { core, store, judged, look } = this.#parts;
    const { projectId } = run;
    const id = run.delivery?.gate?.reviewId ?? "";
    await core.locks.run(reviewLock(id), async () => {
      const review = store.find({ projectId, id });
      const held = { ...approval, actor: change.actor };
      const step = review && reviewStep(review, { type: "approved", approval: held, ...moved }, this.#now());
      // A person decided about it meanwhile, or another approval came first.
      if (step === undefined) return;
      if (store.queued() >= MOST_QUEUED) throw new HallError("gate_refused", QUEUE_FULL);
      const { actor, request } = change;
      const told = { type: "review.approved" as const, after: { reviewId: id, taskId: run.taskId, ...moved } };
      const event = { ...draftOf({ projectId, runId: run.id }, told), actor, ...(request && { request }) };
      await judged.judging(run.id, { gate: gateOf(step.review), isApproved: true }, () => {
        const { events, ...rest } = store.together(step);
        return { ...rest, events: [...events, event] };
      });
    });
    look(id);
  }

  #typeOf({ projectId, taskId }: Run, result: JudgedResult): TaskType {
    const task = this.#parts.core.tasks.record(projectId, taskId);
    return judgedType(task, result.kind === "branch" ? result.files : []);
  }

  async #take(
    run: Run,
    handedIn: HandedIn,
    { maxCycles, teamId }: { maxCycles: number; teamId: string | undefined },
  ): Promise<Judgement> {
    const { core, store, continuedBy } = this.#parts;
    const before = continuedBy(run.id);
    const known = store.ofRun(run.id) ?? (before === undefined ? undefined : store.ofRun(before));
    if (known !== undefined) {
      const taken = await this.#continue(known.id, handedIn);
      if (taken !== undefined) return taken;
    }
    return core.locks.run(QUEUE_LOCK, async () => {
      const { projectId, taskId } = run;
      const id = `review-${core.nextId()}`;
      const begun = beginReview({ id, projectId, taskId, teamId, maxCycles, ...handedIn }, this.#now());
      const queued = store.queued();
      if (queued < MOST_QUEUED) return { is: "later", gate: gateOf(await store.save({ review: begun, told: [] })) };
      await this.#tell(run, { type: "review.queue_full", after: { taskId, queued } });
      const step = reviewStep(begun, { type: "queue-full", reason: QUEUE_FULL }, this.#now());
      const review = await store.save(step ?? { review: begun, told: [] });
      return { is: "unable", reason: QUEUE_FULL, gate: gateOf(review) };
    });
  }

  /** The next cycle of a review, or the same result once more. Undefined: the review has nothing to do with it any more. */
  #continue(id: string, handedIn: HandedIn): Promise<Judgement | undefined> {
    const { core, store } = this.#parts;
    return core.locks.run(reviewLock(id), async () => {
      const review = store.get(id);
      if (review === undefined) return undefined;
      if (review.runId === handedIn.runId) return sameAgain(review);
      const step = reviewStep(review, { type: "handed-in", ...handedIn }, this.#now());
      if (step === undefined) return undefined;
      return { is: "later", gate: gateOf(await store.save(step)) };
    });
  }

  /** Once for each run, also after a crash. */
  async #tell(run: Run, step: ToldStep): Promise<void> {
    const { core, hall } = this.#parts;
    const request = { key: `${step.type}/${run.id}`, fingerprint: "" };
    if (hall.replay(request) !== undefined) return;
    const draft = { ...draftOf({ projectId: run.projectId, runId: run.id }, step), request };
    await commit(core, draft, () => undefined);
  }

  #now(): string {
    return this.#parts.core.clock().toISOString();
  }
}

/** What was answered before a crash. */
function sameAgain(review: GateReview): Judgement | undefined {
  if (review.state === "pending") return { is: "later", gate: gateOf(review) };
  return isUnqueued(review) ? { is: "unable", reason: QUEUE_FULL, gate: gateOf(review) } : undefined;
}
