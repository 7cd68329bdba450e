import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../test/harness/daemon.ts";
import { DurableSubscriber } from "./subscriber.ts";
import type { Entry, Feed } from "./subscriber-parts.ts";
import { type SubscriberState, stateAt } from "./subscriber-state.ts";

const entry = (seq: number): Entry => ({ seq, at: "2026-01-01T00:00:00.000Z" });

function subscriberOf(feed: Feed<Entry>) {
  const handled: number[] = [];
  const troubles: string[] = [];
  let saved: SubscriberState | undefined;
  const subscriber = new DurableSubscriber<Entry>(
    {
      title: "A test",
      feed,
      keyOf: ({ seq }) => `${seq}`,
      handle: async ({ seq }) => {
        handled.push(seq);
        return { kind: "done" };
      },
      save: async (state) => {
        saved = state;
      },
      clock: () => new Date(),
      random: () => 0,
      onTrouble: (what) => void troubles.push(what),
      pace: { retry: { firstMs: 2, longestMs: 4 } },
    },
    stateAt(0),
  );
  onTestFinished(() => subscriber.close());
  return { subscriber, handled, troubles, saved: () => saved };
}

it("reads a feed again that could not be read, and misses nothing", async () => {
  let isBroken = true;
  const read = (after: number) => {
    if (isBroken) throw new Error("EIO");
    return { items: [entry(1), entry(2)].filter(({ seq }) => seq > after), through: 2 };
  };
  const { handled, troubles } = subscriberOf({ head: () => 2, read, count: (after) => read(after).items.length });
  await eventually(
    () => troubles.length,
    (count) => count > 2,
  );
  expect(handled).toEqual([]);
  isBroken = false;
  await eventually(
    () => handled.length,
    (count) => count === 2,
  );
});

it("handles two entries that it is told of the other way round, and does not go back", async () => {
  const feed = { head: () => 0, read: (after: number) => ({ items: [], through: after }), count: () => 0 };
  const { subscriber, handled, saved } = subscriberOf(feed);
  subscriber.hear(2, entry(2));
  subscriber.hear(1, entry(1));
  await eventually(
    () => handled.length,
    (count) => count === 2,
  );
  await subscriber.close();
  expect(saved()).toMatchObject({ through: 2, open: [] });
});
