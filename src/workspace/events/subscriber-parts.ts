import type { Backoff } from "../../contract/backoff.ts";
import type { Clock } from "../../store/ids.ts";
import type { Dropped, SubscriberState } from "./subscriber-state.ts";

/** One entry of a feed. Numbers go up along the feed and are never given twice. */
export interface Entry {
  seq: number;
  at: string;
}

/** What came of one attempt. */
export type Handled =
  /** `status`: what the receiver answered, where that is a number. */
  | { kind: "done"; status?: number | undefined }
  /** Another attempt may succeed; `pauseMs` is the pause the receiver asked for. */
  | { kind: "retry"; reason: string; pauseMs?: number | undefined }
  /** No attempt will succeed. */
  | { kind: "drop"; reason: string };

export type Outcome = Exclude<Handled, { kind: "retry" }> & { attempts: number };

/** A durable log that is used as a queue. */
export interface Feed<Item extends Entry> {
  head(): number;
  /** The items after a number, oldest first, perhaps not all of them; `through`: how far it looked, `after` at the end. */
  read(after: number): { items: Item[]; through: number };
  /** How many items there are after a number. */
  count(after: number): number;
}

export interface SubscriberPace {
  retry: Backoff;
  /** An item that fails when it is older than this is dropped. */
  maxAgeMs: number;
  /** An item that fails while more than this many wait is dropped. */
  maxPending: number;
  atOnce: number;
  /** Items held in memory; all others wait in the feed. */
  window: number;
}

export interface SubscriberParts<Item extends Entry> {
  /** Names it in the log of the daemon. */
  title: string;
  feed: Feed<Item>;
  /** Items with the same key are handled in order; those of different keys do not wait for each other. */
  keyOf: (item: Item) => string;
  /** Must settle soon after the signal is aborted. An item is handled again if the daemon dies before that is recorded. */
  handle: (item: Item, signal: AbortSignal) => Promise<Handled>;
  /** Makes an outcome durable. Called again until it succeeds; the item is not handled again meanwhile. */
  record?: ((item: Item, outcome: Outcome) => Promise<unknown>) | undefined;
  /** Makes the position durable. Where it fails, items are handled again after a restart. */
  save: (state: SubscriberState) => Promise<void>;
  clock: Clock;
  random: () => number;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Partial<SubscriberPace> | undefined;
}

export interface SubscriberView {
  pending: number;
  /** When the oldest pending item was written. */
  since?: string | undefined;
  /** The attempt that failed last, of those items that fail again and again or get no answer. */
  failing?: { failures: number; reason: string } | undefined;
  dropped?: Dropped | undefined;
  /** The saved position was ahead of the feed, which lost its end. */
  aheadBy?: number | undefined;
}
