import { describe, expect, it } from "vitest";
import type { TriggerLate } from "../../contract/documents/autonomy/trigger.ts";
import { plan } from "./planner.ts";
import { scheduleOf } from "./schedule.ts";
import { emptyState, fold, type TriggerState } from "./trigger-state.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGAN = Date.parse("2026-10-19T00:00:00.000Z");

/** A trigger with a clock of its own: looks at every moment it is told to, and notes what fired and was skipped. */
function life(
  on: { cron?: string; timezone?: string; interval?: string },
  late: Partial<TriggerLate> = {},
  began = BEGAN,
) {
  const state: TriggerState = emptyState();
  fold(state, { type: "began", at: new Date(began).toISOString(), source: "1" });
  const schedule = scheduleOf(on, began);
  if (schedule === undefined) throw new Error("no schedule");
  const fired: number[] = [];
  let ids = 0;
  let clock = began;
  const look = (now: number, lastsMs = 0): number | undefined => {
    clock = now;
    const at = new Date(now).toISOString();
    const planned = plan(schedule, { late: { policy: "once", within: "1d", ...late }, state, now });
    for (const { through, ...skip } of planned.skips)
      fold(state, { type: "skipped", at, ...skip, through: new Date(through).toISOString() });
    if (planned.rewind) {
      fold(state, { type: "rewound", at });
      return look(now, lastsMs);
    }
    if (planned.fire === undefined) return planned.nextAt;
    fired.push(planned.fire);
    const id = `firing-${++ids}`;
    fold(state, { type: "fired", at, id, cause: "schedule", slot: new Date(planned.fire).toISOString() });
    fold(state, { type: "ended", at: new Date(now + lastsMs).toISOString(), id, outcome: "quiet" });
    return look(now + lastsMs, lastsMs);
  };
  return {
    state,
    fired,
    look,
    latest: () => clock,
    schedule,
    shown: () => fired.map((slot) => new Date(slot).toISOString().slice(0, 16)),
  };
}

describe("what is due", () => {
  it("accounts for each slot of a simulated week once, with the machine asleep, restarts and clocks that change [S4-SCOPE-14]", () => {
    let seed = 7;
    const chance = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (const on of [
      { cron: "0 * * * *", timezone: "Europe/Berlin" },
      { cron: "30 2 * * *", timezone: "Europe/Berlin" },
      { interval: "45m" },
    ])
      for (const policy of ["skip", "once", "all"] as const) {
        const { look, latest, fired, state, schedule } = life(on, { policy, within: "6h" });
        const end = BEGAN + 8 * DAY;
        let now = BEGAN;
        while (now < end) {
          // The daemon sleeps until the next slot, or the machine for longer; firings take their time.
          const lasts = chance() < 0.3 ? chance() * HOUR : 0;
          const next = look(now, lasts) ?? end;
          now = Math.max(next, latest()) + (chance() < 0.05 ? chance() * 30 * HOUR : chance() * 1_000);
        }
        let expected = 0;
        for (let at = schedule.next(BEGAN); at !== undefined && at <= state.through; at = schedule.next(at)) expected++;
        const skipped = state.skips.reduce((sum, { count }) => sum + count, 0);
        expect(new Set(fired).size, JSON.stringify([on, policy])).toBe(fired.length);
        expect(fired.length + skipped, JSON.stringify([on, policy])).toBe(expected);
      }
  });

  it("catches missed slots up by the policy: none, one, or the newest five, oldest first", () => {
    const asleep = BEGAN + 3 * DAY + HOUR / 2;
    const cases = { skip: 0, once: 1, all: 5 };
    for (const policy of ["skip", "once", "all"] as const) {
      const { look, fired, state } = life({ interval: "4h" }, { policy, within: "7d" });
      look(asleep);
      expect(fired).toHaveLength(cases[policy]);
      expect(fired).toEqual(fired.toSorted());
      expect(state.skips.reduce((sum, { count }) => sum + count, 0)).toBe(18 - cases[policy]);
    }
    const late = life({ interval: "4h" }, { policy: "all", within: "4h" });
    late.look(asleep);
    expect(late.fired).toHaveLength(1);
    expect(late.state.skips[0]).toMatchObject({ reason: "too-late", count: 17 });
  });

  it("fires no slot twice when the clock is set back, and goes on after one that was years ahead", () => {
    const { look, fired } = life({ cron: "0 * * * *", timezone: "UTC" });
    look(BEGAN + 2 * HOUR);
    look(BEGAN + HOUR + 60_000);
    look(BEGAN + 2 * HOUR + 1);
    expect(fired).toEqual([BEGAN + 2 * HOUR]);
    look(BEGAN + 3_650 * DAY);
    expect(fired).toHaveLength(2);
    look(BEGAN + 3 * HOUR - 60_000);
    look(BEGAN + 3 * HOUR);
    expect(fired.slice(2)).toEqual([BEGAN + 3 * HOUR]);
  });

  it("fires none of thousands of slots twice when the clock is set back by two days, and skips none that fired", () => {
    for (const policy of ["skip", "once", "all"] as const) {
      const { look, fired, state } = life({ interval: "1m" }, { policy });
      const through = (from: number, to: number) => {
        for (let at = from; at <= to; at += 60_000) look(at);
      };
      through(BEGAN, BEGAN + 2 * DAY);
      look(BEGAN + 2 * DAY + HOUR);
      const missed = state.skips.reduce((sum, { count }) => sum + count, 0);
      through(BEGAN + 60_000, BEGAN + 2 * DAY + 2 * HOUR);
      expect(new Set(fired).size).toBe(fired.length);
      expect(fired).toHaveLength((2 * DAY + 2 * HOUR) / 60_000);
      expect(state.skips.reduce((sum, { count }) => sum + count, 0)).toBe(missed);
    }
  });

  it("skips slots that come while a firing is under way, and says so", () => {
    const { look, fired, state } = life({ interval: "10m" }, { policy: "all" });
    look(BEGAN + 10 * 60_000, 35 * 60_000);
    expect(fired).toHaveLength(1);
    expect(state.skips).toMatchObject([{ reason: "in-flight", count: 3 }]);
  });

  it("fires once a day on days on which clocks change, and each hour of a job of every hour", () => {
    const spring = Date.parse("2026-03-28T12:00:00Z");
    const autumn = Date.parse("2026-10-24T12:00:00Z");
    const over = (on: { cron: string; timezone: string }, from: number, hours: number) => {
      const one = life(on, {}, from);
      for (let at = one.look(from); at !== undefined && at <= from + hours * HOUR; ) at = one.look(at);
      return one.shown();
    };
    const nightly = { cron: "30 2 * * *", timezone: "Europe/Berlin" };
    expect(over(nightly, spring, 36)).toEqual(["2026-03-29T01:30"]);
    expect(over(nightly, autumn, 36)).toEqual(["2026-10-25T00:30"]);
    expect(over({ cron: "30 * * * *", timezone: "Europe/Berlin" }, autumn, 24)).toHaveLength(24);
    expect(over({ cron: "0 * * * *", timezone: "Europe/Berlin" }, spring, 24)).toHaveLength(24);
    expect(over({ cron: "*/30 0-23 * * *", timezone: "Europe/Berlin" }, autumn, 24)).toHaveLength(48);
  });
});
