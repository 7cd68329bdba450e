import type { SubscriberView } from "./subscriber-parts.ts";

/** Fewer failures in a row are nothing a person needs to know. */
const TELLING_FAILURES = 3;
const TELLING_MS = 120_000;

/** An item that a subscriber is at work on. */
export interface Taken<Item> {
  item: Item;
  attempts: number;
  /** When the attempt under way began. */
  since?: number | undefined;
  failure?: string | undefined;
}

/** The first of them that failed several times, or whose attempt takes very long. */
export function failingIn(all: Iterable<Taken<unknown>>, now: number): SubscriberView["failing"] {
  for (const { attempts, since, failure } of all) {
    const isSlow = since !== undefined && now - since >= TELLING_MS;
    const failures = since === undefined ? attempts : attempts - 1;
    if (isSlow || failures >= TELLING_FAILURES)
      return { failures, reason: isSlow || failure === undefined ? "an attempt has no result yet" : failure };
  }
  return undefined;
}
