import { backoffMs, NO_JITTER } from "../../contract/backoff.ts";
import type { ChannelMessage } from "../../contract/documents/channel.ts";
import { HallError } from "../../contract/errors.ts";
import type { TalkLive } from "../../contract/routes/talk-routes.ts";
import type { Time } from "../host.ts";
import type { TalkPlace } from "./place.ts";

const RECONNECT = { firstMs: 250, longestMs: 2_000 };

/** Whoever listens at a place. Nothing of it may throw. */
export interface Listener {
  /** Each message once, also those that were said while the daemon was away. */
  hear(live: TalkLive): void;
  /** Nobody is at work any more on what was said with that id. */
  settled(id: string): void;
  /** What was said with that id is not taken. */
  refused(id: string, error: unknown): void;
  away(): void;
  back(): void;
  /** The place itself is gone, as when a project was deleted. */
  broken(error: unknown): void;
}

/**
 * The connection to a place. It outlives the daemon: what was said and not yet settled is said again with the same id when
 * the daemon is back, and what was missed is heard then.
 */
export class TalkLink {
  readonly #place: TalkPlace;
  readonly #time: Time;
  readonly #listener: Listener;
  readonly #unsettled = new Map<string, string>();
  readonly #heard = new Set<number>();
  #lastSeq: number;
  #isOpen = false;
  #isClosed = false;

  constructor(place: TalkPlace, time: Time, from: { lastSeq: number; listener: Listener }) {
    this.#place = place;
    this.#time = time;
    this.#lastSeq = from.lastSeq;
    this.#listener = from.listener;
  }

  /** Whether something that was said here is not settled yet. */
  get isWaiting(): boolean {
    return this.#unsettled.size > 0;
  }

  start(): void {
    this.#listen().catch((error: unknown) => {
      if (!this.#isClosed) this.#listener.broken(error);
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  /** It is kept until the daemon has taken it. */
  say(id: string, text: string): void {
    this.#unsettled.set(id, text);
    if (this.#isOpen) void this.#post(id, text);
  }

  async #listen(): Promise<void> {
    for (let failures = 0; !this.#isClosed; failures++) {
      try {
        const stream = await this.#place.live(this.#lastSeq);
        if (failures > 0) this.#listener.back();
        failures = 0;
        this.#opened();
        for await (const live of stream) {
          if (this.#isClosed) return;
          this.#hear(live);
        }
      } catch (error) {
        if (!isAway(error)) throw error;
      }
      this.#isOpen = false;
      if (this.#isClosed) return;
      if (failures === 0) this.#listener.away();
      await this.#time.pause(backoffMs(RECONNECT, failures + 1, NO_JITTER));
    }
  }

  #opened(): void {
    this.#isOpen = true;
    void this.#sayAgain();
  }

  /** In the order in which it was said. */
  async #sayAgain(): Promise<void> {
    for (const [id, text] of [...this.#unsettled]) await this.#post(id, text);
  }

  async #post(id: string, text: string): Promise<void> {
    while (!this.#isClosed && this.#unsettled.has(id)) {
      try {
        const { message, answers, isOpen } = await this.#place.say({ id, text });
        this.#take(message);
        if (isOpen) return;
        for (const answer of answers) this.#take(answer);
        this.#settle(id);
      } catch (error) {
        if (isAway(error) && !this.#isOpen) return;
        if (isAway(error)) await this.#time.pause(RECONNECT.firstMs);
        else if (this.#unsettled.delete(id)) this.#listener.refused(id, error);
      }
    }
  }

  #hear(live: TalkLive): void {
    if (live.kind === "message") {
      this.#lastSeq = Math.max(this.#lastSeq, live.message.seq);
      this.#take(live.message);
    } else if (live.kind === "settled") this.#settle(live.root);
    else this.#listener.hear(live);
  }

  #take(message: ChannelMessage): void {
    if (this.#isClosed || this.#heard.has(message.seq)) return;
    this.#heard.add(message.seq);
    this.#listener.hear({ kind: "message", message });
  }

  #settle(id: string): void {
    if (this.#unsettled.delete(id)) this.#listener.settled(id);
  }
}

function isAway(error: unknown): boolean {
  return error instanceof HallError && (error.code === "daemon_unreachable" || error.code === "stopping");
}
