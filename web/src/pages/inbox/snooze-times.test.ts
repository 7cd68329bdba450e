import { expect, test } from "vitest";
import { localText, snoozeTimes } from "./snooze-times.ts";

const texts = (now: Date) => snoozeTimes(now).map(({ at }) => localText(at));

test("offers an hour, tomorrow morning and the next Monday", () => {
  expect(texts(new Date(2026, 10, 18, 14, 30))).toEqual(["2026-11-18T15:30", "2026-11-19T09:00", "2026-11-23T09:00"]);
});

test("next week is never today, and never further away than a week", () => {
  expect(texts(new Date(2026, 10, 16, 8, 0))[2]).toBe("2026-11-23T09:00");
  expect(texts(new Date(2026, 10, 22, 23, 59))[2]).toBe("2026-11-23T09:00");
});

test("goes over the end of a year", () => {
  expect(texts(new Date(2026, 11, 31, 23, 30))).toEqual(["2027-01-01T00:30", "2027-01-01T09:00", "2027-01-04T09:00"]);
});
