import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { plainRequest, user } from "../../../test/fakes/gate.ts";
import type { Message, ModelRequest } from "../../contract/runs/model-call.ts";
import { type RefusableSetting, type Target, toCallOptions } from "../call-options.ts";
import { anthropicFormat } from "./anthropic-wire.ts";
import { chatFormat } from "./chat-wire.ts";
import { catching, DirectModel } from "./direct-model.ts";
import type { WireFormat } from "./wire-format.ts";

type Make = (fetch: typeof globalThis.fetch) => LanguageModelV4;
const at = { baseURL: "http://127.0.0.1:9/v1", apiKey: "test" };

const KINDS: [Target["provider"], string, Make, () => WireFormat][] = [
  [
    { kind: "anthropic" },
    "claude-sonnet-4-5",
    (fetch) => createAnthropic({ ...at, fetch })("claude-sonnet-4-5"),
    anthropicFormat,
  ],
  [
    { kind: "openai", api: "chat" },
    "gpt-5",
    (fetch) => createOpenAI({ ...at, fetch }).chat("gpt-5"),
    () => chatFormat({ takesThinking: false, wrapsFailures: true }),
  ],
  [
    { kind: "openai-compatible" },
    "qwen3",
    (fetch) => createOpenAICompatible({ ...at, name: "own", includeUsage: true, fetch }).chatModel("qwen3"),
    () => chatFormat({ takesThinking: true, wrapsFailures: false }),
  ],
];

const call = (id: string, input = '{"path":"ü.ts"}') => ({ id, name: "read", input });
const result = (id: string, failed = false) => ({ id, name: "read", output: `line "1" of ${id}\n🦉`, failed });
const sealed = { anthropic: { signature: "c2Vh" } };

/** Everything that a conversation may hold, in an order in which it may come. */
const LONG: Message[] = [
  user("Fix the login."),
  {
    role: "assistant",
    text: "First.Second.",
    thinking: [
      { text: "one", opaque: sealed },
      { text: "two", opaque: { anthropic: { redactedData: "aGlk" } }, after: { text: 6, calls: 0 } },
    ],
    calls: [call("c1"), call("c2", '{"path": ')],
  },
  { role: "tool", results: [result("c1"), result("c2", true)] },
  user("And the logout."),
  user(""),
  { role: "assistant", text: "", thinking: [{ text: "not sealed" }], calls: [call("c3")] },
  { role: "tool", results: [result("c3")] },
  { role: "assistant", text: " \n", thinking: [], calls: [] },
  user("half a \ud83d"),
  { role: "assistant", text: "", thinking: [{ text: "cut off" }], calls: [] },
  { role: "assistant", text: "Ends with blanks. \n", thinking: [], calls: [] },
];

const requestOf = (messages: Message[]): ModelRequest => ({
  ...plainRequest("x/y"),
  thinking: "low",
  maxTokens: 900,
  messages,
});

const CALL = { signal: new AbortController().signal, emit: () => undefined };

/** What the package alone would send. */
async function packageSends(make: Make, request: ModelRequest, target: Target): Promise<unknown> {
  let sent: unknown;
  const model = make(async (url, init) => {
    sent = {
      url: String(url),
      headers: new Headers(init?.headers).get("authorization"),
      body: JSON.parse(String(init?.body)),
    };
    throw new Error("nothing is sent");
  });
  await Promise.resolve(model.doStream(toCallOptions(request, target, CALL.signal))).catch(() => undefined);
  return sent;
}

function directModel(make: Make, format: WireFormat) {
  const sent: unknown[] = [];
  const model = new DirectModel(make(catching), format, async ({ url, headers, body }, listener) => {
    const text = Buffer.concat(body.map((part) => Buffer.from(part))).toString();
    sent.push({ url: url.href, headers: headers.authorization ?? null, body: JSON.parse(text) });
    listener.begin({ status: 200, statusText: "", headers: {} });
    throw new Error("nothing is sent");
  });
  return { model, sent };
}

describe.each(KINDS)("a direct request to %o", (provider, model, make, format) => {
  const target: Target = { provider, model, without: new Set() };

  it("is what the package would send, however long the conversation is and however often it was sent", async () => {
    const direct = directModel(make, format());
    const growing: Message[] = [];
    for (const message of LONG) {
      growing.push(message);
      const request = requestOf(growing);
      await direct.model.stream(request, target, CALL).catch(() => undefined);
      await direct.model.stream(request, target, CALL).catch(() => undefined);
      const wanted = await packageSends(make, requestOf([...growing]), target);
      expect(direct.sent.splice(0)).toEqual([wanted, wanted]);
    }
  });

  it("follows a change of its settings, and a conversation that was cut short", async () => {
    const direct = directModel(make, format());
    const messages = LONG.slice(0, 5);
    const first = requestOf(messages);
    const hotter: ModelRequest = { ...first, thinking: "off", temperature: 0.5, tools: [], system: "Be brief." };
    for (const request of [first, hotter, first]) {
      await direct.model.stream(request, target, CALL).catch(() => undefined);
      expect(direct.sent.splice(0)).toEqual([
        await packageSends(make, { ...request, messages: [...messages] }, target),
      ]);
    }
    messages.length = 2;
    messages.push({ role: "tool", results: [result("c1"), result("c2")] });
    await direct.model.stream(first, target, CALL).catch(() => undefined);
    expect(direct.sent).toEqual([await packageSends(make, requestOf([...messages]), target)]);
  });

  it("is what the package would send for every system text, which is asked for the first ones alone", async () => {
    let asked = 0;
    const counting: Make = (fetch) => {
      const made = make(fetch);
      return Object.assign(Object.create(made) as LanguageModelV4, {
        doStream: (options: Parameters<LanguageModelV4["doStream"]>[0]) => {
          asked++;
          return made.doStream(options);
        },
      });
    };
    const direct = directModel(counting, format());
    const texts = [
      "Be brief.",
      'Say "yes" in $1 \\n ways',
      "",
      " \n",
      "half a \ud83d",
      "system-text-7b1d4b0e5f3a4c0d",
      "🦉 ü",
    ];
    for (const system of texts) {
      const request = { ...requestOf([user("Go.")]), system };
      await direct.model.stream(request, target, CALL).catch(() => undefined);
      expect(direct.sent.splice(0), system).toEqual([await packageSends(make, request, target)]);
    }
    expect(asked).toBe(3);
  });

  it("leaves out a setting that the model has refused", async () => {
    const direct = directModel(make, format());
    const request: ModelRequest = { ...requestOf(LONG.slice(0, 1)), temperature: 0.5 };
    const without = new Set<RefusableSetting>();
    for (const refused of [undefined, "thinking", "temperature"] as const) {
      if (refused !== undefined) without.add(refused);
      await direct.model.stream(request, { ...target, without }, CALL).catch(() => undefined);
      const wanted = await packageSends(make, { ...request, messages: [...request.messages] }, { ...target, without });
      expect(direct.sent.splice(0)).toEqual([wanted]);
    }
  });
});
