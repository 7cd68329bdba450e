import type { ModelFailure } from "../contract/model-call.ts";
import type { KeptPause } from "./ledger-line.ts";

const FIRST_MS = 60_000;
const LONGEST_MS = 1_800_000;
const LONGEST_TOLD_MS = 86_400_000;
/** Of a provider that has too much to do. */
const OVERLOAD = { firstMs: 1_000, longestMs: 60_000, giveUpMs: 1_800_000, staleMs: 300_000, toldFrom: 4 };

export interface Pause {
  provider: string;
  until: Date;
  reason: string;
}

interface Held {
  until: number;
  tries: number;
  reason: string;
  /** Someone asks whether it is over; the others wait for what comes of it. */
  isTrying: boolean;
  waiting: Set<() => void>;
  /** Since when it refuses because it has too much to do; undefined when its quota is used up. */
  overloadedSince?: number | undefined;
  isTold: boolean;
}

export interface PausePorts {
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  onPaused: (pause: Pause) => void;
  onResumed: (provider: string) => void;
  /** Those of an earlier life. */
  kept: readonly KeptPause[];
  keep: (pause: KeptPause) => void;
}

/** Providers whose quota is used up, or that have too much to do. Nobody asks one until its time has come; then one call tries, and the rest follow it. */
export class ProviderPauses {
  readonly #ports: PausePorts;
  readonly #held = new Map<string, Held>();

  constructor(ports: PausePorts) {
    this.#ports = ports;
    const now = ports.now();
    for (const { provider, until, tries, reason } of ports.kept) {
      const then = Math.min(Date.parse(until), now + LONGEST_TOLD_MS);
      // Nobody has asked that provider for a day; it may not even be there any more.
      if (now - then < LONGEST_TOLD_MS)
        this.#held.set(provider, { until: then, tries, reason, isTrying: false, waiting: new Set(), isTold: true });
    }
  }

  /** Why the provider is not asked now; undefined when it may be. Whoever gets undefined after a pause is the one who tries. */
  standing(provider: string): Pause | undefined {
    const held = this.#held.get(provider);
    if (held === undefined) return undefined;
    if (!held.isTrying && this.#restOf(held) === 0) {
      held.isTrying = true;
      return undefined;
    }
    return { provider, until: new Date(held.until), reason: held.reason };
  }

  all(): Pause[] {
    return [...this.#held].map(([provider, { until, reason }]) => ({ provider, until: new Date(until), reason }));
  }

  /** Resolves when it is worth looking again; rejects when the signal is aborted. */
  async over(provider: string, signal: AbortSignal): Promise<void> {
    const held = this.#held.get(provider);
    if (held === undefined) return;
    const done = new AbortController();
    const told = new Promise<void>((resolve) => held.waiting.add(resolve));
    const untilThen = held.isTrying
      ? told
      : this.#ports.sleep(Math.max(1, this.#restOf(held)), AbortSignal.any([signal, done.signal]));
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

  /** The provider refused a call for its quota. Told once for each pause, however many calls meet it. */
  pause(provider: string, failure: ModelFailure): void {
    const before = this.#held.get(provider);
    const now = this.#ports.now();
    // Calls that were under way together are refused together.
    if (before !== undefined && !before.isTrying && now < before.until) return;
    const isNew = before === undefined || before.overloadedSince !== undefined;
    const tries = (isNew ? 0 : before.tries) + 1;
    const usual = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
    const until = now + Math.min(LONGEST_TOLD_MS, failure.retryAfterMs ?? usual);
    this.#hold(provider, { until, tries, reason: failure.message, isTold: true });
  }

  /**
   * The provider refused a call because it has too much to do. False: the call is to be tried as if there were no pauses,
   * because it was not its last try and nobody waits yet, or because the provider has refused everything for too long.
   */
  overloaded(provider: string, failure: ModelFailure, isLast: boolean): boolean {
    const now = this.#ports.now();
    const held = this.#held.get(provider);
    // Nobody has asked it for a while, so that nobody knows what was meanwhile.
    const isStale = held?.overloadedSince !== undefined && now - held.until > OVERLOAD.staleMs;
    const before = isStale ? { ...held, tries: 0, overloadedSince: now } : held;
    if (before === undefined && !isLast) return false;
    if (before !== undefined && !before.isTrying && now < before.until) return true;
    const overloadedSince = before?.overloadedSince ?? now;
    if (now - overloadedSince >= OVERLOAD.giveUpMs) {
      this.gaveUp(provider);
      return false;
    }
    const tries = (before?.tries ?? 0) + 1;
    const usual = Math.min(OVERLOAD.longestMs, OVERLOAD.firstMs * 2 ** (tries - 1));
    const until = now + Math.max(usual, failure.retryAfterMs ?? 0);
    // It mostly passes before anybody would want to know.
    const isTold = before?.isTold === true || tries >= OVERLOAD.toldFrom;
    this.#hold(provider, { until, tries, reason: failure.message, isTold, overloadedSince });
    return true;
  }

  #hold(provider: string, pause: Omit<Held, "isTrying" | "waiting">): void {
    const before = this.#held.get(provider);
    const { until, tries, reason } = pause;
    this.#held.set(provider, { ...pause, isTrying: false, waiting: new Set() });
    if (pause.isTold) {
      this.#ports.keep({ provider, until: new Date(until).toISOString(), reason, tries });
      if (before?.isTold !== true) this.#ports.onPaused({ provider, until: new Date(until), reason });
    }
    if (before !== undefined) this.#tell(before);
  }

  /** A call was let through, whatever came of it: the pause is over. */
  passed(provider: string): void {
    const held = this.#held.get(provider);
    if (held === undefined || !held.isTrying) return;
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

  /** No pause is longer than a day, unless the clock was put back meanwhile. */
  #restOf({ until }: Held): number {
    const rest = until - this.#ports.now();
    return rest > LONGEST_TOLD_MS ? 0 : Math.max(0, rest);
  }

  #tell(held: Held): void {
    for (const resolve of held.waiting) resolve();
    held.waiting.clear();
  }
}
