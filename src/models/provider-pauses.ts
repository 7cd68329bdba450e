import { backoffMs, NO_JITTER } from "../contract/backoff.ts";
import type { ModelWait } from "../contract/documents/budget.ts";
import type { KeptPause } from "../contract/runs/ledger.ts";
import type { ModelFailure, PassingFailure } from "../contract/runs/model-call.ts";

const FIRST_MS = 60_000;
const LONGEST_MS = 1_800_000;
const LONGEST_TOLD_MS = 86_400_000;
/** Of a provider that is overloaded or out of order. A probe that breaks off may cost money, so those become rarer. */
const OUTAGE = { firstMs: 1_000, longestMs: 60_000, longestPaidMs: 300_000, staleMs: 300_000, toldFrom: 4 };
/** A call that the provider had and never answered may be the reason itself: it is given up after a day of that. */
const LONGEST_UNANSWERED_MS = 86_400_000;
/** How often others may show that the provider works while one call keeps failing. */
const MOST_ROUNDS = 3;
/** A timer does not see the time that a computer sleeps, so the clocks are looked at in between. */
const SLICE_MS = 60_000;
const LET_OTHERS_MS = 250;

export interface Pause {
  provider: string;
  until: Date;
  reason: string;
  waitsFor: Extract<ModelWait["reason"], "quota" | "network">;
}

interface Held extends Pick<Pause, "reason" | "waitsFor"> {
  /** By the clock on the wall, which may be set, and by the time that this process has been up: the earlier one counts. */
  until: { wall: number; up: number };
  tries: number;
  /** Someone asks whether it is over; the others wait for what comes of it. */
  isTrying: boolean;
  waiting: Set<() => void>;
  /** Calls that wait. One that has tried in vain lets those go first that have not. */
  calls: Set<object>;
  failed: Set<object>;
  isTold: boolean;
}

interface NewPause extends Pick<Held, "tries" | "reason" | "waitsFor" | "isTold"> {
  /** Milliseconds. */
  rest: number;
}

export interface PausePorts {
  /** Milliseconds of the clock on the wall. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  uptime: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  onPaused: (pause: Pause) => void;
  onResumed: (provider: string) => void;
  /** Those of an earlier life. */
  kept: readonly KeptPause[];
  keep: (pause: KeptPause) => void;
}

/** What one call met with so far. */
export interface Trouble {
  /** Identifies the call. */
  call: object;
  /** When it first failed, and when it first failed since it last waited; of a clock that never jumps. */
  since: number;
  recently: number;
  /** How often it waited and others then showed that the provider works. */
  rounds: number;
  /** Its tries are used up. */
  isLast: boolean;
}

/**
 * Providers whose quota is used up, or that are overloaded or cannot be reached. Nobody asks one until its time has come;
 * then one call tries, and the rest follow it.
 */
export class ProviderPauses {
  readonly #ports: PausePorts;
  readonly #held = new Map<string, Held>();
  /** When a provider last gave an answer. */
  readonly #answered = new Map<string, number>();

  constructor(ports: PausePorts) {
    this.#ports = ports;
    const now = ports.now();
    for (const { provider, until, tries, reason } of ports.kept) {
      const rest = Math.min(Date.parse(until) - now, LONGEST_TOLD_MS);
      // Nobody has asked that provider for a day; it may not even be there any more.
      if (rest > -LONGEST_TOLD_MS)
        this.#held.set(provider, this.#newHeld({ rest, tries, reason, waitsFor: "quota", isTold: true }));
    }
  }

  /** Why the provider is not asked now; undefined when it may be. The call that gets undefined after a pause is the one that tries. */
  standing(provider: string, call: object): Pause | undefined {
    const held = this.#held.get(provider);
    if (held === undefined) return undefined;
    held.calls.add(call);
    if (!held.isTrying && this.#restOf(held) === 0 && !isOthersTurn(held, call)) {
      held.calls.delete(call);
      held.isTrying = true;
      return undefined;
    }
    return this.#shown(provider, held);
  }

