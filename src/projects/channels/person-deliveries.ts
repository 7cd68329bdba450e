import type { ChannelAddress, ChannelMessage } from "../../contract/documents/channel.ts";
import type { Problem } from "../../contract/problem.ts";
import { DurableSubscriber } from "../../workspace/events/subscriber.ts";
import type { Feed, SubscriberPace, SubscriberParts } from "../../workspace/events/subscriber-parts.ts";
import { problemsOf } from "../../workspace/events/subscriber-problems.ts";
import { stateAt } from "../../workspace/events/subscriber-state.ts";
import { channelPath } from "./channel-file.ts";
import type { Channel, Ways } from "./channel-port.ts";
import { type Channels, keyOf } from "./channels.ts";
import type { Party } from "./exchange.ts";

/** A chat gets its messages however late they are: the person waits for them. */
const PACE: Partial<SubscriberPace> = {
  retry: { firstMs: 1_000, longestMs: 60_000 },
  maxAgeMs: Number.POSITIVE_INFINITY,
  maxPending: 1_000,
};

interface Parts extends Pick<SubscriberParts<ChannelMessage>, "clock" | "random" | "onTrouble" | "pace"> {
  channels: Channels;
  ways: Ways;
}

interface Subscription {
  address: ChannelAddress;
  subscriber: DurableSubscriber<ChannelMessage>;
}

/**
 * Brings what is said to the person where they hear it, with one subscriber for each chat. The file of the channel is the
 * queue, and its receipts are the position.
 */
export class PersonDeliveries implements Party {
  readonly #parts: Parts;
  readonly #subscriptions = new Map<string, Subscription>();
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Continues with what is left. */
  start(): void {
    for (const way of Object.values(this.#parts.ways)) if (typeof way !== "string") way.start();
    for (const address of this.#parts.channels.addresses()) this.look(address);
  }

  look(address: ChannelAddress): void {
    const way = this.#parts.ways[address.type];
    if (typeof way === "string" || this.#isClosing) return;
    const key = keyOf(address);
    const known = this.#subscriptions.get(key);
    if (known !== undefined) known.subscriber.wake();
    else if (this.#open(address).length > 0)
      this.#subscriptions.set(key, { address, subscriber: this.#subscribe(address, way) });
  }

  /** What is being sent may finish; everything else is sent after the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = [...this.#subscriptions.values()].map(({ subscriber }) => subscriber.close());
    await Promise.all(Object.values(this.#parts.ways).map((way) => (typeof way === "string" ? undefined : way.stop())));
    await Promise.all(closed);
  }

  problems(): Problem[] {
    return [...this.#subscriptions.values()].flatMap(({ address, subscriber }) =>
      problemsOf(subscriber.view(), { title: titleOf(address), item: "message" }, channelPath(address)),
    );
  }

  #subscribe(address: ChannelAddress, channel: Channel): DurableSubscriber<ChannelMessage> {
    const { channels, clock, random, onTrouble, pace } = this.#parts;
    const parts: SubscriberParts<ChannelMessage> = {
      title: titleOf(address),
      feed: this.#feed(address),
      keyOf: () => keyOf(address),
      handle: (message) => channel.deliver(message, address),
      record: (message, { kind }) =>
        channels.of(address).received("person", message, kind === "drop" ? "failed" : undefined),
      // The receipt says it.
      save: async () => undefined,
      clock,
      random,
      onTrouble,
      pace: { ...PACE, ...pace },
    };
    return new DurableSubscriber(parts, stateAt(0));
  }

  #feed(address: ChannelAddress): Feed<ChannelMessage> {
    const after = (seq: number) => this.#open(address).filter((message) => message.seq > seq);
    const head = () => this.#parts.channels.of(address).lastSeq;
    return { head, read: (seq) => ({ items: after(seq), through: head() }), count: (seq) => after(seq).length };
  }

  #open(address: ChannelAddress): ChannelMessage[] {
    return this.#parts.channels.of(address).open("person");
  }
}

function titleOf(address: ChannelAddress): string {
  return `The channel ${keyOf(address)}`;
}
