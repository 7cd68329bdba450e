import { expect, test } from "vitest";
import { fakeHall } from "../../../test/fakes/fake-hall.ts";
import { fakeRuns, sampleRun } from "../../../test/fakes/fake-runs.ts";
import { fakeTalk } from "../../../test/fakes/fake-talk.ts";
import type { ChannelAddress } from "../../contract/documents/channel.ts";
import type { Live } from "../../contract/runs/live.ts";
import { runLine } from "../../contract/runs/run-line.ts";
import { type LiveQuery, type LiveStreamSettings, LiveStreams } from "./live-stream.ts";

const HERE: ChannelAddress = { type: "http", id: "default" };

const wanted = (channel: ChannelAddress, after?: number) => ({ channel, after });

function opened(settings: Partial<LiveStreamSettings> = {}) {
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
  const streams = new LiveStreams(sources, { every, ...settings });
  const open = (query: Partial<LiveQuery> = {}) =>
    streams.open({ topics: ["events", "runs"], deltas: [], channels: [], ...query }).getReader();
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
  const reader = open({ channels: [wanted({ type: "project", id: "nothing" }), wanted(HERE)] });
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
  const reader = open({ deltas: ["run-1"], channels: [wanted(HERE)] });
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
  const reader = open({ channels: [wanted(HERE)] });
  await text(reader);
  expect([streams.size, watchers.size]).toEqual([1, 1]);
  streams.endAll();
  expect(await text(reader)).toBe("(end)");
  expect([streams.size, watchers.size, tasks.size]).toEqual([0, 0, 0]);
});

test("tells only of the topics and the project that are asked for", async () => {
  const { open, emit, tell } = opened();
  const runs = open({ topics: ["runs"], project: "alpha" });
  const events = open({ topics: ["events"], project: "beta", after: 0 });
  await Promise.all([text(runs), text(events)]);
  emit("task.created", "alpha");
  emit("task.created", "beta");
  tell({ runId: "run-2", projectId: "beta", activity: reading("b.ts") });
  tell({ runId: "run-1", projectId: "alpha", activity: reading("a.ts") });
  expect((await frames(runs)).map((live) => live.kind === "run" && live.runId)).toEqual(["run-1"]);
  expect(numbers(await frames(events))).toEqual([2]);
});

test("without topics, only what is said in the channels and written by the runs that are named", async () => {
  const { open, emit, say, write, talk } = opened();
  const reader = open({ topics: [], deltas: ["run-1"], channels: [wanted(HERE)] });
  await text(reader);
  emit("task.created");
  say("a.ts");
  write("Hello");
  await talk.say(HERE, { text: "Hello" }, { wait: 0 });
  const heard = await frames(reader);
  while (heard.length < 3) heard.push(...(await frames(reader)));
  expect(heard.map(({ kind }) => kind)).toEqual(["delta", "talk", "talk"]);
});

const saidIn = (all: Live[]) =>
  all.flatMap((live) => (live.kind === "talk" && live.live.kind === "message" ? [live.live.message.seq] : []));

test("messages after the one that was seen last are replayed, then the present follows, each once", async () => {
  const { open, talk } = opened();
  const say = () => talk.say(HERE, { text: "Hello" }, { wait: 0 });
  for (let at = 0; at < 600; at++) await say();
  const [fresh, behind] = [open({ channels: [wanted(HERE)] }), open({ channels: [wanted(HERE, 2)] })];
  await Promise.all([text(fresh), text(behind)]);
  const seen = saidIn(await frames(behind));
  await say();
  while ((seen.at(-1) ?? 0) < 1_202) seen.push(...saidIn(await frames(behind)));
  expect(seen).toEqual(Array.from({ length: 1_200 }, (_, at) => at + 3));
  expect(saidIn(await frames(fresh))).toEqual([1_201, 1_202]);
});

test("a number of a channel that was begun again means: from now on", async () => {
  const { open, talk } = opened();
  await talk.say(HERE, { text: "Hello" }, { wait: 0 });
  const reader = open({ channels: [wanted(HERE, 50)] });
  await text(reader);
  await talk.say(HERE, { text: "Again" }, { wait: 0 });
  expect(saidIn(await frames(reader))).toEqual([3, 4]);
});
