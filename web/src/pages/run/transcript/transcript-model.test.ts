import { expect, test } from "vitest";
import type { JournalEntry } from "../../../../../src/contract/runs/journal.ts";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { beginningOf, visibleLine, visibleText } from "../../../ui/text/visible-text.ts";
import { costLines } from "../timeline/cost-model.ts";
import { timelineOf } from "../timeline/timeline-model.ts";
import { inputText } from "./input-text.ts";
import { NOTHING_LIVE, withDelta, withoutKept } from "./live-answer.ts";
import { checkOf, failingPlace, type Item, itemsOf } from "./transcript-model.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const usage = (input: number, output: number) => ({ input, output, cacheRead: 10, cacheWrite: 0, reasoning: 0 });
const answer = (text: string, more: Partial<Extract<JournalEntry, { type: "answer" }>> = {}): JournalEntry => ({
  ...{ type: "answer", text, finish: "calls", model: "offline/demo", usage: usage(100, 20), costUsd: 0.01, at: at(5) },
  ...more,
});
const call = (id: string, name = "read") => ({ id, name, input: '{"path":"a.ts"}' });
const result = (id: string, more = {}): JournalEntry => ({ type: "result", id, name: "read", output: "text", ...more });

const journal: JournalEntry[] = [
  { type: "started", epoch: 1, at: at(0) },
  answer("I look.", { calls: [call("1"), call("2", "exec")], thinking: [{ text: "Hm." }] }),
  result("2", { failed: true, ms: 3_210 }),
  result("1"),
  { type: "waiting", reason: "budget", text: "no money", at: at(6) },
  { type: "resumed", at: at(9) },
  { type: "message", from: "person", text: "Go on", id: "m" },
  { type: "failure", reason: "The provider is busy.", at: at(10) },
  answer("", { calls: [call("3")], at: at(12), costUsd: null }),
  { type: "ended", epoch: 1, end: { status: "failed", error: "It used all of its 2 turns." }, at: at(20) },
];

test("Calls stand with what came of them, and waits with when they were over", () => {
  const items = itemsOf(journal);
  expect(items.map(({ kind }) => kind)).toEqual([
    "taken-up",
    "said",
    "call",
    "call",
    "wait",
    "message",
    "failure",
    "said",
    "call",
    "end",
  ]);
  expect(items[1]).toMatchObject({ turn: 1, text: "I look.", thinking: "Hm." });
  expect(items[2]).toMatchObject({ call: { id: "1" }, result: { output: "text" } });
  expect(items[3]).toMatchObject({ call: { id: "2" }, result: { failed: true } });
  expect(items[4]).toMatchObject({ until: at(9) });
  expect(items[7]).toMatchObject({ turn: 2, text: "" });
  expect(items[8]).toMatchObject({ turn: 2, call: { id: "3" } });
  expect(items[8]).not.toHaveProperty("result");
});

test("Items keep their keys when the journal grows", () => {
  const before = itemsOf(journal.slice(0, 4)).map(({ key }) => key);
  expect(
    itemsOf(journal)
      .map(({ key }) => key)
      .slice(0, before.length),
  ).toEqual(before);
});

test("A failed run is entered at the last thing that failed", () => {
  expect(failingPlace(itemsOf(journal))).toBe("e7");
  expect(failingPlace(itemsOf([journal[0] as JournalEntry, journal.at(-1) as JournalEntry]))).toBe("e1");
});

test("Words that are heard go when the journal has them, and the words after them stay", () => {
  const deltas = [
    { kind: "thinking", text: "Hm." },
    { kind: "text", text: "I lo" },
    { kind: "text", text: "ok." },
    { kind: "call", id: "1", name: "exec" },
    { kind: "output", id: "1", text: "line\n" },
    { kind: "text", text: "Next" },
  ] as const;
  const heard = deltas.reduce(withDelta, NOTHING_LIVE);
  expect(heard).toMatchObject({ text: "I look.Next", calls: [{ id: "1" }], outputs: { 1: "line\n" } });
  const left = withoutKept(heard, [answer("I look.", { calls: [call("1")], thinking: [{ text: "Hm." }] })]);
  expect(left).toEqual({ text: "Next", thinking: "", calls: [], outputs: { 1: "line\n" }, again: undefined });
  expect(withoutKept(left, [result("1")]).outputs).toEqual({});
});

test("Whoever listens from the middle on does not see words twice", () => {
  const heard = withDelta(NOTHING_LIVE, { kind: "text", text: "ok." });
  expect(withoutKept(heard, [answer("I look.")]).text).toBe("");
  const more = withDelta(heard, { kind: "text", text: "Next" });
  expect(withoutKept(more, [answer("I look.")]).text).toBe("Next");
  expect(withoutKept(more, [answer("Something else")]).text).toBe("");
  expect(withDelta(heard, { kind: "restart", reason: "busy", waitMs: 1 })).toMatchObject({ text: "", again: "busy" });
});

