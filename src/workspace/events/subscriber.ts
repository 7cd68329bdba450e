import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../contract/backoff.ts";
import type { Entry, Handled, Outcome, SubscriberPace, SubscriberParts, SubscriberView } from "./subscriber-parts.ts";
import type { Dropped, SubscriberState } from "./subscriber-state.ts";
import { failingIn, type Taken } from "./taken-item.ts";

const PACE: SubscriberPace = {
  retry: { firstMs: 1_000, longestMs: 300_000 },
  maxAgeMs: 86_400_000,
  maxPending: 10_000,
  atOnce: 4,
  window: 64,
};
/** Entries that were passed over without an item before the position is saved, so that a start has little to read. */
const SAVE_EVERY = 1_000;

/**
 * Handles every item of a feed at least once, in the order of its key, whatever happens to the daemon or the receiver. The
 * feed itself is the queue; durable is only how far it was handled.
 */
export class DurableSubscriber<Item extends Entry> {
  readonly #parts: SubscriberParts<Item>;
  readonly #pace: SubscriberPace;
  /** Taken from the feed and not done, by number. */
  readonly #taken = new Map<number, Taken<Item>>();
  /** The same by key; the first of each is the one that is handled. */
  readonly #queues = new Map<string, Taken<Item>[]>();
  readonly #ready: string[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #aheadBy: number;
  #through: number;
  #saved: number;
  /** Items of the feed after `through`, while not all of them are taken. */
  #later = 0;
  #isBehind = true;
  #isCounted = false;
  #unread = 0;
  #dropped: Dropped | undefined;
  #saving: Promise<void> | undefined;
  #isUnsaved = false;

  constructor(parts: SubscriberParts<Item>, { through, open, dropped }: SubscriberState) {
    const head = parts.feed.head();
    this.#parts = parts;
    this.#pace = { ...PACE, ...parts.pace };
    this.#dropped = dropped;
    this.#aheadBy = Math.max(0, through - head);
    // Numbers after the head are given to other entries, which must not be passed over.
    this.#through = Math.min(through, head);
    this.#saved = through;
    for (const seq of open) this.#takeOpen(seq);
    this.wake();
    if (this.#aheadBy > 0) this.#save();
  }

  /** Looks for new items in the feed. */
  wake(): void {
    this.#isBehind = true;
    this.#isCounted = false;
    this.#refill();
  }

  /** In place of `wake`, by a feed that tells of each entry in its order; `item` where it is one. */
  hear(seq: number, item: Item | undefined): void {
    if (item !== undefined && (this.#isBehind || this.#taken.size >= this.#pace.window)) {
      this.#isBehind = true;
      this.#later++;
    }
    if (this.#isBehind || this.#closing.signal.aborted) return;
    // Two entries that were written at once, around midnight into two files, may be told of the other way round.
    this.#through = Math.max(this.#through, seq);
    if (item !== undefined) this.#take(item);
    else if (seq - this.#saved >= SAVE_EVERY) this.#save();
  }

  view(): SubscriberView {
    const [oldest] = this.#taken.values();
    return {
      pending: this.#taken.size + this.#later,
      since: oldest?.item.at,
      failing: failingIn(this.#taken.values(), this.#parts.clock().getTime()),
      dropped: this.#dropped,
      aheadBy: this.#aheadBy === 0 ? undefined : this.#aheadBy,
    };
  }

  /** An attempt under way is aborted; its item is handled after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#underWay);
    this.#save();
    await this.#saving;
  }

  /** Taken in an earlier life. One that the feed has no longer is forgotten. */
  #takeOpen(seq: number): void {
    const item = this.#parts.feed.read(seq - 1).items.find((found) => found.seq === seq);
    if (item !== undefined && seq <= this.#through) this.#take(item);
  }

  /** Takes as many from the feed as there is room for; where it cannot be read, a little later. */
  #refill(): void {
    if (this.#closing.signal.aborted) return;
    try {
      this.#takeMore();
      this.#unread = 0;
    } catch (error) {
      this.#tell("pending items could not be read; retrying", error);
      void this.#pause(++this.#unread).then(() => this.#refill());
    }
  }

  #takeMore(): void {
    if (!this.#isCounted) this.#later = this.#parts.feed.count(this.#through);
    this.#isCounted = true;
    while (this.#isBehind && this.#taken.size < this.#pace.window) {
      const { items, through } = this.#parts.feed.read(this.#through);
      const taken = items.slice(0, this.#pace.window - this.#taken.size);
      if (through === this.#through) this.#isBehind = false;
      this.#through = taken.length < items.length ? (taken.at(-1)?.seq ?? this.#through) : through;
      this.#later = this.#isBehind ? Math.max(0, this.#later - taken.length) : 0;
      for (const item of taken) this.#take(item);
    }
  }

  #take(item: Item): void {
    const key = this.#parts.keyOf(item);
    const taken = { item, attempts: 0 };
    this.#taken.set(item.seq, taken);
    const queue = this.#queues.get(key);
    if (queue !== undefined) return void queue.push(taken);
    this.#queues.set(key, [taken]);
    this.#ready.push(key);
    this.#next();
  }

  #next(): void {
    while (this.#underWay.size < this.#pace.atOnce && !this.#closing.signal.aborted) {
      const key = this.#ready.shift();
      const first = key === undefined ? undefined : this.#queues.get(key)?.[0];
      if (key === undefined || first === undefined) return;
      const work: Promise<void> = this.#work(key, first).finally(() => {
        this.#underWay.delete(work);
        this.#refill();
        this.#next();
      });
      this.#underWay.add(work);
    }
  }

  async #work(key: string, taken: Taken<Item>): Promise<void> {
    const handled = await this.#attempt(taken);
    if (handled.kind !== "retry") return this.#finish(key, taken, handled);
    taken.failure = handled.reason;
    if (this.#closing.signal.aborted) return;
    if (this.#isTooLate(taken)) return this.#finish(key, taken, { kind: "drop", reason: handled.reason });
    void this.#pause(taken.attempts, handled.pauseMs).then(() => {
      this.#ready.push(key);
      this.#next();
    });
  }

  async #attempt(taken: Taken<Item>): Promise<Handled> {
    taken.attempts++;
    taken.since = this.#parts.clock().getTime();
    try {
      return await this.#parts.handle(taken.item, this.#closing.signal);
    } catch (error) {
      this.#tell("an attempt failed unexpectedly; retrying", error);
      return { kind: "retry", reason: "it failed unexpectedly; see the daemon's log" };
    } finally {
      taken.since = undefined;
    }
  }

  #isTooLate({ item }: Taken<Item>): boolean {
    const age = this.#parts.clock().getTime() - Date.parse(item.at);
    return age > this.#pace.maxAgeMs || this.#taken.size + this.#later > this.#pace.maxPending;
  }

