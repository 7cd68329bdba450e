import { expect, it } from "vitest";
import { HallError } from "../contract/errors.ts";
import type { Conversation, TalkLive } from "../contract/talk-routes.ts";
import { TalkStreams } from "./talk-stream.ts";

const SHOP = { type: "project" as const, id: "shop" };

/** A channel that may be gone. */
function channel() {
  const listeners = new Set<(live: TalkLive) => void>();
  const state = { isThere: true };
  const conversation = (): Conversation => {
    if (!state.isThere) throw new HallError("project_not_found", "There is no project 'shop'.");
    return { messages: [], lastSeq: 3, isBusy: false };
  };
  const subscribe = (_: object, listener: (live: TalkLive) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const streams = new TalkStreams({ conversation, subscribe }, { every: () => () => undefined });
  return { streams, state, listeners };
}

it("is refused for a channel that is not there, from wherever it is to be replayed", () => {
  const { streams, state } = channel();
  state.isThere = false;
  for (const after of [undefined, 0, 7]) expect(() => streams.open(SHOP, after)).toThrow("There is no project");
  expect(streams.size).toBe(0);
});

it("ends when its channel is gone, and does not keep the server from ending the others", async () => {
  const { streams, state, listeners } = channel();
  const lost = streams.open(SHOP, 0).getReader();
  const other = streams.open(SHOP, undefined).getReader();
  state.isThere = false;
  const said: unknown[] = [];
  for (let read = await lost.read(); !read.done; read = await lost.read()) said.push(read.value);
  expect([said.length, streams.size, listeners.size]).toEqual([1, 1, 1]);
  streams.endAll();
  for (let read = await other.read(); !read.done; read = await other.read()) said.push(read.value);
  expect([streams.size, listeners.size]).toEqual([0, 0]);
});
