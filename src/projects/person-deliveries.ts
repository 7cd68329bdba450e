import { setTimeout as delay } from "node:timers/promises";
import type { ChannelAddress, ChannelMessage } from "../contract/channel.ts";
import type { ChannelFile } from "./channel-file.ts";
import type { Channel, Delivery, Ways } from "./channel-port.ts";
import { type Channels, keyOf } from "./channels.ts";
import type { Party } from "./exchange.ts";

interface Pace {
  /** After the first attempt that failed; each further pause is twice as long, up to the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
}

const PACE: Pace = { firstPauseMs: 1_000, longestPauseMs: 60_000 };
/** Fewer failures in a row are nothing that anybody needs to know. */
const TELLING_FAILURES = 3;

interface Parts {
  channels: Channels;
  ways: Ways;
  clock: () => Date;
  random: () => number;
  onTrouble: (what: string, error: unknown) => void;
  pace?: Pace;
}

/**
 * Brings what is said to the person where they hear it: in the order of its channel, each message at least once, whatever
 * happens to the daemon or the service in between. A message is done with when its receipt is on disk.
 */
export class PersonDeliveries implements Party {
  readonly #parts: Parts;
  readonly #pace: Pace;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #failing = new Map<string, { failures: number; reason: string }>();
  readonly #closing = new AbortController();
  #givenUp: { count: number; reason: string; at: string } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#pace = parts.pace ?? PACE;
  }

  /** Takes up what was left. */
  start(): void {
    for (const way of Object.values(this.#parts.ways)) if (typeof way !== "string") way.start();
    for (const address of this.#parts.channels.addresses()) this.look(address);
  }

  look(address: ChannelAddress): void {
    const way = this.#parts.ways[address.type];
    const key = keyOf(address);
    if (typeof way === "string" || this.#closing.signal.aborted || this.#underWay.has(key)) return;
    const file = this.#parts.channels.of(address);
    if (file.open("person").length === 0) return;
    const work = this.#bringAll(file, way).finally(() => {
      this.#underWay.delete(key);
      this.look(address);
    });
    this.#underWay.set(key, work);
  }

  /** What is under way may end; everything else is brought in another life. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(Object.values(this.#parts.ways).map((way) => (typeof way === "string" ? undefined : way.stop())));
    await Promise.all(this.#underWay.values());
  }

  /** What the person should know, in words. */
  problems(): string[] {
    const stuck = [...this.#failing].filter(([, { failures }]) => failures >= TELLING_FAILURES);
    const waiting = stuck.map(([key, { reason }]) => `what is said in the channel ${key} waits: ${reason}`);
    if (this.#givenUp === undefined) return waiting;
    const { count, reason, at } = this.#givenUp;
    const what = count === 1 ? "a message to you was" : `${count} messages to you were`;
    return [...waiting, `${what} given up, the last at ${at}: ${reason}`];
  }

  async #bringAll(file: ChannelFile, channel: Channel): Promise<void> {
    const key = keyOf(file.address);
    for (let failures = 0; !this.#closing.signal.aborted; ) {
      const message = file.open("person")[0];
      if (message === undefined) break;
      const delivery = await channel.deliver(message, file.address);
      if (delivery.kind === "postponed") {
        failures++;
        this.#failing.set(key, { failures, reason: delivery.reason });
        await this.#pause(failures, delivery.pauseMs);
        continue;
      }
      failures = 0;
      this.#failing.delete(key);
      this.#note(delivery);
      await this.#receipt(file, message, delivery);
    }
  }

  #note(delivery: Delivery): void {
    if (delivery.kind === "arrived") this.#givenUp = undefined;
    if (delivery.kind !== "refused") return;
    const at = this.#parts.clock().toISOString();
    this.#givenUp = { count: (this.#givenUp?.count ?? 0) + 1, reason: delivery.reason, at };
    this.#parts.onTrouble("a message to the person was given up", delivery.reason);
  }

  /** As long as it cannot be written nothing further is brought, and nothing twice. */
  async #receipt(file: ChannelFile, message: ChannelMessage, delivery: Delivery): Promise<void> {
    for (let failures = 1; ; failures++)
      try {
        return await file.received("person", message, delivery.kind === "refused" ? "failed" : undefined);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.#parts.onTrouble("the receipt of a message to the person could not be written", error);
        await this.#pause(failures, undefined);
      }
  }

  async #pause(failures: number, asked = 0): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#pace;
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
    const pause = Math.max(asked, longest * (0.5 + this.#parts.random() / 2));
    await delay(pause, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }
}
