import { describe, expect, it } from "vitest";
import { periodOf, slotAt } from "./slot.ts";

const HOUR = { minutes: 8 * 60, timezone: "Europe/Berlin" };
const due = (at: string, made: string[]) => slotAt(new Date(at), HOUR, made).due;

describe("the hour of the briefing", () => {
  it("is due once a day, from its hour on [S4-BRIEF-06]", () => {
    expect(due("2026-03-02T06:59:00Z", ["2026-03-01"])).toBeUndefined();
    expect(due("2026-03-02T07:00:00Z", ["2026-03-01"])).toBe("2026-03-02");
    expect(due("2026-03-02T07:00:01Z", ["2026-03-01", "2026-03-02"])).toBeUndefined();
  });

  it("is made up for once after three days of sleep, for the last day only", () => {
    expect(due("2026-03-05T12:00:00Z", ["2026-03-01"])).toBe("2026-03-05");
    expect(due("2026-03-05T05:00:00Z", ["2026-03-01"])).toBe("2026-03-04");
    expect(due("2026-03-05T05:00:00Z", ["2026-03-01", "2026-03-04"])).toBeUndefined();
  });

  it("does not look back before the first one ever", () => {
    expect(due("2026-03-05T05:00:00Z", [])).toBeUndefined();
    expect(due("2026-03-05T12:00:00Z", [])).toBe("2026-03-05");
  });

  it("makes no second one when the clock is set back, and goes on when it was years ahead", () => {
    expect(due("2026-03-02T09:00:00Z", ["2026-03-02", "2026-03-03"])).toBeUndefined();
    expect(due("2026-03-04T09:00:00Z", ["2026-03-02", "2031-01-01"])).toBe("2026-03-04");
  });

  it("is at the same time of day before and after the clocks change", () => {
    expect(slotAt(new Date("2026-03-28T12:00:00Z"), HOUR, ["2026-03-28"]).next.toISOString()).toBe(
      "2026-03-29T06:00:00.000Z",
    );
    expect(slotAt(new Date("2026-10-24T12:00:00Z"), HOUR, ["2026-10-24"]).next.toISOString()).toBe(
      "2026-10-25T07:00:00.000Z",
    );
  });

  it("covers the time since the hour of the day before, at most until the end of the day", () => {
    const period = (day: string, now: string) => {
      const { from, until } = periodOf(day, HOUR, new Date(now));
      return [from.toISOString(), until.toISOString()];
    };
    expect(period("2026-03-02", "2026-03-02T07:00:00Z")).toEqual([
      "2026-03-01T07:00:00.000Z",
      "2026-03-02T07:00:00.000Z",
    ]);
    expect(period("2026-03-29", "2026-04-07T07:00:00Z")).toEqual([
      "2026-03-28T07:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
  });
});
