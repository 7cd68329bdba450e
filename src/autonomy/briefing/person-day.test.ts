import { describe, expect, it } from "vitest";
import { dayAfter, dayOf, minutesOf, momentOf, timeOf } from "./person-day.ts";

const BERLIN = "Europe/Berlin";

describe("a day where the person lives", () => {
  it.each([
    ["2026-03-01T22:59:00Z", "UTC", "2026-03-01"],
    ["2026-03-01T23:30:00Z", BERLIN, "2026-03-02"],
    ["2026-03-01T09:59:00Z", "Pacific/Kiritimati", "2026-03-01"],
    ["2026-03-01T10:01:00Z", "Pacific/Kiritimati", "2026-03-02"],
    ["2026-03-01T10:59:00Z", "Pacific/Pago_Pago", "2026-02-28"],
  ])("at %s in %s is %s", (at, timezone, day) => {
    expect(dayOf(new Date(at), timezone)).toBe(day);
  });

  it.each([
    ["2026-01-15", "08:00", BERLIN, "2026-01-15T07:00:00.000Z"],
    ["2026-07-15", "08:00", BERLIN, "2026-07-15T06:00:00.000Z"],
    // The clocks go forward at 02:00 and back at 03:00.
    ["2026-03-29", "08:00", BERLIN, "2026-03-29T06:00:00.000Z"],
    ["2026-03-29", "02:30", BERLIN, "2026-03-29T01:00:00.000Z"],
    ["2026-10-25", "02:30", BERLIN, "2026-10-25T00:30:00.000Z"],
    ["2026-10-25", "08:00", BERLIN, "2026-10-25T07:00:00.000Z"],
    ["2026-03-08", "02:15", "America/New_York", "2026-03-08T07:00:00.000Z"],
    ["2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    ["2026-06-01", "00:00", "Asia/Kathmandu", "2026-05-31T18:15:00.000Z"],
    // Samoa had no 30 December 2011.
    ["2011-12-30", "08:00", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s %s in %s is %s", (day, time, timezone, at) => {
    expect(momentOf(day, minutesOf(time), timezone).toISOString()).toBe(at);
  });

  it("counts days by the calendar and shows the time of its clocks", () => {
    expect([dayAfter("2026-02-28"), dayAfter("2024-02-28"), dayAfter("2026-01-01", -1)]).toEqual([
      "2026-03-01",
      "2024-02-29",
      "2025-12-31",
    ]);
    expect(timeOf(new Date("2026-07-15T22:05:00Z"), BERLIN)).toBe("00:05");
  });
});
