import { expect, test } from "vitest";
import { fakeHall } from "../../test/fakes/fake-hall.ts";
import { fakeRuns, sampleRun } from "../../test/fakes/fake-runs.ts";
import { fakeTalk } from "../../test/fakes/fake-talk.ts";
import type { ChannelAddress } from "../contract/channel.ts";
import type { Live } from "../contract/live.ts";
import { runLine } from "../contract/run-line.ts";
import type { EventStreamSettings } from "./event-stream.ts";
import { type PageQuery, PageStreams } from "./page-stream.ts";

const HERE: ChannelAddress = { type: "http", id: "default" };

function opened(settings: Partial<EventStreamSettings> = {}) {
  const { hall, emit } = fakeHall();
  const { runs, tell, watchers } = fakeRuns([]);
  const talk = fakeTalk();
  const startedAt = new Date("2026-03-01T12:00:00Z");
  const tasks = new Set<() => void>();
  const every = (_: number, task: () => void) => {
    tasks.add(task);
    return () => tasks.delete(task);
  };
  const sources = { events: hall.events, runs, talk, version: "0.1.0", startedAt };
  const streams = new PageStreams(sources, { every, ...settings });
  const open = (query: Partial<PageQuery> = {}) => streams.open({ deltas: [], channels: [], ...query }).getReader();
  const say = (subject: string) => tell({ runId: "run-1", projectId: "alpha", activity: reading(subject) });
  const write = (text: string, runId = "run-1") =>
    tell({ runId, projectId: "alpha", delta: { kind: "text", text } as never });
  return { hall, emit, tell, watchers, talk, streams, open, say, write, tasks };
}

const reading = (subject: string) => ({ kind: "tool" as const, name: "read", subject });

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function text(reader: Reader): Promise<string> {
  const { done, value } = await reader.read();
  return done ? "(end)" : new TextDecoder().decode(value);
}

/** As a page reads them. */
async function frames(reader: Reader): Promise<Live[]> {
  const blocks = (await text(reader)).split("\n\n").filter((block) => block.includes("data: "));
  return blocks.map((block) => {
    const kind = /^event: (.*)$/m.exec(block)?.[1];
    return { kind, ...JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "") };
  });
}

const numbers = (all: Live[]) => all.flatMap((live) => (live.kind === "event" ? [live.event.seq] : []));

test("it begins with where the hall stands", async () => {
  const { open, emit } = opened();
  emit("task.created");
  expect(await frames(open())).toEqual([
    { kind: "hello", seq: 1, reset: false, version: "0.1.0", startedAt: "2026-03-01T12:00:00.000Z" },
  ]);
});

test("an event comes with its number as the frame's id", async () => {
  const { open, emit } = opened();
  const reader = open();
  await text(reader);
  const event = emit("task.created", "alpha");
  expect(await text(reader)).toBe(`id: 1\nevent: event\ndata: ${JSON.stringify({ event })}\n\n`);
});

test("events after a number are replayed, then the present follows", async () => {
  const { open, emit } = opened();
  for (let at = 0; at < 1_200; at++) emit("task.updated");
  const reader = open({ after: 100 });
  const seen = numbers(await frames(reader));
  while ((seen.at(-1) ?? 0) < 1_200) seen.push(...numbers(await frames(reader)));
  emit("task.created");
  seen.push(...numbers(await frames(reader)));
  expect(seen).toEqual(Array.from({ length: 1_101 }, (_, at) => at + 101));
});

test.each([
  ["2,000 missed events are replayed", 1, false],
  ["more than that are not, and the page is told", 0, true],
  ["a number of another log means the same", 3_000, true],
])("%s", async (_, after, reset) => {
  const { open, emit } = opened();
  for (let at = 0; at < 2_001; at++) emit("task.updated");
  const reader = open({ after });
  expect((await frames(reader))[0]).toMatchObject({ kind: "hello", seq: 2_001, reset });
  emit("task.moved");
  expect(numbers(await frames(reader))[0]).toBe(reset ? 2_002 : 2);
});

