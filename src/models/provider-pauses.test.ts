import { describe, expect, it } from "vitest";
import { ModelFailure, OverloadFailure } from "../contract/model-call.ts";
import type { KeptPause } from "./ledger-line.ts";
import { type Pause, ProviderPauses } from "./provider-pauses.ts";

const signal = new AbortController().signal;
const spent = (retryAfterMs?: number) => new ModelFailure("quota", "Nothing left.", retryAfterMs);

function pausesAt(start = 0, kept: KeptPause[] = []) {
  const time = { now: start };
  const written: KeptPause[] = [];
  const paused: Pause[] = [];
  const resumed: string[] = [];
  const slept: number[] = [];
  const pauses = new ProviderPauses({
    now: () => time.now,
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
    for (let call = 0; call < 5; call++) pauses.pause("own", spent(90_000));
    expect(paused).toMatchObject([{ provider: "own", until: new Date(90_000), reason: "Nothing left." }]);
    expect(pauses.standing("own")).toMatchObject({ provider: "own" });
    expect(pauses.standing("other")).toBeUndefined();
  });

  it("ends with one call that tries; the others follow when it is let through", async () => {
    const { pauses, time, resumed } = pausesAt();
    pauses.pause("own", spent(1_000));
    time.now = 1_000;
    expect(pauses.standing("own")).toBeUndefined();
    expect(pauses.standing("own")).toBeDefined();
    const other = pauses.over("own", signal);
    pauses.passed("own");
    await other;
    expect([resumed, pauses.standing("own"), pauses.all()]).toEqual([["own"], undefined, []]);
  });

  it("grows when nobody says how long it takes, and is not told again", async () => {
    const { pauses, paused, slept } = pausesAt();
    for (let call = 0; call < 8; call++) {
      pauses.pause("own", spent());
      await pauses.over("own", signal);
      expect(pauses.standing("own")).toBeUndefined();
    }
    expect(slept.map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(paused).toHaveLength(1);
  });

  it("goes on with another call when the one that tries gives up", () => {
    const { pauses, time } = pausesAt();
    pauses.pause("own", spent(1_000));
    time.now = 1_000;
    expect(pauses.standing("own")).toBeUndefined();
    pauses.gaveUp("own");
    expect(pauses.standing("own")).toBeUndefined();
    expect(pauses.standing("own")).toBeDefined();
  });

  it("is kept for another life, in which one call tries and the rest wait", () => {
    const { pauses, written } = pausesAt();
    pauses.pause("own", spent(1_000));
    expect(written).toEqual([
      { provider: "own", until: new Date(1_000).toISOString(), reason: "Nothing left.", tries: 1 },
    ]);
    const early = pausesAt(500, written);
    expect(early.pauses.standing("own")).toMatchObject({ until: new Date(1_000) });
    const late = pausesAt(5_000, written);
    expect(late.pauses.standing("own")).toBeUndefined();
    expect(late.pauses.standing("own")).toBeDefined();
    expect(late.paused).toEqual([]);
  });

  it("is forgotten a day later, and never lasts longer than a day, whatever the clock did", () => {
    const day = 86_400_000;
    const kept = [{ provider: "own", until: new Date(50 * day).toISOString(), reason: "", tries: 3 }];
    expect(pausesAt(51 * day, kept).pauses.all()).toEqual([]);
    expect(pausesAt(day, kept).pauses.all()).toMatchObject([{ until: new Date(2 * day) }]);
    const { pauses, time } = pausesAt(50 * day, kept);
    time.now = 0;
    expect(pauses.standing("own")).toBeUndefined();
  });

  it("lets go of whoever is cancelled", async () => {
    const { pauses, time } = pausesAt();
    pauses.pause("own", spent(1_000));
    time.now = 1_000;
    pauses.standing("own");
    const abort = new AbortController();
    const waiting = pauses.over("own", abort.signal);
    abort.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
  });
});

describe("a provider that has too much to do", () => {
  const overload = (retryAfterMs?: number) => new OverloadFailure("Too many requests.", retryAfterMs);

  it("is left to the usual tries of a call, and pauses after the last of them", () => {
    const { pauses } = pausesAt();
    expect(pauses.overloaded("own", overload(), false)).toBe(false);
    expect(pauses.standing("own")).toBeUndefined();
    expect(pauses.overloaded("own", overload(), true)).toBe(true);
    expect(pauses.standing("own")).toMatchObject({ reason: "Too many requests." });
  });

  it("is asked at growing distances up to a minute, or as it says, and told when it lasts", async () => {
    const { pauses, paused, resumed, slept } = pausesAt();
    for (let call = 0; call < 8; call++) {
      expect(pauses.overloaded("own", overload(call === 7 ? 90_000 : 1_000), call === 0)).toBe(true);
      expect(paused).toHaveLength(call < 3 ? 0 : 1);
      await pauses.over("own", signal);
      expect(pauses.standing("own")).toBeUndefined();
    }
    expect(slept.map((ms) => ms / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 90]);
    pauses.passed("own");
    expect(resumed).toEqual(["own"]);
  });

  it("that passes soon is not told at all", async () => {
    const { pauses, paused, resumed, written } = pausesAt();
    pauses.overloaded("own", overload(), true);
    await pauses.over("own", signal);
    expect(pauses.standing("own")).toBeUndefined();
    pauses.passed("own");
    expect([paused, resumed, written, pauses.all()]).toEqual([[], [], [], []]);
  });

  it("is given up after half an hour of nothing but refusals, by everybody who tries", async () => {
    const { pauses, time } = pausesAt();
    let tries = 0;
    while (pauses.overloaded("own", overload(), true)) {
      tries++;
      await pauses.over("own", signal);
      expect(pauses.standing("own")).toBeUndefined();
    }
    expect([tries > 30, time.now >= 1_800_000, time.now < 1_900_000]).toEqual([true, true, true]);
    expect(pauses.standing("own")).toBeUndefined();
    expect(pauses.overloaded("own", overload(), true)).toBe(false);
    time.now += 3_600_000;
    expect(pauses.standing("own")).toBeUndefined();
    expect(pauses.overloaded("own", overload(), true)).toBe(true);
  });
});
