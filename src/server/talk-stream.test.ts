import { expect, test } from "vitest";
import { fakeTalk } from "../../test/fakes/fake-talk.ts";
import { HallError } from "../contract/errors.ts";
import type { Conversation, TalkLive } from "../contract/talk-routes.ts";
import { TalkStreams } from "./talk-stream.ts";

const HERE = { type: "http", id: "default" } as const;

function opened({ maxWaiting = 2_000 } = {}) {
  const talk = fakeTalk();
  const streams = new TalkStreams(talk, { every: () => () => undefined, maxWaiting });
  const say = (text: string) => talk.say(HERE, { text }, { wait: 0 });
  return { talk, streams, say };
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { done, value } = await reader.read();
  return done ? "(end)" : new TextDecoder().decode(value);
}

const numbers = (text: string) => Array.from(text.matchAll(/^id: (\d+)$/gm), ([, number]) => Number(number));

test("a message comes with its number, a piece of an answer without one", async () => {
  const { talk, streams, say } = opened();
  const reader = streams.open(HERE, undefined).getReader();
  await next(reader);
  await say("Hello");
  expect(numbers(await next(reader))).toEqual([1, 2]);
  talk.tell({ kind: "delta", messageId: "m1", text: "Hel\nlo" });
  expect(await next(reader)).toBe(
    `event: delta\ndata: ${JSON.stringify({ kind: "delta", messageId: "m1", text: "Hel\nlo" })}\n\n`,
  );
});

test("without a number only what comes is sent, with one all after it, each once", async () => {
  const { streams, say } = opened();
  for (const text of ["one", "two"]) await say(text);
  const fresh = streams.open(HERE, undefined).getReader();
  const missed = streams.open(HERE, 1).getReader();
  await Promise.all([next(fresh), next(missed)]);
  await say("three");
  expect(numbers((await next(missed)) + (await next(missed)))).toEqual([2, 3, 4, 5, 6]);
  expect(numbers(await next(fresh))).toEqual([5, 6]);
});

test("whoever does not keep up misses pieces of answers and no message", async () => {
  const { talk, streams, say } = opened({ maxWaiting: 3 });
  const reader = streams.open(HERE, 0).getReader();
  await next(reader);
  for (let piece = 0; piece < 10; piece++) talk.tell({ kind: "delta", messageId: "m", text: String(piece) });
  for (const text of ["one", "two", "three"]) await say(text);
  let seen: number[] = [];
  while (seen.length < 6) seen = [...seen, ...numbers(await next(reader))];
  expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
});

test("ends with the server, and listens to nobody any more", async () => {
  const { streams } = opened();
  const reader = streams.open(HERE, undefined).getReader();
  await next(reader);
  expect(streams.size).toBe(1);
  streams.endAll();
  expect(await next(reader)).toBe("(end)");
  expect(streams.size).toBe(0);
});

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

test("is refused for a channel that is not there, from wherever it is to be replayed", () => {
  const { streams, state } = channel();
  state.isThere = false;
  for (const after of [undefined, 0, 7]) expect(() => streams.open(SHOP, after)).toThrow("There is no project");
  expect(streams.size).toBe(0);
});

test("ends when its channel is gone, and does not keep the server from ending the others", async () => {
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
