import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JournalEntry } from "../contract/runs/journal.ts";
import { Deadline, timeTaken, timeUsed } from "./run-time.ts";

const at = (second: number) => new Date(second * 1_000).toISOString();
const started = (second: number): JournalEntry => ({ type: "started", epoch: 1, at: at(second) });
const answer = (second: number, tool?: string): JournalEntry => ({
  type: "answer",
  text: "",
  ...(tool === undefined ? {} : { calls: [{ id: "1", name: tool, input: "{}" }] }),
  finish: "end",
  model: "m",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  costUsd: 0,
  at: at(second),
});

describe("time used", () => {
  it("counts from a start to the last answer", () => {
    expect(timeUsed([])).toBe(0);
    expect(timeUsed([started(0), answer(3, "read"), answer(10)])).toBe(10_000);
  });

  it("does not count the time in which the hall was down", () => {
    expect(timeUsed([started(0), answer(3), started(1_000), answer(1_002)])).toBe(5_000);
  });

  it.each(["spawn_subagent", "delegate"])(
    "does not count the time in which the run waited for its children: %s",
    (tool) => {
      expect(timeUsed([started(0), answer(2, tool), answer(500), answer(501)])).toBe(3_000);
    },
  );

  it("does not count the time in which the run waited for money", () => {
    const waiting: JournalEntry = { type: "waiting", reason: "budget", text: "", at: at(2) };
    const resumed: JournalEntry = { type: "resumed", at: at(500) };
    expect(timeUsed([started(0), waiting, resumed, answer(503)])).toBe(5_000);
    expect(timeUsed([started(0), waiting, started(900), answer(901)])).toBe(3_000);
  });

  it("is never less than nothing when a clock went back", () => {
    expect(timeUsed([started(100), answer(40)])).toBe(0);
  });
});

describe("a clock that is set while a run works", () => {
  const day = 86_400;
  const ended = (second: number, up?: number): JournalEntry => ({
    ...{ type: "ended", epoch: 1, end: { status: "cancelled", error: "" }, at: at(second) },
    ...(up === undefined ? {} : { up }),
  });

  it.each([
    ["forward", day],
    ["back", -day],
  ])("a day %s changes nothing about how long it took, nor about what is left of its time", (_, jump) => {
    const life = [started(100_000), { ...answer(100_000 + jump + 2), up: 2_000 }, ended(100_000 + jump + 3, 3_000)];
    expect([timeTaken(life), timeUsed(life)]).toEqual([3_000, 2_000]);
    const lives = [...life.slice(0, 2), started(200_000), { ...answer(200_000 - jump), up: 500 }, ended(200_000, 700)];
    expect([timeTaken(lives), timeUsed(lives)]).toEqual([2_700, 2_500]);
  });

  it("never makes a run of an older journal take less than nothing", () => {
    expect(timeTaken([started(100), answer(40), ended(45)])).toBe(5_000);
    expect(timeTaken([started(0), answer(3), started(1_000), ended(1_002)])).toBe(5_000);
  });
});

describe("a deadline", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is over when its time is", () => {
    const onOver = vi.fn();
    new Deadline(1_000, onOver);
    vi.advanceTimersByTime(999);
    expect(onOver).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onOver).toHaveBeenCalledOnce();
  });

  it("stands still during pauses, however they overlap", async () => {
    const onOver = vi.fn();
    const deadline = new Deadline(1_000, onOver);
    vi.advanceTimersByTime(600);
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const pauses = [deadline.pauseDuring(() => first.promise), deadline.pauseDuring(() => second.promise)];
    vi.advanceTimersByTime(5_000);
    first.resolve("one");
    expect(await pauses[0]).toBe("one");
    vi.advanceTimersByTime(5_000);
    second.reject(new Error("two"));
    await expect(pauses[1]).rejects.toThrow("two");
    vi.advanceTimersByTime(399);
    expect(onOver).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onOver).toHaveBeenCalledOnce();
  });

  it("that was cleared is never over, not even after a pause", async () => {
    const onOver = vi.fn();
    const deadline = new Deadline(1_000, onOver);
    const { promise, resolve } = Promise.withResolvers<void>();
    const pause = deadline.pauseDuring(() => promise);
    deadline.clear();
    resolve();
    await pause;
    vi.advanceTimersByTime(10_000);
    expect(onOver).not.toHaveBeenCalled();
  });
});
