import { expect, it } from "vitest";
import { Crashes } from "./crashes.ts";

function bench() {
  const clock = { now: 1_000_000 };
  return { clock, crashes: new Crashes(() => clock.now) };
}

it("lets a process be started again after a pause that grows, and not for ever", () => {
  const { clock, crashes } = bench();
  expect(crashes.pauseMs("shop")).toBe(0);
  expect(crashes.note("shop")).toEqual({ crashes: 1, tooMany: false });
  expect(crashes.pauseMs("shop")).toBe(250);
  clock.now += 100;
  expect(crashes.pauseMs("shop")).toBe(150);
  expect(crashes.note("shop")).toEqual({ crashes: 2, tooMany: false });
  expect(crashes.pauseMs("shop")).toBe(1_000);
  expect(crashes.pauseMs("other")).toBe(0);
  expect(crashes.note("shop")).toEqual({ crashes: 3, tooMany: true });
  expect(crashes.pauseMs("shop")).toBe(10_000);
  crashes.forget("shop");
  expect(crashes.pauseMs("shop")).toBe(0);
});

it("counts only what happened within a minute, since the last run that came to its end", () => {
  const { clock, crashes } = bench();
  for (let count = 0; count < 10; count++) {
    expect(crashes.note("slow").tooMany).toBe(false);
    clock.now += 30_001;
  }
  for (let count = 0; count < 10; count++) {
    expect(crashes.note("shop").tooMany).toBe(false);
    crashes.forget("shop");
  }
});
