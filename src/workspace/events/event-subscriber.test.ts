import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../../../test/harness/daemon.ts";
import { openEventLog } from "../../../test/harness/event-log.ts";
import type { EventDraft, HallEvent } from "../../contract/event.ts";
import { Files } from "../../store/files/files.ts";
import { timeSortedIds } from "../../store/ids.ts";
import { subscribe } from "./event-subscriber.ts";
import type { Handled, SubscriberPace } from "./subscriber-parts.ts";
import { readSubscriber, subscriberFile, writeSubscriber } from "./subscriber-state.ts";

const DAY_MS = 86_400_000;
const NAME = "hook";
const DONE: Handled = { kind: "done" };
const RETRY: Handled = { kind: "retry", reason: "it answered 503" };

/** As if the daemon died when it saves a position: nothing of that reaches the disk. */
class DyingFiles extends Files {
  isDead = false;
  readonly end = Promise.withResolvers<never>();
  override replace(...given: Parameters<Files["replace"]>): ReturnType<Files["replace"]> {
    return this.isDead ? this.end.promise : super.replace(...given);
  }
}

/** A log, a clock that can be moved, and a receiver that answers as it is told. */
async function bench() {
  const files = new DyingFiles(temporaryFolder());
  files.end.promise.catch(() => undefined);
  const shift = { ms: 0 };
  const clock = () => new Date(Date.now() + shift.ms);
  const events = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  onTestFinished(() => events.close());
  const heard: string[] = [];
  const recorded: string[] = [];
  const troubles: string[] = [];
  const play = {
    handle: async (_run: string, _signal: AbortSignal): Promise<Handled> => DONE,
    record: async (_run: string): Promise<void> => undefined,
  };
  const open = async (pace: Partial<SubscriberPace> = {}) => {
    const subscription = await subscribe({
      core: { events, files, clock },
      name: NAME,
      words: { title: "The hook", item: "notification" },
      wants: ({ type }) => type === "run.ended",
      keyOf: ({ subject }) => subject.id.split("/")[0] ?? "",
      handle: (event, signal) => {
        heard.push(event.subject.id);
        return play.handle(event.subject.id, signal);
      },
      record: async (event) => {
        await play.record(event.subject.id);
        recorded.push(event.subject.id);
      },
      random: () => 0,
      onTrouble: (what, error) => void troubles.push(`${what}: ${error}`),
      pace: { retry: { firstMs: 2, longestMs: 20 }, ...pace },
    });
    onTestFinished(() => {
      const closed = subscription.close();
      files.end.reject(new Error("the daemon is dead"));
      return closed;
    });
    return subscription;
  };
  const ended = async (...runs: string[]) => {
    for (const run of runs) await events.append(endOf(run));
  };
  const all = (count: number) =>
    eventually(
      () => recorded.length,
      (found) => found === count,
    );
  const position = () => readSubscriber(files, NAME);
  const saved = (through: number) =>
    eventually(position, (found) => found.is === "known" && found.state.through === through);
  return { files, events, shift, heard, recorded, troubles, play, open, ended, all, position, saved };
}

function endOf(run: string, type: HallEvent["type"] = "run.ended"): EventDraft {
  const subject = { kind: "run" as const, id: run };
  return { type, actor: { kind: "daemon", via: "daemon" }, projectId: "shop", subject };
}

const reasons = ({ problems }: Awaited<ReturnType<typeof subscribe>>) =>
  problems()
    .map(({ reason }) => reason)
    .join();

