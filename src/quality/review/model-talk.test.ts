import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../agent/tool.ts";
import { type ModelAnswer, ModelFailure, type ModelRequest } from "../../contract/runs/model-call.ts";
import { ModelTalks, type Question, type Talk } from "./model-talk.ts";

const reader = defineTool({
  ...{ name: "read", description: "", input: z.strictObject({}), changes: false },
  run: () => ({ output: "It says hunter2." }),
});
const question: Question = {
  ...{ projectId: "shop", model: "own/m", system: "s", prompt: "Is hunter2 safe?", tree: "t1", readers: [reader] },
  tool: { name: "answer", description: "", inputSchema: {} },
  problemsIn: (value) => ((value as { ok?: boolean } | undefined)?.ok === true ? [] : ["ok: is missing"]),
  signal: new AbortController().signal,
};
const calls = (name: string, input: string): Partial<ModelAnswer> => ({ calls: [{ id: name, name, input }] });
const READ = calls("read", "{}");
const GOOD = calls("answer", '{"ok":true}');
const BAD = calls("answer", "nonsense");

function talking(script: (Partial<ModelAnswer> | Error)[]) {
  const kept = new Map<string, string>();
  const asked: ModelRequest[] = [];
  const talks = new ModelTalks({
    gate: {
      ask: async (request) => {
        asked.push(structuredClone(request));
        const next = script.shift();
        if (next instanceof Error || next === undefined) throw next ?? new Error("The script is over.");
        const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
        return { model: "own/m", text: "", thinking: [], calls: [], finish: "end", usage, costUsd: 0.5, ...next };
      },
    },
    store: {
      read: (_, key) => JSON.parse(kept.get(key) ?? "null"),
      write: async (_, key, talk: Talk) => void kept.set(key, JSON.stringify(talk)),
    },
    redact: (_, text) => text.replaceAll("hunter2", "[secret]"),
  });
  return { talks, asked, kept, script };
}

it("a talk that broke off goes on where it was, and one that was answered is not asked again", async () => {
  const { talks, asked, script } = talking([READ, new ModelFailure("unreachable", "Gone.")]);
  expect(await talks.ask(question)).toMatchObject({ values: [], costUsd: 0.5, unable: { code: "no-review" } });
  script.push(GOOD);
  expect(await talks.ask(question)).toMatchObject({ values: [{ ok: true }], costUsd: 1 });
  expect(asked.map(({ messages }) => messages.length)).toEqual([1, 3, 3]);
  expect(await talks.ask(question)).toMatchObject({ values: [{ ok: true }], costUsd: 1 });
  expect(asked).toHaveLength(3);
});

it("the same question about another tree is another question", async () => {
  const { talks, asked } = talking([GOOD, GOOD]);
  await talks.ask(question);
  await talks.ask({ ...question, tree: "t2" });
  expect(asked).toHaveLength(2);
});

it.each([
  ["what can't be read", BAD],
  ["talk alone", { text: "Full marks." }],
])("an answer is asked for once more after %s, and the next time from the start", async (_, useless) => {
  const { talks, asked, script } = talking([useless, useless]);
  const reading = await talks.ask(question);
  expect(reading.unable).toBeUndefined();
  expect(reading.values.every((value) => value === undefined)).toBe(true);
  expect(asked).toHaveLength(2);
  script.push(useless, GOOD);
  expect((await talks.ask(question)).values.at(-1)).toEqual({ ok: true });
});

it("secrets reach neither the model nor the file", async () => {
  const { talks, asked, kept } = talking([READ, GOOD]);
  await talks.ask(question);
  expect(JSON.stringify(asked)).toContain("[secret] safe?");
  expect(JSON.stringify([asked, ...kept.values()])).not.toContain("hunter2");
});

it.each([
  ["budget", "budget"],
  ["no_key", "no-model"],
  ["timeout", "timeout"],
  ["refused", "no-review"],
  ["quota", "no-review"],
] as const)("a model that fails with %s gives no answer: %s", async (kind, code) => {
  const { talks } = talking([new ModelFailure(kind, "No.")]);
  expect(await talks.ask(question)).toMatchObject({ values: [], unable: { code } });
});

it("the offline model without a playbook reviews nothing", async () => {
  const { talks } = talking([{ ...GOOD, rehearsed: true }]);
  expect(await talks.ask(question)).toMatchObject({ values: [], unable: { code: "no-model" } });
});
