import { expect, it } from "vitest";
import type { SessionEntry } from "../contract/runs/session.ts";
import { stepsIn } from "./turn-steps.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const at = "2026-11-16T10:00:00.000Z";
const answer = (text: string, calls: { id: string; name: string; input: string }[] = []): SessionEntry => ({
  ...{ type: "answer", text, calls, finish: "end", model: "own/m", costUsd: 0, usage, at },
});

it("tells the calls of a turn, what was said before them, and which failed; not the answer itself", () => {
  const entries: SessionEntry[] = [
    answer("I look.", [
      { id: "1", name: "needs_attention", input: "{}" },
      { id: "2", name: "project_status", input: '{"name":"shop"}' },
    ]),
    { type: "result", id: "1", name: "needs_attention", output: "Nothing." },
    { type: "result", id: "2", name: "project_status", output: "No.", failed: true },
    answer("All is well."),
  ];
  expect(stepsIn(entries)).toEqual([
    { is: "said", text: "I look." },
    { is: "called", tool: "needs_attention", about: "" },
    { is: "called", tool: "project_status", about: "shop", failed: true },
  ]);
  expect(stepsIn([answer("Hello.")])).toEqual([]);
});