describe("a durable subscriber", () => {
  it("handles what came before it was closed, while it was, and after, each once and in order", async () => {
    const { open, ended, all, heard } = await bench();
    await ended("before the first start");
    const first = await open();
    await ended("a/1", "a/2");
    await all(2);
    await first.close();
    await ended("a/3", "a/4");
    await open();
    await ended("a/5");
    await all(5);
    expect(heard).toEqual(["a/1", "a/2", "a/3", "a/4", "a/5"]);
  });

  it("handles an item again when the daemon dies after handling it and before that is recorded", async () => {
    const { files, open, ended, play, heard, all } = await bench();
    await open();
    play.record = () => files.end.promise;
    await ended("a/1", "a/2");
    await eventually(
      () => heard.length,
      (count) => count === 1,
    );
    play.record = async () => undefined;
    await open();
    await all(2);
    expect(heard).toEqual(["a/1", "a/1", "a/2"]);
  });

  it("handles an item again when the daemon dies before the position is saved", async () => {
    const { files, open, ended, heard, all, saved, events } = await bench();
    await open();
    await ended("a/1");
    await saved(events.head());
    files.isDead = true;
    await ended("a/2");
    await all(2);
    files.isDead = false;
    await open();
    await all(3);
    expect(heard).toEqual(["a/1", "a/2", "a/2"]);
  });

  it("keeps the order of a key while one fails, and lets other keys pass", async () => {
    const { open, ended, play, recorded, heard, all } = await bench();
    await open();
    play.handle = async (run) => (run === "a/1" ? RETRY : DONE);
    await ended("a/1", "a/2", "b/1", "b/2");
    await all(2);
    await eventually(
      () => heard.filter((run) => run === "a/1").length,
      (count) => count > 3,
    );
    expect(recorded).toEqual(["b/1", "b/2"]);
    play.handle = async () => DONE;
    await all(4);
    expect(recorded.slice(2)).toEqual(["a/1", "a/2"]);
  });

  it("does not handle again what was done, although an older item is still open", async () => {
    const { open, ended, play, heard, all, position } = await bench();
    const first = await open();
    play.handle = async (run) => (run === "stuck/1" ? RETRY : DONE);
    await ended("a/1", "stuck/1", "b/1");
    await all(2);
    await first.close();
    expect(position()).toMatchObject({ state: { through: 3, open: [2] } });
    heard.length = 0;
    play.handle = async () => DONE;
    await ended("later/1");
    await open();
    await all(4);
    expect(heard).toEqual(["stuck/1", "later/1"]);
  });

  it("tries again what throws, with growing pauses, and shows what is pending, why and since when", async () => {
    const { open, ended, play, heard, troubles, all } = await bench();
    const subscription = await open();
    play.handle = async () => {
      throw new Error("no such luck");
    };
    await ended("a/1", "a/2");
    await eventually(
      () => heard.length,
      (count) => count > 3,
    );
    expect(subscription.problems()).toMatchObject([{ kind: "delivery", file: subscriberFile(NAME) }]);
    expect(reasons(subscription)).toMatch(/^The hook: 2 notifications pending since \d{4}-.*attempts failed: /);
    expect(reasons(subscription)).not.toContain("no such luck");
    expect(troubles[0]).toContain("no such luck");
    play.handle = async () => DONE;
    await all(2);
    expect(subscription.problems()).toEqual([]);
  });

  it("drops what fails when it is too old, says so until something is done, and remembers it over a restart", async () => {
    const { open, ended, play, heard, shift, all, recorded, position } = await bench();
    const first = await open();
    play.handle = async () => RETRY;
    await ended("a/1");
    await eventually(
      () => heard.length,
      (count) => count > 3,
    );
    expect(recorded).toEqual([]);
    shift.ms = DAY_MS + 1_000;
    await all(1);
    await eventually(
      () => reasons(first),
      (said) => /1 notification dropped.*it answered 503/.test(said),
    );
    await first.close();
    expect(position()).toMatchObject({ state: { dropped: { count: 1 } } });
    const again = await open();
    expect(reasons(again)).toContain("dropped");
    play.handle = async () => DONE;
    await ended("a/2");
    await eventually(
      () => again.problems(),
      (found) => found.length === 0,
    );
  });

  it("keeps at most so many pending: what fails while there are more is dropped, the oldest first", async () => {
    const { open, ended, play, heard, all, recorded } = await bench();
    const subscription = await open({ maxPending: 3 });
    play.handle = async () => RETRY;
    await ended("a/1", "a/2", "a/3", "a/4", "a/5");
    await all(2);
    await eventually(
      () => heard.filter((run) => run === "a/3").length,
      (count) => count > 3,
    );
    expect(recorded).toEqual(["a/1", "a/2"]);
    expect(reasons(subscription)).toContain("3 notifications pending");
    expect(reasons(subscription)).toContain("2 notifications dropped");
  });

  it("holds a bounded number in memory, counts the others, and handles all of them in the end", async () => {
    const { open, ended, play, heard, all, recorded } = await bench();
    const subscription = await open({ window: 5, atOnce: 2 });
    play.handle = async () => RETRY;
    const runs = Array.from({ length: 40 }, (_, at) => `run-${at}`);
    await ended(...runs);
    await eventually(
      () => heard.length,
      (count) => count > 30,
    );
    expect(new Set(heard).size).toBe(5);
    expect(reasons(subscription)).toContain("40 notifications pending");
    play.handle = async () => DONE;
    await all(40);
    expect(recorded.toSorted()).toEqual(runs.toSorted());
  });

  it("counts what waits in the log when it is opened", async () => {
    const { open, ended, play, heard } = await bench();
    const first = await open();
    await first.close();
    await ended(...Array.from({ length: 30 }, (_, at) => `run-${at}`));
    play.handle = async () => RETRY;
    const subscription = await open({ window: 5 });
    await eventually(
      () => heard.length,
      (count) => count > 20,
    );
    expect(reasons(subscription)).toContain("30 notifications pending");
  });

  it("makes at most so many attempts at once, shows one without a result, and aborts it at the end", async () => {
    const { open, ended, play, heard, shift, recorded, position } = await bench();
    const subscription = await open({ atOnce: 3 });
    play.handle = (_, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve(RETRY), { once: true }));
    await ended("a", "b", "c", "d", "e");
    expect(heard).toEqual(["a", "b", "c"]);
    expect(subscription.problems()).toEqual([]);
    shift.ms = 180_000;
    expect(reasons(subscription)).toContain("5 notifications pending");
    await subscription.close();
    expect(recorded).toEqual([]);
    expect(position()).toMatchObject({ state: { through: 5, open: [1, 2, 3, 4, 5] } });
  });

  it("waits as long as the receiver asks for", async () => {
    const { open, ended, play, heard, all } = await bench();
    await open();
    play.handle = async () => (heard.length === 1 ? { ...RETRY, pauseMs: 150 } : DONE);
    const start = performance.now();
    await ended("a");
    await all(1);
    expect(performance.now() - start).toBeGreaterThan(145);
  });

  it("does not handle again what it could not record, and records it when that works", async () => {
    const { open, ended, play, heard, all, troubles } = await bench();
    await open();
    let isFull = true;
    play.record = async () => {
      if (isFull) throw new Error("ENOSPC");
    };
    await ended("a/1", "a/2");
    await eventually(
      () => troubles.length,
      (count) => count > 2,
    );
    expect(heard).toEqual(["a/1"]);
    isFull = false;
    await all(2);
    expect(heard).toEqual(["a/1", "a/2"]);
  });
});

