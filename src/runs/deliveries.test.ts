import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../../test/harness/daemon.ts";
import type { EventDraft } from "../contract/event.ts";
import { Files } from "../store/files.ts";
import { timeSortedIds } from "../store/ids.ts";
import { EventLog } from "../workspace/event-log.ts";
import { STATE_FOLDER } from "../workspace/layout.ts";
import { Deliveries, type Pace } from "./deliveries.ts";
import type { Attempt, Notification } from "./webhook.ts";

const DAY_MS = 86_400_000;
const QUICK: Partial<Pace> = { firstPauseMs: 2, longestPauseMs: 20, saveMs: 1 };

/** A log, a clock that can be moved, and a receiver that answers as it is told. */
async function bench(folder = temporaryFolder()) {
  const files = new Files(folder);
  await files.ensureFolder(STATE_FOLDER);
  const shift = { ms: 0 };
  const clock = () => new Date(Date.now() + shift.ms);
  const events = await EventLog.open({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  onTestFinished(() => events.close());
  const posted: { run: string; key: string; at: number }[] = [];
  let answer: (note: Notification) => Attempt | Promise<Attempt> = () => ({ kind: "delivered", status: 200 });
  const webhook = {
    origin: "http://receiver",
    post: async (key: string, note: Notification) => {
      posted.push({ run: note.run, key, at: performance.now() });
      return answer(note);
    },
  };
  const open = async (pace: Partial<Pace> = {}) => {
    const core = { events, files, clock };
    const onTrouble = (_: string, error: unknown) => {
      throw error;
    };
    const deliveries = await Deliveries.open({
      core,
      webhook,
      random: () => 0,
      onTrouble,
      pace: { ...QUICK, ...pace },
    });
    onTestFinished(() => deliveries.close());
    return deliveries;
  };
  const play = (next: typeof answer) => {
    answer = next;
  };
  const ended = (run: string) => events.append(endOf(run));
  const outcomes = () => events.read({ after: 0, limit: 10_000, type: "notification" });
  return { open, play, ended, outcomes, posted, shift, folder };
}

function endOf(run: string): EventDraft {
  return {
    type: "run.ended",
    actor: { kind: "agent", id: run, via: "daemon" },
    projectId: "shop",
    subject: { kind: "run", id: run },
    after: { status: "completed", taskId: "TASK-001", summary: "Done.", notify: true },
  };
}

const postponed: Attempt = { kind: "postponed", reason: "it answered 503" };

describe("deliveries", () => {
  it("to a receiver that is away are held in memory only up to a limit, and all arrive when it is back", async () => {
    const { open, play, ended, outcomes, posted } = await bench();
    await open({ window: 5, atOnce: 2 });
    play(() => postponed);
    for (let count = 0; count < 40; count++) await ended(`run-${count}`);
    await eventually(
      () => posted.length,
      (count) => count > 30,
    );
    expect(new Set(posted.map(({ run }) => run)).size).toBe(5);
    play(() => ({ kind: "delivered", status: 200 }));
    await eventually(
      () => outcomes().length,
      (count) => count === 40,
    );
    expect(new Set(outcomes().map(({ subject }) => subject.id)).size).toBe(40);
    expect(new Set(posted.map(({ key }) => key)).size).toBe(40);
  });

  it("do not wait for one that fails again and again, and wait longer for it each time", async () => {
    const { open, play, ended, outcomes, posted } = await bench();
    await open({ firstPauseMs: 20, longestPauseMs: 10_000 });
    play(({ run }) => (run === "run-bad" ? postponed : { kind: "delivered", status: 200 }));
    await ended("run-bad");
    for (let count = 0; count < 20; count++) await ended(`run-${count}`);
    await eventually(
      () => outcomes().length,
      (count) => count === 20,
    );
    const tries = () => posted.filter(({ run }) => run === "run-bad").map(({ at }) => at);
    await eventually(
      () => tries().length,
      (count) => count === 5,
    );
    const pauses = tries()
      .slice(1)
      .map((at, place) => at - (tries()[place] ?? 0));
    expect(pauses[3]).toBeGreaterThan(75);
  });

  it("are made at most so many at once", async () => {
    const { open, play, ended, posted } = await bench();
    await open({ atOnce: 3 });
    const held: (() => void)[] = [];
    play(() => new Promise((resolve) => held.push(() => resolve({ kind: "delivered", status: 200 }))));
    for (let count = 0; count < 10; count++) await ended(`run-${count}`);
    expect(posted).toHaveLength(3);
    for (const release of held) release();
    await eventually(
      () => posted.length,
      (count) => count === 6,
    );
    for (const release of held) release();
    play(() => ({ kind: "delivered", status: 200 }));
  });

  it("are given up a day after what they tell of, which stays known until one arrives", async () => {
    const { open, play, ended, outcomes, posted, shift } = await bench();
    const deliveries = await open();
    play(() => postponed);
    await ended("run-old");
    await eventually(
      () => posted.length,
      (count) => count > 3,
    );
    expect(outcomes()).toEqual([]);
    shift.ms = DAY_MS + 1_000;
    const [failed] = await eventually(outcomes, (found) => found.length === 1);
    expect(failed).toMatchObject({ type: "notification.failed", after: { reason: "it answered 503" } });
    expect(deliveries.givenUp).toMatchObject({ count: 1, reason: "it answered 503" });
    play(() => ({ kind: "delivered", status: 200 }));
    await ended("run-new");
    await eventually(outcomes, (found) => found.length === 2);
    expect(deliveries.givenUp).toBeUndefined();
  });

  it("that are done are not made again in another life, although an older one is still open", async () => {
    const { open, play, ended, outcomes, posted } = await bench();
    const first = await open();
    play(({ run }) => (run === "run-stuck" ? postponed : { kind: "delivered", status: 200 }));
    for (const run of ["run-a", "run-stuck", "run-b"]) await ended(run);
    await eventually(outcomes, (found) => found.length === 2);
    await first.close();
    play(() => ({ kind: "delivered", status: 200 }));
    posted.length = 0;
    await ended("run-while-down");
    await open();
    await eventually(outcomes, (found) => found.length === 4);
    expect(posted.map(({ run }) => run)).toEqual(["run-stuck", "run-while-down"]);
  });
});