  /** `due`: nobody knows yet whether the pause is over, and one call may find out. */
  stateOf(provider: string): "open" | "due" | "paused" {
    const held = this.#held.get(provider);
    if (held === undefined) return "open";
    return !held.isTrying && this.#restOf(held) === 0 ? "due" : "paused";
  }

  all(): Pause[] {
    return [...this.#held].map(([provider, held]) => this.#shown(provider, held));
  }

  /** Resolves when it is worth looking again; rejects when the signal is aborted. */
  async over(provider: string, call: object, signal: AbortSignal): Promise<void> {
    const held = this.#held.get(provider);
    if (held === undefined) return;
    const done = new AbortController();
    const told = new Promise<void>((resolve) => held.waiting.add(resolve));
    const untilThen = held.isTrying ? told : this.#untilDue(held, call, AbortSignal.any([signal, done.signal]));
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: done.signal });
    });
    try {
      await Promise.race([told, untilThen, aborted]);
    } finally {
      untilThen.catch(() => undefined);
      done.abort();
    }
  }

  async #untilDue(held: Held, call: object, signal: AbortSignal): Promise<void> {
    if (this.#restOf(held) === 0) return this.#ports.sleep(isOthersTurn(held, call) ? LET_OTHERS_MS : 1, signal);
    for (let rest = this.#restOf(held); rest > 0; rest = this.#restOf(held))
      await this.#ports.sleep(Math.min(SLICE_MS, rest), signal);
  }

  /** The provider refused a call for its quota. Told once for each pause, however many calls meet it. */
  pause(provider: string, failure: ModelFailure): void {
    const before = this.#held.get(provider);
    // Calls that were under way together are refused together.
    if (before !== undefined && !before.isTrying && this.#restOf(before) > 0) return;
    const isNew = before === undefined || before.isTold === false || before.waitsFor === "network";
    const tries = (isNew ? 0 : before.tries) + 1;
    const usual = backoffMs({ firstMs: FIRST_MS, longestMs: LONGEST_MS }, tries, NO_JITTER);
    const rest = Math.min(LONGEST_TOLD_MS, failure.retryAfterMs ?? usual);
    this.#hold(provider, { rest, tries, reason: failure.message, waitsFor: "quota", isTold: true });
  }

  /**
   * The provider did not answer a call that nothing seems wrong with. True: the call waits until it does. False: it is tried
   * as if there were no pauses, because its tries are not used up and nobody waits yet, or because the call itself may be
   * the reason: others were answered meanwhile, or it has been at it for too long.
   */
  putOff(provider: string, failure: PassingFailure, trouble: Trouble): boolean {
    const held = this.#held.get(provider);
    if (held === undefined && !trouble.isLast) return false;
    if (this.#mayBeItsOwnFault(provider, failure, trouble)) {
      this.gaveUp(provider);
      return false;
    }
    if (held !== undefined && !held.isTrying && this.#restOf(held) > 0) return true;
    // Nobody has asked it for a while, so that nobody knows what was meanwhile.
    const isStale = held !== undefined && this.#ports.uptime() - held.until.up > OUTAGE.staleMs;
    const tries = (isStale ? 0 : (held?.tries ?? 0)) + 1;
    const longest = failure.outage === "failing" && failure.kind !== "busy" ? OUTAGE.longestPaidMs : OUTAGE.longestMs;
    const usual = backoffMs({ firstMs: OUTAGE.firstMs, longestMs: longest }, tries, NO_JITTER);
    const rest = Math.max(usual, failure.retryAfterMs ?? 0);
    // It mostly passes before anybody would want to know.
    const isTold = held?.isTold === true || tries >= OUTAGE.toldFrom;
    const waitsFor = failure.outage === "overloaded" ? "quota" : "network";
    this.#hold(provider, { rest, tries, reason: failure.message, waitsFor, isTold }, trouble.call);
    return true;
  }

  #mayBeItsOwnFault(
    provider: string,
    { outage }: PassingFailure,
    { since, recently, rounds, isLast }: Trouble,
  ): boolean {
    if (outage === "unreachable") return false;
    if (this.#ports.uptime() - since >= LONGEST_UNANSWERED_MS) return true;
    // A provider that limits the rate answers some and refuses others.
    if (outage === "overloaded") return false;
    return rounds >= MOST_ROUNDS || (isLast && this.wasAnsweredSince(provider, recently));
  }

  /** Whether the provider gave anybody an answer since that time of the clock that never jumps. */
  wasAnsweredSince(provider: string, time: number): boolean {
    return (this.#answered.get(provider) ?? Number.NEGATIVE_INFINITY) >= time;
  }

  #hold(provider: string, pause: NewPause, failed?: object): void {
    const before = this.#held.get(provider);
    const held = this.#newHeld(pause);
    for (const call of before?.calls ?? []) held.calls.add(call);
    for (const call of before?.failed ?? []) held.failed.add(call);
    if (failed !== undefined) held.failed.add(failed);
    this.#held.set(provider, held);
    const { reason, waitsFor, tries } = held;
    if (pause.isTold) {
      const shown = this.#shown(provider, held);
      // After a restart one call finds out in a moment whether the network is back.
      if (waitsFor === "quota") this.#ports.keep({ provider, until: shown.until.toISOString(), reason, tries });
      if (before?.isTold !== true) this.#ports.onPaused(shown);
    }
    if (before !== undefined) this.#tell(before);
  }

  #newHeld({ rest, ...pause }: NewPause): Held {
    const until = { wall: this.#ports.now() + rest, up: this.#ports.uptime() + rest };
    return { ...pause, until, isTrying: false, waiting: new Set(), calls: new Set(), failed: new Set() };
  }

  /** The provider answered a call: it can be reached, whoever was to find out. */
  answered(provider: string): void {
    this.#answered.set(provider, this.#ports.uptime());
    const held = this.#held.get(provider);
    if (held?.waitsFor === "network") this.#lift(provider, held);
    else this.passed(provider);
  }

  /** A call was let through, whatever came of it: the pause is over. */
  passed(provider: string): void {
    const held = this.#held.get(provider);
    if (held?.isTrying === true) this.#lift(provider, held);
  }

  /** The provider has another key or address: what an earlier one met says nothing about it. */
  reset(provider: string): void {
    const held = this.#held.get(provider);
    if (held !== undefined) this.#lift(provider, held);
  }

  #lift(provider: string, held: Held): void {
    this.#held.delete(provider);
    this.#tell(held);
    if (held.isTold) this.#ports.onResumed(provider);
  }

  /** The call that was to try never got there: another one tries. */
  gaveUp(provider: string): void {
    const held = this.#held.get(provider);
    if (held === undefined || !held.isTrying) return;
    held.isTrying = false;
    this.#tell(held);
  }

  /** The call waits no more, whatever the reason: those that failed must not wait for it to try first. */
  left(provider: string, call: object): void {
    this.#held.get(provider)?.calls.delete(call);
  }

  /** A clock that is put back makes no pause longer, and one that goes on while the computer sleeps ends it. */
  #restOf({ until }: Held): number {
    return Math.max(0, Math.min(until.wall - this.#ports.now(), until.up - this.#ports.uptime()));
  }

  #shown(provider: string, { until, reason, waitsFor }: Held): Pause {
    return { provider, until: new Date(until.wall), reason, waitsFor };
  }

  #tell(held: Held): void {
    for (const resolve of held.waiting) resolve();
    held.waiting.clear();
  }
}

function isOthersTurn({ calls, failed }: Held, call: object): boolean {
  return failed.has(call) && [...calls].some((other) => !failed.has(other));
}
