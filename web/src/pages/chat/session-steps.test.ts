import { expect, test } from "vitest";
import type { ShownEntry } from "../../../../src/contract/runs/session.ts";
import { stepsOf } from "./session-steps.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const at = "2026-01-01T00:00:00Z";

test("a turn is read as told, thought, said and did, with each call beside its result", () => {
  const steps = stepsOf([
    { offset: 0, type: "message", id: "m", from: "person", channel: { type: "project", id: "shop" }, text: "Go", at },
    {
      offset: 10,
      type: "answer",
      text: "I look.",
      thinking: [{ text: "Hm" }, { text: " " }],
      calls: [{ id: "c1", name: "task_list", input: "{}" }],
      finish: "calls",
      model: "offline/rehearsal",
      usage,
      costUsd: 0,
      at,
    },
    { offset: 20, type: "result", id: "c1", name: "task_list", output: "nothing" },
    { offset: 30, type: "of a newer daemon" },
    { offset: 40, type: "ended", messageId: "m", outcome: "failed", error: "No money", at },
  ] as ShownEntry[]);
  expect(steps.map(({ is }) => is)).toEqual(["told", "thought", "said", "did", "note"]);
  expect(steps[3]).toMatchObject({ call: { name: "task_list", result: { output: "nothing" } } });
  expect(steps[4]).toMatchObject({ text: "The turn was failed: No money", isBad: true });
});

test("a result whose call is on another page stands alone", () => {
  const steps = stepsOf([{ offset: 5, type: "result", id: "c0", name: "read", output: "text" } as never]);
  expect(steps).toMatchObject([{ is: "did", call: { name: "read", result: { output: "text" } } }]);
});