test("states and activities come of every run, a state as one line", async () => {
  const { open, tell, say } = opened();
  const reader = open();
  await text(reader);
  say("a.ts");
  expect(await frames(reader)).toEqual([
    { kind: "run", runId: "run-1", projectId: "alpha", activity: reading("a.ts") },
  ]);
  const figures = { turns: 2, costUsd: 0.02, costKnown: true, progress: 0.1 };
  tell({ runId: "run-1", projectId: "alpha", activity: { kind: "thinking" }, figures });
  expect(await frames(reader)).toEqual([
    { kind: "run", runId: "run-1", projectId: "alpha", activity: { kind: "thinking" }, figures },
  ]);
  tell({ runId: "run-1", projectId: "alpha", run: sampleRun });
  expect(await frames(reader)).toEqual([
    { kind: "run", runId: "run-1", projectId: "alpha", run: JSON.parse(JSON.stringify(runLine(sampleRun))) },
  ]);
});

test("pieces of text come only of the runs that were asked for", async () => {
  const { open, write, emit } = opened();
  const [none, one] = [open(), open({ deltas: ["run-1"] })];
  await Promise.all([text(none), text(one)]);
  write("of another", "run-2");
  write("Hello");
  emit("task.created");
  const heard = await frames(one);
  while (!heard.some(({ kind }) => kind === "delta")) heard.push(...(await frames(one)));
  expect(heard.filter(({ kind }) => kind === "delta")).toEqual([
    { kind: "delta", runId: "run-1", delta: { kind: "text", text: "Hello" } },
  ]);
  expect((await frames(none)).map(({ kind }) => kind)).toEqual(["event"]);
});

test("what is said comes only of the channels that were asked for, and unknown ones are passed over", async () => {
  const { open, talk } = opened();
  const reader = open({ channels: [{ type: "project", id: "nothing" }, HERE] });
  await text(reader);
  await talk.say(HERE, { text: "Hello" }, { wait: 0 });
  const heard = await frames(reader);
  expect(heard.map((live) => live.kind === "talk" && [live.channel, live.live.kind])).toEqual([
    [HERE, "message"],
    [HERE, "message"],
  ]);
});

test("whoever does not keep up misses pieces of text and activities, no event, no state and no message", async () => {
  const { open, emit, write, say, tell, talk } = opened({ maxWaiting: 3 });
  const reader = open({ deltas: ["run-1"], channels: [HERE] });
  await text(reader);
  for (let at = 0; at < 10; at++) {
    emit("task.updated");
    write(String(at));
    say(String(at));
    talk.tell({ kind: "delta", messageId: "m", text: String(at) });
  }
  tell({ runId: "run-1", projectId: "alpha", run: sampleRun });
  await talk.say(HERE, { text: "Hello" }, { wait: 0 });
  const heard: Live[] = [];
  while (numbers(heard).length < 10 || !heard.some((live) => live.kind === "talk" && live.live.kind === "message"))
    heard.push(...(await frames(reader)));
  expect(numbers(heard)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(heard.filter((live) => live.kind === "run" && live.run !== undefined)).toHaveLength(1);
  expect(heard.filter(({ kind }) => kind === "delta").length).toBeLessThan(10);
});

test("a log that cannot be read ends the stream and is told to the daemon", async () => {
  const failures: unknown[] = [];
  const { open, emit, hall } = opened({ onFailure: (error) => failures.push(error) });
  emit("task.created");
  hall.events.read = async () => Promise.reject(new Error("the disk is gone"));
  const reader = open({ after: 0 });
  await text(reader);
  expect(await text(reader)).toBe("(end)");
  expect(failures).toHaveLength(1);
});

test("ends with the server, and listens to nobody any more", async () => {
  const { open, streams, watchers, tasks } = opened();
  const reader = open({ channels: [HERE] });
  await text(reader);
  expect([streams.size, watchers.size]).toEqual([1, 1]);
  streams.endAll();
  expect(await text(reader)).toBe("(end)");
  expect([streams.size, watchers.size, tasks.size]).toEqual([0, 0, 0]);
});
