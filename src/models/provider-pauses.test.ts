import { describe, expect, it } from "vitest";
import type { KeptPause } from "../contract/runs/ledger.ts";
import { ModelFailure, PassingFailure } from "../contract/runs/model-call.ts";
import { type Pause, ProviderPauses, type Trouble } from "./provider-pauses.ts";

const signal = new AbortController().signal;
const call = {};
const spent = (retryAfterMs?: number) => new ModelFailure("quota", "Nothing left.", retryAfterMs);

const met = (isLast: boolean, more: Partial<Trouble> = {}): Trouble => ({
  ...{ call, since: 0, recently: 0, rounds: 0, isLast },
  ...more,
});

function pausesAt(start = 0, kept: KeptPause[] = []) {
  const time = { now: start };
  const written: KeptPause[] = [];
  const paused: Pause[] = [];
  const resumed: string[] = [];
  const slept: number[] = [];
  const pauses = new ProviderPauses({
    now: () => time.now,
    uptime: () => time.now,
    sleep: async (ms) => {
      slept.push(ms);
      time.now += ms;
    },
    onPaused: (pause) => paused.push(pause),
    onResumed: (provider) => resumed.push(provider),
    kept,
    keep: (pause) => written.push(pause),
  });
  return { pauses, time, paused, resumed, slept, written };
}

describe("a provider's pause", () => {
  it("is told once, however many calls meet it, and is about that provider alone", () => {
    const { pauses, paused } = pausesAt();
    for (let round = 0; round < 5; round++) pauses.pause("own", spent(90_000));
    expect(paused).toMatchObject([{ provider: "own", until: new Date(90_000), reason: "Nothing left." }]);
    expect(pauses.standing("own", call)).toMatchObject({ provider: "own" });
    expect(pauses.standing("other", call)).toBeUndefined();
  });

  it("ends with one call that tries; the others follow when it is let through", async () => {
    const { pauses, time, resumed } = pausesAt();
    pauses.pause("own", spent(1_000));
    time.now = 1_000;
    expect(pauses.standing("own", call)).toBeUndefined();
    expect(pauses.standing("own", call)).toBeDefined();
    const other = pauses.over("own", call, signal);
    pauses.passed("own");
    await other;
    expect([resumed, pauses.standing("own", call), pauses.all()]).toEqual([["own"], undefined, []]);
  });

  it("grows when nobody says how long it takes, and is not told again", async () => {
    const { pauses, paused, slept } = pausesAt();
    for (let round = 0; round < 8; round++) {
      pauses.pause("own", spent());
      await pauses.over("own", call, signal);
      expect(pauses.standing("own", call)).toBeUndefined();
    }
    expect(slept.every((ms) => ms === 60_000)).toBe(true);
    expect(slept).toHaveLength(1 + 2 + 4 + 8 + 16 + 30 + 30 + 30);
    expect(paused).toHaveLength(1);
  });

  it("goes on with another call when the one that tries gives up", () => {
    const { pauses, time } = pausesAt();
    pauses.pause("own", spent(1_000));
    time.now = 1_000;
    expect(pauses.standing("own", call)).toBeUndefined();
    pauses.gaveUp("own");
    expect(pauses.standing("own", call)).toBeUndefined();
    expect(pauses.standing("own", call)).toBeDefined();
  });

  it("is kept for another life, in which one call tries and the rest wait", () => {
    const { pauses, written } = pausesAt();
    pauses.pause("own", spent(1_000));
    expect(written).toEqual([
      { provider: "own", until: new Date(1_000).toISOString(), reason: "Nothing left.", tries: 1 },
    ]);
    const early = pausesAt(500, written);
    expect(early.pauses.standing("own", call)).toMatchObject({ until: new Date(1_000) });
    const late = pausesAt(5_000, written);
    expect(late.pauses.standing("own", call)).toBeUndefined();
    expect(late.pauses.standing("own", call)).toBeDefined();
    expect(late.paused).toEqual([]);
  });

  it("is forgotten a day later, and never lasts longer than a day, whatever the clock did", () => {
    const day = 86_400_000;
    const kept = [{ provider: "own", until: new Date(50 * day).toISOString(), reason: "", tries: 3 }];
    expect(pausesAt(51 * day, kept).pauses.all()).toEqual([]);
    expect(pausesAt(day, kept).pauses.all()).toMatchObject([{ until: new Date(2 * day) }]);
  });

  it("lets go of whoever is cancelled", async () => {
    const { pauses, time } = pausesAt();
    pauses.pause("own", spent(1_000));
    time.now = 1_000;
    pauses.standing("own", call);
    const abort = new AbortController();
    const waiting = pauses.over("own", call, abort.signal);
    abort.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
  });
});