  async #finish(key: string, taken: Taken<Item>, how: Exclude<Handled, { kind: "retry" }>): Promise<void> {
    const { item, attempts } = taken;
    if (!(await this.#record(item, { ...how, attempts }))) return;
    if (how.kind === "done") this.#dropped = undefined;
    else this.#drop(how.reason);
    this.#taken.delete(item.seq);
    const queue = this.#queues.get(key) ?? [];
    queue.shift();
    if (queue.length === 0) this.#queues.delete(key);
    else this.#ready.push(key);
    this.#save();
  }

  #drop(reason: string): void {
    const at = this.#parts.clock().toISOString();
    this.#dropped = { count: (this.#dropped?.count ?? 0) + 1, reason, at };
    this.#tell("gave up on an item", reason);
  }

  #tell(what: string, error: unknown): void {
    this.#parts.onTrouble(`${this.#parts.title}: ${what}`, error);
  }

  /** False: it could not be recorded before the end. */
  async #record(item: Item, outcome: Outcome): Promise<boolean> {
    for (let failures = 1; ; failures++)
      try {
        await this.#parts.record?.(item, outcome);
        return true;
      } catch (error) {
        if (this.#closing.signal.aborted) return false;
        this.#tell("an outcome could not be recorded; retrying", error);
        await this.#pause(failures);
      }
  }

  async #pause(failures: number, asked = 0): Promise<void> {
    const pause = Math.max(asked, backoffMs(this.#pace.retry, failures, this.#parts.random));
    await delay(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }

  /** One write at a time; what changes meanwhile is written by the next one. */
  #save(): void {
    this.#isUnsaved = true;
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
    });
  }

  async #saveAll(): Promise<void> {
    while (this.#isUnsaved) {
      this.#isUnsaved = false;
      const state = {
        format: 1 as const,
        through: this.#through,
        open: [...this.#taken.keys()],
        dropped: this.#dropped,
      };
      this.#saved = state.through;
      await this.#parts.save(state).catch((error) => this.#tell("its position could not be saved", error));
    }
  }
}
