import { describe, expect, it, onTestFinished } from "vitest";
import { ask, realGate, restartsIn } from "../../test/fakes/gate.ts";
import { type Script, startProvider, type Turn } from "../../test/harness/scripted-provider.ts";
import type { Delta } from "../contract/runs/model-call.ts";

const MODELS = {
  anthropic: "anthropic/claude-sonnet-4-5",
  chat: "chat/gpt-5",
  responses: "responses/gpt-5",
  google: "google/gemini-2.5-pro",
  own: "own/qwen3",
};
const all = Object.values(MODELS);

async function gateFollowing(script: Script, models: object = {}) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const at = { baseUrl: provider.url, apiKeyEnv: "TEST_KEY" };
  const { gate } = realGate({
    providers: {
      anthropic: { kind: "anthropic", ...at },
      chat: { kind: "openai", api: "chat", ...at },
      responses: { kind: "openai", api: "responses", ...at },
      google: { kind: "google", ...at },
      own: { kind: "openai-compatible", ...at },
    },
    models,
  });
  return { gate, provider };
}

const turn: Turn = {
  text: "I will read the file and then say what is in it: ünïcödé, 漢字, 🦉.",
  calls: [
    { name: "read", input: { path: "src/a.ts" } },
    { name: "read", input: { path: "src/ü.ts" } },
  ],
};

describe("an answer", () => {
  it.each(all)("of %s comes through whole, however its bytes are cut, and is told of as it comes", async (model) => {
    const { gate } = await gateFollowing(() => ({ ...turn, chunkBytes: 7 }));
    const deltas: Delta[] = [];
    const answer = await ask(gate, model, { onDelta: (delta) => deltas.push(delta) });
    expect(answer).toMatchObject({ model, text: turn.text, finish: "calls" });
    expect(restartsIn(deltas)).toEqual([]);
    expect(answer.calls.map(({ name, input }) => [name, JSON.parse(input)])).toEqual([
      ["read", { path: "src/a.ts" }],
      ["read", { path: "src/ü.ts" }],
    ]);
    const told = deltas.flatMap((delta) => (delta.kind === "text" ? delta.text : []));
    expect(told.join("")).toBe(turn.text);
    expect(told.length).toBeGreaterThan(1);
    expect(deltas.filter((delta) => delta.kind === "call").map((delta) => delta.name)).toEqual(["read", "read"]);
  });

  it.each(all)("of %s counts cached and thinking tokens once", async (model) => {
    const usage = { input: 1_000, output: 200, cacheRead: 600, reasoning: 50 };
    const { gate } = await gateFollowing(() => ({ text: "Done.", usage }));
    const answer = await ask(gate, model);
    expect(answer.usage).toEqual({ ...usage, cacheWrite: 0 });
  });

  it("of Anthropic tells what was written to the cache, and costs what each kind of token costs", async () => {
    const usage = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 200_000 };
    const { gate } = await gateFollowing(() => ({ text: "Done.", usage }));
    const answer = await ask(gate, MODELS.anthropic);
    expect(answer.usage).toEqual({ ...usage, reasoning: 0 });
    expect(answer.costUsd).toBeCloseTo(0.2 * 3 + 0.6 * 0.3 + 0.2 * 3.75 + 0.1 * 15);
  });

  it("has no cost when its price is not known, and its tokens are counted all the same", async () => {
    const usage = { input: 100, output: 10 };
    const { gate } = await gateFollowing(() => ({ text: "Done.", usage }));
    expect(await ask(gate, MODELS.own)).toMatchObject({ costUsd: null, usage });
  });

  it("costs what config.yml says", async () => {
    const prices = { "own/qwen3": { input: 1, output: 2 } };
    const { gate } = await gateFollowing(() => ({ text: "Done.", usage: { input: 1_000, output: 100 } }), { prices });
    expect((await ask(gate, MODELS.own)).costUsd).toBeCloseTo((1_000 * 1 + 100 * 2) / 1_000_000);
  });

  it("of a server that does not count is estimated, and never priced by the estimate", async () => {
    const prices = { "own/qwen3": { input: 1, output: 2 } };
    const { gate } = await gateFollowing(() => ({ text: "Done.", usage: null }), { prices });
    const answer = await ask(gate, MODELS.own);
    expect(answer.costUsd).toBeNull();
    expect(answer.usage.input).toBeGreaterThan(10);
    expect(answer.usage.output).toBeGreaterThan(1);
  });

  it.each([
    [MODELS.anthropic, "end_turn", "end"],
    [MODELS.anthropic, "max_tokens", "length"],
    [MODELS.anthropic, "refusal", "refused"],
    [MODELS.anthropic, "a_reason_of_tomorrow", "other"],
    [MODELS.chat, "stop", "end"],
    [MODELS.chat, "length", "length"],
    [MODELS.chat, "content_filter", "refused"],
    [MODELS.chat, "a_reason_of_tomorrow", "other"],
    [MODELS.responses, "completed", "end"],
    [MODELS.responses, "max_output_tokens", "length"],
    [MODELS.responses, "content_filter", "refused"],
    [MODELS.google, "STOP", "end"],
    [MODELS.google, "MAX_TOKENS", "length"],
    [MODELS.google, "SAFETY", "refused"],
    [MODELS.google, "A_REASON_OF_TOMORROW", "other"],
    [MODELS.own, "a_reason_of_tomorrow", "other"],
  ])("of %s that ends with %s is %s", async (model, finish, wanted) => {
    const { gate } = await gateFollowing(() => ({ text: "So far.", finish }));
    expect(await ask(gate, model)).toMatchObject({ text: "So far.", finish: wanted });
  });

  it.each([MODELS.anthropic, MODELS.chat, MODELS.responses, MODELS.own])(
    "of %s hands on a call whose input is broken JSON as it was written",
    async (model) => {
      const { gate } = await gateFollowing(() => ({ calls: [{ name: "read" }], rawToolInput: '{"path": "a.t' }));
      const answer = await ask(gate, model);
      expect(answer.finish).toBe("calls");
      expect(answer.calls).toMatchObject([{ name: "read", input: '{"path": "a.t' }]);
    },
  );

  it("never has two calls with one id", async () => {
    const calls = [
      { name: "read", input: { path: "a" }, id: "same" },
      { name: "read", input: { path: "b" }, id: "same" },
    ];
    const { gate } = await gateFollowing(() => ({ calls }));
    const first = await ask(gate, MODELS.anthropic);
    expect(first.calls.map(({ id }) => id)).toEqual(["same", "same-2"]);
  });

  it("shows the thinking of a server that streams it", async () => {
    const { gate } = await gateFollowing(() => ({ thinking: "Let me see.", text: "Done." }));
    const deltas: Delta[] = [];
    const answer = await ask(gate, MODELS.own, { onDelta: (delta) => deltas.push(delta) });
    expect(answer.thinking).toMatchObject([{ text: "Let me see." }]);
    expect(deltas).toContainEqual({ kind: "thinking", text: "Let me see." });
  });
});
