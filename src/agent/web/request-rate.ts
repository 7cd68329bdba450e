import { WebRefusal } from "./web-refusal.ts";

const MINUTE_MS = 60_000;

/** Not more than so many within any minute. */
export class MinuteRate {
  readonly #most: number;
  readonly #now: () => number;
  #times: number[] = [];

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Counts one; when there were too many, how many seconds it takes until the next may be. */
  take(): number | undefined {
    const now = this.#now();
    this.#times = this.#times.filter((time) => now - time < MINUTE_MS);
    const [first] = this.#times;
    if (first !== undefined && this.#times.length >= this.#most) return Math.ceil((first + MINUTE_MS - now) / 1_000);
    this.#times.push(now);
    return undefined;
  }

  get isIdle(): boolean {
    const last = this.#times.at(-1);
    return last === undefined || this.#now() - last >= MINUTE_MS;
  }
}

export interface HostLimits {
  /** Connections to one host. */
  atOnce: number;
  aMinute: number;
}

interface Host {
  rate: MinuteRate;
  open: number;
  waiting: (() => void)[];
}

/** Keeps agents, however many there are in a project and whatever talks them into it, from wearing out somebody's server. */
export class HostRates {
  readonly #limits: HostLimits;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Host>();

  constructor(limits: HostLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Resolves when a connection may be opened; its end must be told. Rejects with WebRefusal, or with the signal's reason. */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    const host = this.#hosts.get(name) ?? {
      rate: new MinuteRate(this.#limits.aMinute, this.#now),
      open: 0,
      waiting: [],
    };
    this.#hosts.set(name, host);
    const seconds = host.rate.take();
    if (seconds !== undefined)
      throw new WebRefusal(
        `'${name}' received ${this.#limits.aMinute} requests within a minute, which is the limit; try again in ${seconds} seconds`,
      );
    if (host.open >= this.#limits.atOnce) await turnOf(host, signal);
    else host.open++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#leave(host);
    };
  }

  /** Whoever waits longest takes the place over. */
  #leave(host: Host): void {
    const next = host.waiting.shift();
    if (next === undefined) host.open--;
    else next();
    for (const [other, { open, rate }] of this.#hosts) if (open === 0 && rate.isIdle) this.#hosts.delete(other);
  }
}

function turnOf(host: Host, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => {
    host.waiting = host.waiting.filter((one) => one !== go);
    reject(signal.reason);
  };
  const go = () => {
    signal.removeEventListener("abort", abort);
    resolve();
  };
  signal.addEventListener("abort", abort, { once: true });
  host.waiting.push(go);
  return promise;
}
