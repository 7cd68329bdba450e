import { expect, it } from "vitest";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { ModelAnswer } from "../contract/runs/model-call.ts";
import { CallIds } from "./call-ids.ts";

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function answer(...ids: string[]): ModelAnswer {
  const calls = ids.map((id) => ({ id, name: "read", input: "{}" }));
  return { model: "m", text: "", thinking: [], calls, finish: "calls", usage, costUsd: 0 };
}

function entry(text: string, ...ids: string[]): JournalEntry {
  const calls = ids.map((id) => ({ id, name: "read", input: "{}" }));
  return {
    type: "answer",
    text,
    ...(ids.length === 0 ? {} : { calls }),
    finish: "end",
    model: "m",
    usage,
    costUsd: 0,
    at: "",
  };
}

const idsOf = (given: ModelAnswer) => given.calls.map((call) => call.id);

it("Calls keep the ids their provider gave them as long as no other call has them", () => {
  const ids = new CallIds([entry("", "a")]);
  expect(idsOf(ids.own(answer("b", "c")))).toEqual(["b", "c"]);
});

it("A provider that counts anew with every answer gets ids of our own, also after a crash", () => {
  const ids = new CallIds([entry("", "call_0"), entry("", "call_0-2")]);
  expect(idsOf(ids.own(answer("call_0", "call_1", "call_1", "")))).toEqual(["call_0-3", "call_1", "call_1-2", "call"]);
});