test("A timeline has a step for each turn, with what it waited and how often it was asked in vain", () => {
  const line = timelineOf(journal, 0);
  expect(line).toMatchObject({ from: Date.parse(at(0)), to: Date.parse(at(20)), mostUsd: 0.01, resumed: [] });
  expect(line?.steps).toMatchObject([
    {
      turn: 1,
      waited: 0,
      failures: 0,
      tokens: 120,
      calls: [
        { name: "read", ms: undefined },
        { name: "exec", failed: true, ms: 3_210 },
      ],
    },
    { turn: 2, waited: 3_000, failures: 1, costUsd: 0.001, isKnown: false },
  ]);
  expect(timelineOf([], 0)).toBeUndefined();
  const waiting = timelineOf(journal.slice(0, 5), Date.parse(at(30)));
  expect(waiting?.waits).toEqual([{ from: Date.parse(at(6)), to: Date.parse(at(30)), reason: "budget" }]);
});

test("Costs add up to what the run used, with what no answer tells as a line of its own", () => {
  const used = { turns: 2, inputTokens: 250, outputTokens: 40, cacheReadTokens: 20, cacheWriteTokens: 0 };
  const run = { usage: { ...used, costUsd: 0.03, costKnown: false } } as Pick<Run, "usage" | "reflection">;
  const lines = costLines(journal, run);
  expect(lines.map(({ name, input, costUsd }) => [name, input, costUsd])).toEqual([
    ["Turn 1", 100, 0.01],
    ["Turn 2", 100, 0.001],
    ["Interrupted or pending calls", 50, expect.closeTo(0.02)],
  ]);
  expect(lines.at(-1)?.totalUsd).toBeCloseTo(0.03);
});

test("The input of a call is shown for reading", () => {
  expect(inputText('{"path":"a.ts","content":"x\\ny"}')).toBe("path: a.ts\ncontent:\nx\ny");
  expect(inputText("{broken")).toBe("{broken");
});

test("Output is shown without orders to a terminal and with signs for what cannot be seen", () => {
  expect(visibleText("\u001b[31mred\u001b[0m \u001b]0;title\u0007ok\r\nnext\u202e\u0000")).toBe("red ok\nnext\\u202e␀");
  expect(beginningOf("short")).toBeUndefined();
  expect(beginningOf(Array.from({ length: 100 }, () => "x").join("\n"))?.left).toBe(76);
});

test("An order to a terminal that does not end takes nothing with it", () => {
  expect(visibleText("before \u001b]0;title\nafter\u0007")).toBe("before ␛]0;title\nafter␇");
  expect(visibleText("\u001b]8;;https://a.example\u001b\\text\u001b]8;;\u001b\\")).toBe("text");
});

test("What an agent ran is shown with every sign of it", () => {
  expect(visibleLine("ls \u001b]; rm -rf ~ ;\u0007")).toBe("ls ␛]; rm -rf ~ ;␇");
});

test.each([
  ["zero width space", "isAd\u200bmin", "isAd\\u200bmin"],
  ["joiner within a name", "is\u200dAdmin", "is\\u200dAdmin"],
  ["soft hyphen", "pass\u00adword", "pass\\u00adword"],
  ["Hangul filler, which may be a name", "const \u3164 = 1", "const \\u3164 = 1"],
  ["tags", "a\u{e0041}", "a\\ue0041"],
  ["bytes written as variation selectors", "☃\ufe0f\ufe0e\ufe01", "☃\\ufe0f\\ufe0e\\ufe01"],
  ["turned around", "a\u202eb\u2066c", "a\\u202eb\\u2066c"],
  ["an emoji", "⚠️ 👩‍💻 done", "⚠️ 👩‍💻 done"],
  ["Persian", "می‌خواهم", "می‌خواهم"],
])("A line shows what cannot be seen: %s", (_, line, shown) => {
  expect(visibleLine(line)).toBe(shown);
});

const said = (name: string, outcome: "allowed" | "refused", callId?: string): JournalEntry => ({
  ...{ type: "hook", event: "PreToolUse", name, outcome, ms: 4 },
  ...(callId === undefined ? {} : { callId }),
});
const permit = (id: string, state: "asked" | "allowed"): JournalEntry => ({ type: "permit", id, state });

test("a call is shown with whether it was allowed and what hooks said, also when it was asked about again", () => {
  const items = itemsOf([
    said("greeting", "allowed"),
    answer("", { calls: [call("1"), call("2"), call("3"), call("4")] }),
    ...[permit("1", "asked"), permit("1", "asked"), said("guard", "allowed", "1"), permit("1", "allowed"), result("1")],
    ...[permit("2", "asked"), said("guard", "refused", "2"), result("2", { failed: true })],
    permit("3", "asked"),
  ]);
  const calls = items.filter((item): item is Extract<Item, { kind: "call" }> => item.kind === "call");
  expect(calls.map(checkOf)).toEqual(["allowed", "refused", "asked", undefined]);
  expect(calls.map(({ hooks }) => hooks?.map(({ outcome }) => outcome))).toEqual([
    ["allowed"],
    ["refused"],
    undefined,
    undefined,
  ]);
  expect(items.filter(({ kind }) => kind === "hook")).toMatchObject([{ hook: { name: "greeting" } }]);
});
