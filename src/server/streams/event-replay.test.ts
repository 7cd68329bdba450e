import { expect, test } from "vitest";
import { fakeHall } from "../../../test/fakes/fake-hall.ts";
import { fakeRuns } from "../../../test/fakes/fake-runs.ts";
import { fakeTalk } from "../../../test/fakes/fake-talk.ts";
import type { HallEvent } from "../../contract/event.ts";
import { type LiveQuery, type LiveStreamSettings, LiveStreams } from "./live-stream.ts";

const GREETING = /^: keep-alive\n\nevent: hello\n/;

/** A fake clock's worth of heartbeats: they come when the test says so. */
function beats() {
  const tasks = new Set<() => void>();
  const every: LiveStreamSettings["every"] = (_, task) => {
    tasks.add(task);
    return () => tasks.delete(task);
  };
  const beat = () => {
    for (const task of tasks) task();
  };
  return { every, tasks, beat };
}

function opened(settings: Partial<LiveStreamSettings> = {}) {
  const fake = fakeHall();
  const heart = beats();
  const sources = {
    events: fake.hall.events,
    runs: fakeRuns([]).runs,
    talk: fakeTalk(),
    version: "",
    startedAt: new Date(0),
  };
  const live = new LiveStreams(sources, { every: heart.every, ...settings });
  const streams = {
    open: (query: Partial<LiveQuery>, cutOff?: () => void) =>
      live.open({ topics: ["events"], deltas: [], channels: [], ...query }, cutOff),
    endAll: () => live.endAll(),
    get size() {
      return live.size;
    },
  };
  return { ...fake, ...heart, streams };
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { done, value } = await reader.read();
  return done ? "(end)" : new TextDecoder().decode(value);
}

const numbers = (text: string) => Array.from(text.matchAll(/^id: (\d+)$/gm), ([, number]) => Number(number));

test("an event is sent with its number, type and content", async () => {
  const { streams, emit } = opened();
  const reader = streams.open({}).getReader();
  expect(await next(reader)).toMatch(GREETING);
  const event = emit("task.created", "alpha");
  expect(await next(reader)).toBe(`id: 1\nevent: event\ndata: ${JSON.stringify({ event })}\n\n`);
});

test("without a number only what happens from now on is sent", async () => {
  const { streams, emit } = opened();
  emit("task.created");
  const reader = streams.open({}).getReader();
  await next(reader);
  emit("task.updated");
  expect(numbers(await next(reader))).toEqual([2]);
});

test("with a number the events after it are replayed in pages, then the present follows without gap or double", async () => {
  const { streams, emit, hall } = opened({ maxWaiting: 10_000 });
  for (let at = 0; at < 1_200; at++) emit("task.updated");
  const read = hall.events.read;
  // Events that come while a page is being read are both in the log and heard live.
  hall.events.read = async (query) => {
    const page = await read(query);
    emit("task.moved");
    return page;
  };
  const reader = streams.open({ after: 100 }).getReader();
  const seen: number[] = [];
  while ((seen.at(-1) ?? 0) < 1_203) seen.push(...numbers(await next(reader)));
  emit("task.created");
  seen.push(...numbers(await next(reader)));
  expect(seen).toEqual(Array.from({ length: 1_104 }, (_, at) => at + 101));
});

test("a number from another log than this one means: from now on", async () => {
  const { streams, emit } = opened();
  emit("task.created");
  const reader = streams.open({ after: 999 }).getReader();
  await next(reader);
  emit("task.updated");
  expect(numbers(await next(reader))).toEqual([2]);
});

test("only the project asked for is sent, replayed or live", async () => {
  const { streams, emit } = opened();
  emit("task.created", "alpha");
  emit("task.created", "beta");
  const reader = streams.open({ after: 0, project: "beta" }).getReader();
  await next(reader);
  expect(numbers(await next(reader))).toEqual([2]);
  emit("task.updated", "alpha");
  emit("task.updated", "beta");
  expect(numbers(await next(reader))).toEqual([4]);
});

test("a heartbeat goes to a client that keeps up and not to one that does not read", async () => {
  const { streams, beat } = opened();
  const stream = streams.open({});
  beat();
  const reader = stream.getReader();
  expect(await next(reader)).toMatch(GREETING);
  const waiting = next(reader);
  beat();
  expect(await waiting).toBe(": still here\n\n");
});

test("more events at once than may wait are taken from the log", async () => {
  const { streams, emit, hall } = opened({ maxWaiting: 3 });
  const read = hall.events.read;
  let bursts = 2;
  // Another burst while the log is being read must not be lost either.
  hall.events.read = async (query) => {
    const page = await read(query);
    if (bursts-- > 0) for (let at = 0; at < 5; at++) emit("task.updated");
    return page;
  };
  const reader = streams.open({}).getReader();
  await next(reader);
  for (let at = 0; at < 5; at++) emit("task.updated");
  const seen: number[] = [];
  while (seen.length < 15) seen.push(...numbers(await next(reader)));
  expect(seen).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
});

test("a client that has stopped reading is cut off at the second beat and leaves nothing behind", async () => {
  const { streams, beat, listeners, tasks } = opened();
  let cut = 0;
  streams.open({}, () => cut++);
  beat();
  expect(cut).toBe(0);
  beat();
  expect(cut).toBe(1);
  expect([listeners.size, tasks.size, streams.size]).toEqual([0, 0, 0]);
});

test("a client that goes away is forgotten, also in the middle of a replay", async () => {
  const { streams, emit, listeners, tasks, hall } = opened();
  emit("task.created");
  const gate = Promise.withResolvers<HallEvent[]>();
  hall.events.read = () => gate.promise;
  const reader = streams.open({ after: 0 }).getReader();
  await next(reader);
  await reader.cancel();
  gate.resolve([]);
  expect([listeners.size, tasks.size, streams.size]).toEqual([0, 0, 0]);
});

test("the server ends all streams", async () => {
  const { streams } = opened();
  const reader = streams.open({}).getReader();
  await next(reader);
  const waiting = next(reader);
  streams.endAll();
  expect(await waiting).toBe("(end)");
  expect(streams.size).toBe(0);
});

test("a log that cannot be read ends the stream and is reported", async () => {
  const failures: unknown[] = [];
  const { streams, hall } = opened({ onFailure: (error) => failures.push(error) });
  hall.events.read = () => Promise.reject(new Error("EIO"));
  const reader = streams.open({ after: 0 }).getReader();
  await next(reader);
  expect(await next(reader)).toBe("(end)");
  expect(failures).toHaveLength(1);
});
