import type { MergeMethod } from "../../contract/documents/merge-method.ts";
import type { Rollback } from "../../contract/runs/checkpoint.ts";
import type { Delivery, Discard } from "../../contract/runs/delivery.ts";
import type { Run, RunDiff } from "../../contract/runs/run.ts";
import type { Change } from "../../workspace/change.ts";
import type { Moved, Passed, PlainEvent } from "./lifecycle-events.ts";

/** A run that handed in a result of one kind. */
export type Delivered<Kind extends Delivery["kind"]> = Run & { delivery: Extract<Delivery, { kind: Kind }> };

export type Approved = Extract<PlainEvent, { type: "approved" }>;
export type Reverted = Extract<PlainEvent, { type: "reverted" }>;

/** `hash`: of the diff that was shown. Without a method the project's counts. */
export interface Approval {
  hash: string;
  mergeMethod?: MergeMethod | undefined;
  keepBranch?: boolean | undefined;
}

/** What was done to discard a result; `reason`: what was left. Without `commit` or `checkpoints` there was nothing to remove. */
export interface Discarded extends Pick<Discard, "commit" | "checkpoints"> {
  reason?: string;
  rollback?: Rollback;
}

/** Where results of one kind are: shows them, and carries out what was decided about them. */
export interface DeliveryPlace<Kind extends Delivery["kind"]> {
  diff(run: Delivered<Kind>): Promise<RunDiff>;
  /**
   * Puts what was shown where it belongs; anything else than what the hash was taken of must be looked at first. `passed`: nothing else
   * than this may come into the target.
   */
  deliver(run: Delivered<Kind>, approval: Approval, passed?: Passed): Promise<Approved | { moved: Moved }>;
  /** In a folder with what was restored there and what was not; without an event nothing could be taken back. */
  takeBack(run: Delivered<Kind>, change: Change): Promise<{ event?: Reverted; rollback?: Rollback }>;
  /** Makes an undo possible, then removes the result; a branch goes after the decision is on disk. */
  discard(run: Delivered<Kind>, change: Change): Promise<Discarded>;
  /** Throws where what was discarded cannot come back. */
  assertRestorable(run: Delivered<Kind>): Promise<void>;
  /** Brings back what was discarded, after that is on disk. */
  restore(run: Run, discard: Discard): Promise<void>;
  /** What a run that continues it has to know, and has to work with. */
  forNext(run: Delivered<Kind>): Promise<{ branch?: string; conflict?: string; onto?: string }>;
}

/** Both kinds behind one set of calls. */
export class DeliveryPlaces {
  readonly #places: { [Kind in Delivery["kind"]]: DeliveryPlace<Kind> };

  constructor(places: { [Kind in Delivery["kind"]]: DeliveryPlace<Kind> }) {
    this.#places = places;
  }

  of<Kind extends Delivery["kind"]>(run: Delivered<Kind>): DeliveryPlace<Kind> {
    const { kind } = run.delivery as { kind: Kind };
    return this.#places[kind];
  }
}
