import { describe, expect, it, onTestFinished } from "vitest";
import { ask, READ, realGate, restartsIn, spoken, user } from "../../test/fakes/gate.ts";
import { type Script, startProvider } from "../../test/harness/scripted-provider.ts";
import type { Delta, Message, ModelRequest } from "../contract/runs/model-call.ts";

/** One provider of each kind, all of them the same scripted one. */
async function providers(script: Script = () => ({ text: "Done." })) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const at = { baseUrl: provider.url, apiKeyEnv: "TEST_KEY" };
  const { gate } = realGate({
    providers: {
      claude: { kind: "anthropic", ...at },
      chat: { kind: "openai", api: "chat", ...at },
      responses: { kind: "openai", api: "responses", ...at },
      gemini: { kind: "google", ...at },
      own: { kind: "openai-compatible", ...at },
    },
  });
  const sent = async (model: string, request: Partial<ModelRequest> = {}) => {
    await ask(gate, model, request);
    const last = provider.requests.at(-1);
    if (last === undefined) throw new Error("nothing was sent");
    return last;
  };
  return { provider, gate, sent };
}

const used: Message[] = [
  user("Fix the login."),
  { role: "assistant", text: "I look.", thinking: [], calls: [{ id: "c1", name: "read", input: '{"path":"a.ts"}' }] },
  { role: "tool", results: [{ id: "c1", name: "read", output: "no such file", failed: true }] },
];

describe("a request to Anthropic", () => {
  it("carries key, model, system, tools and messages, and marks both ends of what may be cached", async () => {
    const { sent } = await providers();
    const { path, headers, body } = await sent("claude/claude-sonnet-4-5", { messages: used });
    expect(path).toBe("/v1/messages");
    expect(headers["x-api-key"]).toBe("test");
    expect(headers.authorization).toBeUndefined();
    expect(body).toMatchObject({ model: "claude-sonnet-4-5", stream: true });
    expect(body.system).toEqual([{ type: "text", text: "You are a coder.", cache_control: { type: "ephemeral" } }]);
    expect(body.tools).toEqual([{ name: "read", description: "Read a file.", input_schema: READ.inputSchema }]);
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Fix the login." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: "no such file",
            is_error: true,
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ]);
  });

  it("maps thinking, temperature and the most tokens", async () => {
    const { sent } = await providers();
    const off = await sent("claude/claude-sonnet-4-5", { temperature: 0.3, maxTokens: 1_000 });
    expect(off.body).toMatchObject({ thinking: { type: "disabled" }, temperature: 0.3, max_tokens: 1_000 });
    const budgets = [];
    for (const thinking of ["low", "medium", "high"] as const) {
      const { body } = await sent("claude/claude-sonnet-4-5", { thinking, temperature: 0.3, maxTokens: 1_000 });
      expect(body.thinking.type).toBe("enabled");
      expect(body.temperature).toBeUndefined();
      expect(body.max_tokens).toBe(1_000 + body.thinking.budget_tokens);
      budgets.push(body.thinking.budget_tokens);
    }
    expect(budgets).toEqual([...budgets].sort((left, right) => left - right));
    expect(new Set(budgets).size).toBe(3);
    const adaptive = await sent("claude/claude-opus-4-6", { thinking: "high" });
    expect(adaptive.body).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
  });

  it("gives thinking back with its signature unchanged, before what followed it", async () => {
    const signature = "EqQBCgIYAhIM+/==";
    const { gate, sent } = await providers([
      {
        thinking: "The file comes first.",
        signature,
        text: "Reading.",
        calls: [{ name: "read", input: { path: "a.ts" } }],
      },
      { text: "Done." },
    ]);
    const answer = await ask(gate, "claude/claude-sonnet-4-5", { thinking: "high" });
    expect(answer.thinking.map((thought) => thought.text)).toEqual(["The file comes first."]);
    const results = [{ id: answer.calls[0]?.id ?? "", name: "read", output: "1: x", failed: false }];
    // The journal keeps an answer as JSON.
    const kept: Message = JSON.parse(JSON.stringify(spoken(answer)));
    const { body } = await sent("claude/claude-sonnet-4-5", {
      messages: [user("Go."), kept, { role: "tool", results }],
    });
    expect(body.messages[1].content).toEqual([
      { type: "thinking", thinking: "The file comes first.", signature },
      { type: "text", text: "Reading." },
      { type: "tool_use", id: "toolu_0_0", name: "read", input: { path: "a.ts" } },
    ]);
  });
});

