import { expect, it } from "vitest";
import { exactTime, minutesOf, secondsOf } from "./minutes.ts";

it("gives back every second that was written in minutes", () => {
  for (const seconds of [1, 7, 10, 59, 60, 90, 299, 300, 86_399, 86_400])
    expect(secondsOf(minutesOf(seconds))).toBe(seconds);
  expect([minutesOf(300), minutesOf(90), minutesOf(400), minutesOf(undefined)]).toEqual(["5", "1.5", "6.67", ""]);
  expect([exactTime("6.67"), exactTime("5"), exactTime("x")]).toEqual(["6 min 40 s", undefined, undefined]);
});

it("takes nothing for a time that is none", () => {
  for (const text of ["", " ", "x", "0", "-1", "1441"]) expect(secondsOf(text)).toBeUndefined();
});
