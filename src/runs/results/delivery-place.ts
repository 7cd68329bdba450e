import type { Rollback } from "../../contract/runs/checkpoint.ts";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { Run, RunDiff } from "../../contract/runs/run.ts";
import type { Change } from "../../workspace/change.ts";
import type { PlainEvent } from "./lifecycle-events.ts";

/** A run that handed in a result of one kind. */
export type Delivered<Kind extends Delivery["kind"]> = Run & { delivery: Extract<Delivery, { kind: Kind }> };

export type Approved = Extract<PlainEvent, { type: "approved" }>;
export type Reverted = Extract<PlainEvent, { type: "reverted" }>;

/** Where results of one kind are: shows them, and carries out what was decided about them. */
export interface DeliveryPlace<Kind extends Delivery["kind"]> {
  diff(run: Delivered<Kind>): Promise<RunDiff>;
  /** Puts what was shown where it belongs; anything else than what the hash was taken of must be looked at first. */
  deliver(run: Delivered<Kind>, hash: string): Promise<Approved>;
  /** In a folder with what was restored there and what was not; without an event nothing could be taken back. */
  takeBack(run: Delivered<Kind>, change: Change): Promise<{ event?: Reverted; rollback?: Rollback }>;
  /** Whether the person has removed it themselves: they want nothing of it. */
  isGone(run: Delivered<Kind>): Promise<boolean>;
  /** What a run that continues it has to know. */
  forNext(run: Delivered<Kind>): Promise<{ branch?: string; conflict?: string }>;
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