describe("a request to OpenAI", () => {
  it("carries the same over Chat Completions, with usage asked for and nothing a plain model would refuse", async () => {
    const { sent } = await providers();
    const { path, headers, body } = await sent("chat/gpt-4o", { messages: used, temperature: 0.3, maxTokens: 1_000 });
    expect(path).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe("Bearer test");
    expect(body).toMatchObject({ model: "gpt-4o", stream: true, stream_options: { include_usage: true } });
    expect(body).toMatchObject({ temperature: 0.3, max_tokens: 1_000 });
    expect(body.reasoning_effort).toBeUndefined();
    expect(JSON.stringify(body)).not.toContain("cache_control");
    expect(body.tools[0]).toMatchObject({ type: "function", function: { name: "read", parameters: READ.inputSchema } });
    expect(body.messages).toEqual([
      { role: "system", content: "You are a coder." },
      { role: "user", content: "Fix the login." },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: '{"error":"no such file"}' },
    ]);
  });

  it("tells a thinking model how much, and leaves out the temperature it would refuse", async () => {
    const { sent } = await providers();
    const { body } = await sent("chat/gpt-5", { thinking: "high", temperature: 0.3, maxTokens: 1_000 });
    expect(body).toMatchObject({ reasoning_effort: "high", max_completion_tokens: 1_000 });
    expect(body.temperature).toBeUndefined();
    expect((await sent("chat/gpt-5", { thinking: "off" })).body.reasoning_effort).toBe("minimal");
  });

  it("keeps nothing at the vendor over Responses, and gives sealed thinking back", async () => {
    const { gate, sent } = await providers([
      { thinking: "First the file.", signature: "c2VhbGVk", calls: [{ name: "read", input: { path: "a.ts" } }] },
      { text: "Done." },
    ]);
    const answer = await ask(gate, "responses/gpt-5", { thinking: "medium", maxTokens: 1_000 });
    const results = [{ id: answer.calls[0]?.id ?? "", name: "read", output: "1: x", failed: false }];
    const kept: Message = JSON.parse(JSON.stringify(spoken(answer)));
    const messages: Message[] = [user("Go."), kept, { role: "tool", results }];
    const { path, body } = await sent("responses/gpt-5", { thinking: "medium", maxTokens: 1_000, messages });
    expect(path).toBe("/v1/responses");
    expect(body).toMatchObject({ store: false, max_output_tokens: 1_000, reasoning: { effort: "medium" } });
    expect(body.include).toContain("reasoning.encrypted_content");
    expect(body.input).toMatchObject([
      { role: "developer", content: "You are a coder." },
      { role: "user", content: [{ type: "input_text", text: "Go." }] },
      { type: "reasoning", encrypted_content: "c2VhbGVk", summary: [{ text: "First the file." }] },
      { type: "function_call", call_id: "call_0_0", name: "read", arguments: '{"path":"a.ts"}' },
      { type: "function_call_output", call_id: "call_0_0", output: "1: x" },
    ]);
    expect(JSON.stringify(body)).not.toContain("item_reference");
  });
});