describe("the position of a durable subscriber", () => {
  it("leads over the files of several days", async () => {
    const { open, ended, shift, heard, all, files } = await bench();
    const first = await open();
    await first.close();
    for (let day = 0; day < 3; day++) {
      shift.ms = day * DAY_MS;
      await ended(`a/${day}-1`, `a/${day}-2`);
    }
    expect(files.names("events")).toHaveLength(3);
    await open();
    shift.ms = 3 * DAY_MS;
    await ended("a/3");
    await all(7);
    expect(heard).toEqual(heard.toSorted());
  });

  it("passes over what the log has no longer, such as what was purged", async () => {
    const { open, ended, play, shift, events, files, heard } = await bench();
    const first = await open();
    play.handle = async () => RETRY;
    await ended("gone/1", "gone/2");
    await eventually(
      () => heard.length,
      (count) => count > 1,
    );
    await first.close();
    shift.ms = DAY_MS;
    await ended("kept/1");
    await events.close();
    rmSync(join(files.root, "events", files.names("events")[0] ?? ""));
    const again = await openEventLog({
      files,
      clock: () => new Date(),
      nextId: timeSortedIds(() => new Date()),
      knownSeq: 3,
    });
    onTestFinished(() => again.close());
    const core = { events: again, files, clock: () => new Date() };
    const handled: string[] = [];
    const subscription = await subscribe({
      ...{ core, name: NAME, words: { title: "The hook", item: "notification" }, random: () => 0 },
      wants: ({ type }) => type === "run.ended",
      keyOf: ({ subject }) => subject.id,
      handle: async ({ subject }) => {
        handled.push(subject.id);
        return DONE;
      },
      onTrouble: () => undefined,
    });
    onTestFinished(() => subscription.close());
    await again.append(endOf("kept/2"));
    await eventually(
      () => handled.length,
      (count) => count === 2,
    );
    expect(handled).toEqual(["kept/1", "kept/2"]);
  });

  it("that is ahead of the log, because that lost its end, goes back to its end and misses nothing new", async () => {
    const { open, ended, heard, all, files, saved } = await bench();
    await writeSubscriber(files, NAME, { format: 1, through: 1_000, open: [900] });
    await ended("old/1");
    const subscription = await open();
    expect(reasons(subscription)).toContain("999 ahead of the log");
    await saved(1);
    await ended("new/1");
    await all(1);
    expect(heard).toEqual(["new/1"]);
  });

  it("passes over events of types that this version does not know", async () => {
    const { open, events, ended, heard, all, saved } = await bench();
    await open();
    await events.append(endOf("a/1", "run.teleported" as HallEvent["type"]));
    await ended("a/2");
    await all(1);
    expect(heard).toEqual(["a/2"]);
    await saved(2);
  });

  it("is saved now and then although nothing is for it, so that a start has little to read", async () => {
    const { open, events, position } = await bench();
    await open();
    await Promise.all(Array.from({ length: 1_000 }, () => events.append(endOf("a", "run.created"))));
    await eventually(position, (found) => found.is === "known" && found.state.through >= 1_000);
  });

  it.each([
    ["damaged", "{", /invalid format/],
    ["of a newer version", '{"format": 2, "cursor": "x"}', /format 2.*reads format 1/],
  ])("that is %s stops this subscriber, says so, and is left alone; nothing is lost", async (_, text, said) => {
    const { open, ended, heard, files, all } = await bench();
    await files.ensureFolder("state/subscribers");
    await files.replace(subscriberFile(NAME), text);
    const stopped = await open();
    await ended("a/1");
    await stopped.close();
    expect(stopped.problems()).toMatchObject([{ kind: "delivery", severity: "invalid", file: subscriberFile(NAME) }]);
    expect(reasons(stopped)).toMatch(said);
    expect(files.text(subscriberFile(NAME))).toBe(text);
    expect(heard).toEqual([]);
    await writeSubscriber(files, NAME, { format: 1, through: 0, open: [] });
    await open();
    await all(1);
  });
});