describe("a provider that has too much to do", () => {
  const overload = (retryAfterMs?: number) => new PassingFailure("overloaded", "Too many requests.", { retryAfterMs });

  it("is left to the usual tries of a call, and pauses after the last of them", () => {
    const { pauses } = pausesAt();
    expect(pauses.putOff("own", overload(), met(false))).toBe(false);
    expect(pauses.standing("own", call)).toBeUndefined();
    expect(pauses.putOff("own", overload(), met(true))).toBe(true);
    expect(pauses.standing("own", call)).toMatchObject({ reason: "Too many requests." });
  });

  it("is asked at growing distances up to a minute, or as it says, and told when it lasts", async () => {
    const { pauses, paused, resumed, slept } = pausesAt();
    for (let round = 0; round < 8; round++) {
      expect(pauses.putOff("own", overload(round === 7 ? 90_000 : 1_000), met(round === 0))).toBe(true);
      expect(paused).toHaveLength(round < 3 ? 0 : 1);
      await pauses.over("own", call, signal);
      expect(pauses.standing("own", call)).toBeUndefined();
    }
    expect(slept.map((ms) => ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 30]);
    pauses.passed("own");
    expect(resumed).toEqual(["own"]);
  });

  it("is asked again soon when nobody asked it for a while", async () => {
    const { pauses, time, slept } = pausesAt();
    for (const idleMs of [0, 0, 0, 300_000, 300_001]) {
      time.now += idleMs;
      expect(pauses.putOff("own", overload(), met(true, { since: time.now, recently: time.now }))).toBe(true);
      await pauses.over("own", call, signal);
      expect(pauses.standing("own", call)).toBeUndefined();
    }
    expect(slept).toEqual([1_000, 2_000, 4_000, 8_000, 1_000]);
  });

  it("that passes soon is not told at all", async () => {
    const { pauses, paused, resumed, written } = pausesAt();
    pauses.putOff("own", overload(), met(true));
    await pauses.over("own", call, signal);
    expect(pauses.standing("own", call)).toBeUndefined();
    pauses.passed("own");
    expect([paused, resumed, written, pauses.all()]).toEqual([[], [], [], []]);
  });
});

describe("a provider that does not answer", () => {
  const day = 86_400_000;
  const away = () => new PassingFailure("unreachable", "Connection refused.");
  const failing = () => new PassingFailure("failing", "Answered 500.", { kind: "busy" });

  it("is waited for as long as it takes, however long that is", async () => {
    const { pauses, time } = pausesAt();
    while (time.now < 3 * day) {
      expect(pauses.putOff("own", away(), met(true))).toBe(true);
      await pauses.over("own", call, signal);
      expect(pauses.standing("own", call)).toBeUndefined();
    }
    expect(pauses.all()).toMatchObject([{ waitsFor: "network" }]);
  });

  it("is not waited for by a call that fails while others are answered, nor by one that it never answered for a day", () => {
    const { pauses, time } = pausesAt();
    time.now = 5_000;
    expect(pauses.putOff("own", failing(), met(true))).toBe(true);
    pauses.answered("own");
    expect(pauses.standing("own", call)).toBeUndefined();
    expect(pauses.putOff("own", failing(), met(false, { recently: 4_000 }))).toBe(false);
    expect(pauses.putOff("own", failing(), met(true, { recently: 4_000 }))).toBe(false);
    expect(pauses.putOff("own", failing(), met(true, { recently: 6_000 }))).toBe(true);
    expect(pauses.putOff("own", failing(), met(false, { recently: 6_000, rounds: 3 }))).toBe(false);
    time.now = day;
    expect(pauses.putOff("own", failing(), met(true, { recently: day }))).toBe(false);
    expect(pauses.putOff("own", away(), met(true, { recently: day }))).toBe(true);
  });

  it("is tried by a call that has not failed yet before one that has", async () => {
    const { pauses, time } = pausesAt();
    const other = {};
    pauses.putOff("own", failing(), met(true));
    expect([pauses.standing("own", call), pauses.standing("own", other)]).toMatchObject([{}, {}]);
    time.now = 60_000;
    expect(pauses.standing("own", call)).toBeDefined();
    expect(pauses.standing("own", other)).toBeUndefined();
    pauses.gaveUp("own");
    expect(pauses.standing("own", call)).toBeUndefined();
  });

  it("is taken for back as soon as a call that was under way is answered", async () => {
    const { pauses, time } = pausesAt();
    pauses.putOff("own", failing(), met(true));
    const waiting = pauses.over("own", call, new AbortController().signal);
    pauses.answered("own");
    await waiting;
    expect([pauses.standing("own", call), time.now < 2_000]).toEqual([undefined, true]);
  });
});

describe("a clock that jumps", () => {
  const day = 86_400_000;

  it.each([
    ["back", -day, 60_000],
    ["forward", day, 0],
  ])("%s a day makes no pause longer", (_, jump, left) => {
    const time = { now: 10 * day, up: 0 };
    const pauses = new ProviderPauses({
      now: () => time.now,
      uptime: () => time.up,
      sleep: async () => undefined,
      onPaused: () => undefined,
      onResumed: () => undefined,
      kept: [],
      keep: () => undefined,
    });
    pauses.pause("own", spent(60_000));
    time.now += jump;
    expect(pauses.standing("own", call) === undefined).toBe(left === 0);
    time.up += 60_000;
    if (left > 0) expect(pauses.standing("own", call)).toBeUndefined();
  });
});