describe("a request to Google", () => {
  it("carries the same, and the signature of a call goes back with it", async () => {
    const { gate, sent } = await providers([
      { thinking: "Hm.", calls: [{ name: "read", input: { path: "a.ts" } }], signature: "Z29vZ2xl" },
      { text: "Done." },
    ]);
    const answer = await ask(gate, "gemini/gemini-2.5-pro", { thinking: "high" });
    expect(answer.thinking.map((thought) => thought.text)).toEqual(["Hm."]);
    const results = [{ id: answer.calls[0]?.id ?? "", name: "read", output: "1: x", failed: false }];
    const kept: Message = JSON.parse(JSON.stringify(spoken(answer)));
    const messages: Message[] = [user("Go."), kept, { role: "tool", results }];
    const request = await sent("gemini/gemini-2.5-pro", {
      thinking: "high",
      temperature: 0.3,
      maxTokens: 99,
      messages,
    });
    expect(request.path).toBe("/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
    expect(request.headers["x-goog-api-key"]).toBe("test");
    expect(request.body.systemInstruction.parts).toEqual([{ text: "You are a coder." }]);
    expect(request.body.generationConfig).toMatchObject({ temperature: 0.3, maxOutputTokens: 99 });
    expect(request.body.generationConfig.thinkingConfig).toMatchObject({ includeThoughts: true });
    expect(request.body.generationConfig.thinkingConfig.thinkingBudget).toBeGreaterThan(10_000);
    expect(request.body.contents[1].parts).toMatchObject([
      { text: "Hm.", thought: true },
      { functionCall: { name: "read", args: { path: "a.ts" } }, thoughtSignature: "Z29vZ2xl" },
    ]);
    expect(request.results).toMatchObject([{ id: "read" }]);
  });

  it("is not told about thinking when its model cannot", async () => {
    const { sent } = await providers();
    const { body } = await sent("gemini/gemini-2.0-flash", { thinking: "high" });
    expect(body.generationConfig?.thinkingConfig).toBeUndefined();
    const off = await sent("gemini/gemini-2.5-flash", { thinking: "off" });
    expect(off.body.generationConfig.thinkingConfig).toMatchObject({ thinkingBudget: 0 });
  });
});

describe("a request to an OpenAI-compatible server", () => {
  it("speaks Chat Completions and mentions thinking only when it is asked for", async () => {
    const { sent } = await providers();
    const { path, headers, body } = await sent("own/qwen3:8b", { messages: used, maxTokens: 1_000 });
    expect(path).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe("Bearer test");
    expect(body).toMatchObject({ model: "qwen3:8b", max_tokens: 1_000, stream_options: { include_usage: true } });
    expect(body.reasoning_effort).toBeUndefined();
    expect(JSON.stringify(body)).not.toContain("cache_control");
    expect(body.messages.at(-1)).toEqual({ role: "tool", tool_call_id: "c1", content: "no such file" });
    expect((await sent("own/qwen3:8b", { thinking: "low" })).body.reasoning_effort).toBe("low");
  });

  it("is asked again without a setting it refuses, and never given it again", async () => {
    const refusal = { status: 400, error: { message: '"llama3.2" does not support thinking' } };
    const { provider, gate } = await providers(({ body }) =>
      body.reasoning_effort === undefined ? { text: "Done." } : refusal,
    );
    const deltas: Delta[] = [];
    const onDelta = (delta: Delta) => deltas.push(delta);
    const answer = await ask(gate, "own/llama3.2", { thinking: "medium", onDelta });
    expect(answer.text).toBe("Done.");
    expect(restartsIn(deltas)).toEqual([expect.stringContaining("does not support thinking")]);
    await ask(gate, "own/llama3.2", { thinking: "medium" });
    expect(provider.requests.map(({ body }) => body.reasoning_effort)).toEqual(["medium", undefined, undefined]);
  });
});

describe("whatever a conversation holds", () => {
  it("goes out as text that every provider takes", async () => {
    const { sent } = await providers();
    const messages: Message[] = [
      user(""),
      { role: "assistant", text: " \n", thinking: [], calls: [{ id: "c1", name: "read", input: '{"path": ' }] },
      { role: "tool", results: [{ id: "c1", name: "read", output: "half a \ud83d", failed: true }] },
      { role: "assistant", text: "", thinking: [], calls: [] },
      user("Go on."),
    ];
    const { body } = await sent("claude/claude-sonnet-4-5", { messages });
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"]);
    expect(body.messages[0].content).toEqual([{ type: "text", text: "(empty message)" }]);
    expect(body.messages[1].content).toEqual([{ type: "tool_use", id: "c1", name: "read", input: {} }]);
    expect(body.messages[2].content[0].content).toBe("half a \ufffd");
  });

  it("keeps thoughts between the words and calls they came between", async () => {
    const { sent } = await providers();
    const sealed = (signature: string) => ({ anthropic: { signature } });
    const messages: Message[] = [
      user("Go."),
      {
        role: "assistant",
        text: "First.Second.",
        thinking: [
          { text: "one", opaque: sealed("s1") },
          { text: "two", opaque: sealed("s2"), after: { text: 6, calls: 0 } },
        ],
        calls: [{ id: "c1", name: "read", input: "{}" }],
      },
      { role: "tool", results: [{ id: "c1", name: "read", output: "x", failed: false }] },
    ];
    const { body } = await sent("claude/claude-sonnet-4-5", { messages, thinking: "low" });
    expect(body.messages[1].content.map(({ type }: { type: string }) => type)).toEqual([
      "thinking",
      "text",
      "thinking",
      "text",
      "tool_use",
    ]);
  });

  it("leaves out thoughts at the end of an answer, after which it was cut off", async () => {
    const { sent } = await providers();
    const late = { text: "hm", after: { text: 6, calls: 0 } };
    const messages: Message[] = [
      user("Go."),
      { role: "assistant", text: "", thinking: [{ text: "hm" }], calls: [] },
      user("Go on."),
      { role: "assistant", text: "First.", thinking: [{ text: "hm" }, late], calls: [] },
      user("Go on."),
    ];
    const claude = (await sent("claude/claude-sonnet-4-5", { messages, thinking: "low" })).body.messages;
    expect(claude.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"]);
    expect(claude[1].content.at(-1)).toMatchObject({ type: "text", text: "First." });
    const own = (await sent("own/qwen3", { messages })).body.messages;
    expect(own.map(({ role }: { role: string }) => role)).toEqual(["system", "user", "user", "assistant", "user"]);
  });

  it("is sent to the model of an address with or without its version", async () => {
    const { provider, sent } = await providers();
    const { gate } = realGate({
      providers: {
        plain: { kind: "anthropic", baseUrl: provider.url, apiKeyEnv: "TEST_KEY" },
        versioned: { kind: "anthropic", baseUrl: `${provider.url}/v1/`, apiKeyEnv: "TEST_KEY" },
        deep: { kind: "openai-compatible", baseUrl: `${provider.url}/api/openai/v1`, apiKeyEnv: "TEST_KEY" },
      },
    });
    for (const name of ["plain", "versioned", "deep"]) await ask(gate, `${name}/m`);
    await sent("own/m");
    expect(provider.requests.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1/messages",
      "/api/openai/v1/chat/completions",
      "/v1/chat/completions",
    ]);
  });
});
