import { describe, expect, it } from "vitest";
import { scheduleOf } from "./schedule.ts";

const HOUR = 3_600_000;

/** Nights on which clocks change: by an hour, by half of one, by two, and at midnight. */
const NIGHTS: [string, string][] = [
  ["Europe/Berlin", "2026-03-28T22:00:00Z"],
  ["Europe/Berlin", "2026-10-24T21:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T12:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T12:00:00Z"],
  ["Antarctica/Troll", "2026-03-28T22:00:00Z"],
  ["Antarctica/Troll", "2026-10-24T22:00:00Z"],
  ["Africa/Cairo", "2026-04-23T18:00:00Z"],
  ["America/Havana", "2026-10-31T23:00:00Z"],
  ["Pacific/Chatham", "2026-09-26T10:00:00Z"],
];

function slotsOf(on: { cron: string; timezone: string }, from: number, hours: number): number[] {
  const schedule = scheduleOf(on, 0);
  const slots: number[] = [];
  for (let at = schedule?.next(from); at !== undefined && at <= from + hours * HOUR; at = schedule?.next(at))
    slots.push(at);
  return slots;
}

describe("slots of a cron", () => {
  it("are the same whenever they are asked for, also between a time that was left out and its slot", () => {
    for (const [timezone, start] of NIGHTS)
      for (const cron of ["30 2 * * *", "15 0 * * *", "45 1 * * *", "*/10 1-3 * * *", "0 */3 * * *", "*/15 * * * *"]) {
        const on = { cron, timezone };
        const from = Date.parse(start);
        const slots = slotsOf(on, from, 60);
        const schedule = scheduleOf(on, 0);
        for (let at = from; at < from + 20 * HOUR; at += 417_000)
          expect({ on, at, next: schedule?.next(at) }).toEqual({ on, at, next: slots.find((slot) => slot > at) });
      }
  });

  it("come once on each day, and of a job of every hour whenever the clock shows its minute", () => {
    for (const [timezone, start] of NIGHTS) {
      const from = Date.parse(start);
      const format = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "short" });
      const minutes = Array.from({ length: 72 * 60 }, (_, index) => from + (index + 1) * 60_000);
      const days = [...new Set(minutes.map((at) => format.format(at).slice(0, 10)))].slice(1, -1);
      for (const cron of ["30 2 * * *", "0 0 * * *", "30 0 * * *", "0 2 * * *", "45 1 * * *", "0 3 * * *"]) {
        const slots = slotsOf({ cron, timezone }, from, 72).map((at) => format.format(at).slice(0, 10));
        expect([timezone, cron, slots.filter((day) => days.includes(day))]).toEqual([timezone, cron, days]);
      }
      const shown = minutes.filter((at) => format.format(at).endsWith(":30"));
      expect([timezone, slotsOf({ cron: "30 * * * *", timezone }, from, 72)]).toEqual([timezone, shown]);
    }
  });

  it.each([
    ["30 1 29 2 *", "Pacific/Kiritimati", "2026-01-01T00:00:00Z", "2028-02-28T11:30:00.000Z"],
    ["0 0 1 1 *", "Etc/GMT+12", "2026-06-01T00:00:00Z", "2027-01-01T12:00:00.000Z"],
    ["0 12 L 2 *", "Asia/Kathmandu", "2026-06-01T00:00:00Z", "2027-02-28T06:15:00.000Z"],
    ["0 12 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", "2011-12-30T22:00:00.000Z"],
  ])("%s in %s", (cron, timezone, after, next) => {
    expect(new Date(scheduleOf({ cron, timezone }, 0)?.next(Date.parse(after)) ?? 0).toISOString()).toBe(next);
  });
});

describe("slots of an interval", () => {
  it("come also before the moment it began, for a clock that was ahead then", () => {
    const since = Date.parse("2026-12-01T00:00:00Z");
    const schedule = scheduleOf({ interval: "6h" }, since);
    expect(schedule?.next(since - 30 * 24 * HOUR)).toBe(since - 30 * 24 * HOUR + 6 * HOUR);
    expect(schedule?.count?.(since - 12 * HOUR, since + 12 * HOUR)).toBe(4);
  });
});
