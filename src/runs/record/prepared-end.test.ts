import { expect, it, vi } from "vitest";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import { PreparedEnd } from "./prepared-end.ts";

const result = { output: "Done.", artifacts: [], filesChanged: [], summary: "Done." };
const END = { status: "completed", result } as unknown as RecordedEnd;
const LEASE = { runId: "run-1", epoch: 2 };

/** An end that is settled as soon as its journal is durable. */
function prepared() {
  const steps: string[] = [];
  const end = new PreparedEnd(LEASE, END, async (journaled) => {
    steps.push("prepared");
    await journaled;
    steps.push("settled");
  });
  return { end, steps };
}

it("settles what was made ready when the same end is confirmed, and not before", async () => {
  const { end, steps } = prepared();
  await new Promise(setImmediate);
  expect(steps).toEqual(["prepared"]);
  expect(await end.confirm(LEASE, structuredClone(END))).toBe(true);
  expect(steps).toEqual(["prepared", "settled"]);
});

it.each([
  ["another lease", { ...LEASE, epoch: 3 }, END],
  ["another end", LEASE, { ...END, result: { ...result, output: "Not done." } } as unknown as RecordedEnd],
])("gives up what was made ready for %s", async (_, lease, said) => {
  const { end, steps } = prepared();
  expect(await end.confirm(lease, said)).toBe(false);
  expect(steps).toEqual(["prepared"]);
});

it("gives up what was made ready when nobody confirms it for a while, as when the process has died", async () => {
  vi.useFakeTimers();
  try {
    const { end, steps } = prepared();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await end.done).toBe(false);
    expect(await end.confirm(LEASE, END)).toBe(false);
    expect(steps).toEqual(["prepared"]);
  } finally {
    vi.useRealTimers();
  }
});
