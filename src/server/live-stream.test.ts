import { expect, test } from "vitest";
import { fakeRuns, sampleRun } from "../../test/fakes/fake-runs.ts";
import type { RunStatus } from "../contract/run.ts";
import { LiveStreams } from "./live-stream.ts";

const GREETING = ": the hall is listening\n\n";

function opened({ maxWaiting = 2_000 } = {}) {
  const fake = fakeRuns([]);
  const tasks = new Set<() => void>();
  const every = (_: number, task: () => void) => {
    tasks.add(task);
    return () => tasks.delete(task);
  };
  const beat = () => {
    for (const task of tasks) task();
  };
  const streams = new LiveStreams(fake.runs, { every, maxWaiting });
  const doing = (name: string) => ({ kind: "tool" as const, name });
  const say = (name: string, projectId = "alpha") => fake.tell({ runId: "run-1", projectId, activity: doing(name) });
  const become = (status: RunStatus) =>
    fake.tell({ runId: "run-1", projectId: "alpha", run: { ...sampleRun, status } });
  return { ...fake, streams, beat, tasks, say, become };
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { done, value } = await reader.read();
  return done ? "(end)" : new TextDecoder().decode(value);
}

test("a piece of text is an event named delta, a new state one named run", async () => {
  const { streams, tell, become } = opened();
  const reader = streams.open({}).getReader();
  expect(await next(reader)).toBe(GREETING);
  const live = { runId: "run-1", projectId: "alpha", delta: { kind: "text", text: "Hel\nlo" } } as const;
  tell(live);
  expect(await next(reader)).toBe(`event: delta\ndata: ${JSON.stringify(live)}\n\n`);
  become("completed");
  expect(await next(reader)).toMatch(/^event: run\ndata: .*"status":"completed"/);
});

test("only what is of the run or project asked for is sent", async () => {
  const { streams, tell, say } = opened();
  const ofProject = streams.open({ project: "beta" }).getReader();
  await next(ofProject);
  say("reads", "alpha");
  say("writes", "beta");
  expect(await next(ofProject)).toMatch(/^event: delta\n[^\n]*writes[^\n]*\n\n$/);
  const ofRun = streams.open({ run: "run-1" }).getReader();
  await next(ofRun);
  tell({ runId: "run-2", projectId: "alpha", activity: { kind: "tool", name: "reads" } });
  say("lists");
  expect(await next(ofRun)).toMatch(/^event: delta\n[^\n]*lists[^\n]*\n\n$/);
});

test("the stream of one run begins with the run as it is, and ends with it", async () => {
  const { streams, become, watchers, tasks } = opened();
  const reader = streams.open({ run: "run-1" }).getReader();
  expect(await next(reader)).toMatch(/^: the hall is listening\n\nevent: run\ndata: .*"status":"running".*\n\n$/);
  become("failed");
  expect(await next(reader)).toContain('"status":"failed"');
  expect(await next(reader)).toBe("(end)");
  expect([watchers.size, tasks.size, streams.size]).toEqual([0, 0, 0]);
});

test("a run that is over is told, and that is all", async () => {
  const { streams, runs } = opened();
  runs.get = () => ({ ...sampleRun, status: "cancelled" });
  const reader = streams.open({ run: "run-1" }).getReader();
  expect(await next(reader)).toContain('"status":"cancelled"');
  expect(await next(reader)).toBe("(end)");
});

test("an unknown run is refused, and nothing stays open", () => {
  const { streams, watchers } = opened();
  expect(() => streams.open({ run: "run-9" })).toThrow("There is no run 'run-9'.");
  expect([watchers.size, streams.size]).toEqual([0, 0]);
});

test("a client that is slow misses deltas, but no state", async () => {
  const { streams, say, become } = opened({ maxWaiting: 10 });
  const reader = streams.open({}).getReader();
  await next(reader);
  for (let at = 0; at < 5_000; at++) say(`step ${at}`);
  become("running");
  const text = await next(reader);
  expect(text.match(/^event: delta$/gm)?.length).toBeLessThanOrEqual(10);
  expect(text).toContain('"status":"running"');
});

test("a heartbeat keeps the connection; who reads nothing for two of them is cut off", async () => {
  const { streams, beat, say, watchers } = opened();
  let cuts = 0;
  const reader = streams.open({}, () => cuts++).getReader();
  await next(reader);
  beat();
  expect(await next(reader)).toBe(": still here\n\n");
  say("reads");
  say("writes");
  await new Promise(setImmediate);
  beat();
  expect(cuts).toBe(0);
  beat();
  expect([cuts, watchers.size, streams.size]).toEqual([1, 0, 0]);
});

test("ending them all lets go of everything, once", async () => {
  const { streams, watchers, tasks } = opened();
  const readers = [streams.open({}).getReader(), streams.open({ run: "run-1" }).getReader()];
  for (const reader of readers) await next(reader);
  streams.endAll();
  streams.endAll();
  for (const reader of readers) expect(await next(reader)).toBe("(end)");
  expect([watchers.size, tasks.size, streams.size]).toEqual([0, 0, 0]);
});
