import type { GateReview } from "../../contract/documents/quality/review.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Workplace } from "../../contract/runs/run.ts";
import type { HiddenRefs } from "../../runs/git/hidden-refs.ts";
import { BY_DAEMON, type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "replay">;
  hidden: Pick<HiddenRefs, "mark" | "unmark">;
  /** Where a run worked. */
  workplaceOf: (runId: string) => Workplace | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** `pre-work`: what the work began with. `pre-review`: what a gate judges. `post-pass`: what a passed result became. */
type Moment = "pre-work" | "pre-review" | "post-pass";

/**
 * The commits of a review, each under a ref until the review is over: a rework that makes things worse can be taken back to
 * what was judged before it. Never rejects: a review goes on without.
 */
export class ReviewCheckpoints {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Before a gate judges. */
  async before(review: GateReview): Promise<void> {
    await this.#orTrouble(review, async (place) => {
      const { id, base, head, cycle } = review;
      await this.#mark(review, { place, moment: "pre-work", name: `${id}/pre-work`, commit: base });
      await this.#mark(review, { place, moment: "pre-review", name: `${id}/pre-review-${cycle}`, commit: head });
    });
  }

  /** When a review is over. */
  async after(review: GateReview): Promise<void> {
    const { core } = this.#parts;
    await this.#orTrouble(review, async (place) => {
      const { delivery } = core.runs.get(review.runId)?.run ?? {};
      const merge = delivery?.kind === "branch" ? delivery.merge : undefined;
      if (review.state === "passed" && merge !== undefined) await this.#tell(review, "post-pass", merge);
      await this.#parts.hidden.unmark(place, review.id);
    });
  }

  async #mark(
    review: GateReview,
    { place, moment, name, commit: of }: { place: Workplace; moment: Moment; name: string; commit: string },
  ): Promise<void> {
    const { ref, isNew } = await this.#parts.hidden.mark(place, name, of);
    if (isNew) await this.#tell(review, moment, of, ref);
  }

  /** Once, also after a crash. */
  async #tell(
    { id, projectId, runId, taskId, cycle }: GateReview,
    reason: Moment,
    of: string,
    ref?: string,
  ): Promise<void> {
    const { core, hall } = this.#parts;
    const request = { key: `checkpoint/${id}/${cycle}/${reason}/${of}`, fingerprint: "" };
    if (hall.replay(request) !== undefined) return;
    const after = { reason, runId, taskId, reviewId: id, cycle, commit: of, ...(ref === undefined ? {} : { ref }) };
    const subject = { kind: "checkpoint" as const, id: ref ?? of };
    const draft: EventDraft = { type: "checkpoint.created", actor: BY_DAEMON, projectId, subject, after, request };
    await commit(core, draft, () => undefined);
  }

  async #orTrouble(review: GateReview, work: (place: Workplace) => Promise<void>): Promise<void> {
    const place = this.#parts.workplaceOf(review.runId);
    if (place === undefined) return;
    try {
      await work(place);
    } catch (error) {
      this.#parts.onTrouble(`the checkpoints of ${review.id} could not be kept`, error);
    }
  }
}
