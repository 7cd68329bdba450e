import { createHash } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import type { Clock } from "../../store/ids.ts";
import { type Arrival, onlyValue } from "../arrival.ts";
import type { Outcome } from "./answers.ts";

export interface KeyedRequest {
  readonly key: string;
  readonly fingerprint: string;
}

export interface Performed {
  readonly outcome: Outcome;
  readonly replayed: boolean;
}

interface Kept {
  readonly fingerprint: string;
  readonly outcome: Outcome;
  readonly at: number;
}

/** Visible ASCII. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The request's Idempotency-Key with a fingerprint of what it asks, or undefined when it has none. */
export function keyedRequest(arrival: Arrival, body: Uint8Array): KeyedRequest | undefined {
  const key = arrival.method === "POST" ? onlyValue(arrival.headers, "idempotency-key") : undefined;
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new HallError("malformed", "Idempotency-Key must be 1 to 200 visible ASCII characters.", {
      hint: "Use a random id, such as a UUID.",
    });
  }
  const asked = createHash("sha256").update(`${arrival.method} ${arrival.path}?${arrival.search}\n`).update(body);
  return { key, fingerprint: asked.digest("hex") };
}

/**
 * The answers given to keyed requests, so that a repeated one gets the same answer and does nothing again.
 * Bounded: what was dropped, and what an earlier process answered, `recall` must rebuild from the workspace.
 * Failures are not kept, so that they can be retried.
 */
export class AnsweredRequests {
  readonly #clock: Clock;
  readonly #limits: { entries: number; bytes: number };
  readonly #underWay = new Map<string, { fingerprint: string; performed: Promise<Performed> }>();
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(clock: Clock, limits = { entries: 10_000, bytes: 16 * 1_048_576 }) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** A second request that comes while the first is under way waits for it and shares its answer or failure. */
  async perform(
    request: KeyedRequest,
    recall: () => Promise<Outcome | undefined>,
    act: () => Promise<Outcome>,
  ): Promise<Performed> {
    const known = this.#underWay.get(request.key) ?? this.#fresh(request.key);
    if (known && known.fingerprint !== request.fingerprint) throw mismatch();
    if (known) return { outcome: "outcome" in known ? known.outcome : (await known.performed).outcome, replayed: true };
    const performed = recallOrAct(recall, act);
    this.#underWay.set(request.key, { fingerprint: request.fingerprint, performed });
    try {
      const done = await performed;
      this.#keep(request, done.outcome);
      return done;
    } finally {
      this.#underWay.delete(request.key);
    }
  }

  #fresh(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept && this.#clock().getTime() - kept.at > DAY_MS) {
      this.#drop(key, kept);
      return undefined;
    }
    return kept;
  }

  #keep(request: KeyedRequest, outcome: Outcome): void {
    const at = this.#clock().getTime();
    this.#kept.set(request.key, { fingerprint: request.fingerprint, outcome, at });
    this.#bytes += outcome.body.length;
    for (const [key, kept] of this.#kept) {
      const full = this.#kept.size > this.#limits.entries || this.#bytes > this.#limits.bytes;
      if (!full && at - kept.at <= DAY_MS) break;
      this.#drop(key, kept);
    }
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= kept.outcome.body.length;
  }
}

async function recallOrAct(
  recall: () => Promise<Outcome | undefined>,
  act: () => Promise<Outcome>,
): Promise<Performed> {
  const earlier = await recall();
  return earlier ? { outcome: earlier, replayed: true } : { outcome: await act(), replayed: false };
}

function mismatch(): HallError {
  return new HallError("idempotency_mismatch", "This Idempotency-Key was used for a different request.");
}
