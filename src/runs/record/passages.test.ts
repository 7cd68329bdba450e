import { expect, it } from "vitest";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import { passagesOf } from "./passages.ts";

const at = "2026-11-15T10:00:00.000Z";
const usage = { input: 1, output: 1 } as never;
const answer = (text: string, calls: object[] = []): JournalEntry =>
  ({
    type: "answer",
    text,
    calls,
    finish: "end",
    model: "m",
    usage,
    costUsd: 0,
    at,
    thinking: [{ text: "secretly" }],
  }) as never;

it("keeps of each turn what was said, what was called and what failed, under the number of its entry", () => {
  const call = { id: "c1", name: "read", input: '{"path":"src/login.ts"}' };
  const run = { id: "c2", name: "exec", input: '{"command":"npm test"}' };
  expect(
    passagesOf([
      { type: "started", epoch: 1, at },
      answer("I look.", [call, run]),
      { type: "result", id: "c1", name: "read", output: "all of the file" },
      { type: "result", id: "c2", name: "exec", output: "2 tests failed", failed: true },
      { type: "message", from: "hall", text: "Five turns are left.", id: "m0" },
      { type: "message", from: "person", text: "Mind the cents.", id: "m1" },
      { type: "failure", reason: "overloaded", at },
      { type: "ended", epoch: 1, end: { status: "failed", error: "Gave up." }, at },
    ]),
  ).toEqual([
    { entry: 1, text: "I look.\nread src/login.ts\nexec npm test\n2 tests failed" },
    { entry: 5, text: "Mind the cents." },
    { entry: 6, text: "overloaded" },
    { entry: 7, text: "Gave up." },
  ]);
});

it("keeps a bounded part of a run, however much was said", () => {
  const passages = passagesOf(Array.from({ length: 100 }, () => answer("🧪".repeat(1_001))));
  expect(passages.reduce((sum, { text }) => sum + text.length, 0)).toBe(64_000);
  expect(passages.every(({ text }) => text.isWellFormed())).toBe(true);
});
