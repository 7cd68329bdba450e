import { describe, expect, it, onTestFinished } from "vitest";
import { ask, type GateSetup, realGate, restartsIn } from "../../test/fakes/gate.ts";
import { type Script, startProvider } from "../../test/harness/scripted-provider.ts";
import { type Delta, ModelFailure } from "../contract/runs/model-call.ts";

const MODELS = ["anthropic/claude-sonnet-4-5", "chat/gpt-5", "responses/gpt-5", "google/gemini-2.5-pro", "own/qwen3"];
const good = { text: "Done.", usage: { input: 100, output: 10 } };

async function gateFollowing(script: Script, setup: Partial<GateSetup> = {}, key = "test") {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const at = { baseUrl: provider.url, apiKeyEnv: "TEST_KEY" };
  const providers = {
    anthropic: { kind: "anthropic", ...at },
    chat: { kind: "openai", api: "chat", ...at },
    responses: { kind: "openai", api: "responses", ...at },
    google: { kind: "google", ...at },
    own: { kind: "openai-compatible", ...at },
  };
  return { ...realGate({ providers, keys: { TEST_KEY: key }, ...setup }), provider };
}

async function failureOf(asked: Promise<unknown>): Promise<ModelFailure> {
  const error: unknown = await asked.then(
    () => "an answer",
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ModelFailure);
  return error as ModelFailure;
}

describe("a provider that fails", () => {
  const faults: [string, object][] = [
    ["is overloaded", { status: 529, error: { type: "overloaded_error", message: "Overloaded" } }],
    ["has too many requests", { status: 429, error: { type: "rate_limit_error", message: "Rate limit reached" } }],
    ["has a defect", { status: 500 }],
    ["is down for a moment", { status: 503, body: "<html>Service Unavailable</html>" }],
    ["breaks the connection off before it answers", { cutAfterBytes: 0 }],
    ["breaks off in the middle of its stream", { text: "Half of an answer, and then", cutAfterBytes: 700 }],
    [
      "reports an error in the middle of its stream",
      { text: "So far.", errorEvent: { type: "UNAVAILABLE", message: "Overloaded" } },
    ],
    ["sends garbage", { garbage: "data: {not json at all\n\ndata: 17\n\n" }],
    ["sends a page", { garbage: "<html><body>Welcome to the hotel network</body></html>" }],
    ["sends nothing", { garbage: "" }],
  ];

  it.each(MODELS.flatMap((model) => faults.map(([what, fault]) => [model, what, fault] as const)))(
    "%s: that %s is asked again, and the try is told of and charged only once",
    async (model, _, fault) => {
      const { gate, provider, waits } = await gateFollowing([fault, good]);
      const deltas: Delta[] = [];
      const answer = await ask(gate, model, { onDelta: (delta) => deltas.push(delta) });
      expect(answer).toMatchObject({ text: "Done.", usage: { input: 100, output: 10 } });
      expect(restartsIn(deltas)).toHaveLength(1);
      expect(provider.requests).toHaveLength(2);
      expect(waits).toEqual([375]);
      const afterRestart = deltas.slice(deltas.findIndex((delta) => delta.kind === "restart") + 1);
      expect(afterRestart).toEqual([{ kind: "text", text: "Done." }]);
    },
  );

  it("is given up after four tries with growing pauses, and the last word tells of all of them", async () => {
    const { gate, provider, waits } = await gateFollowing([
      { status: 500, error: { message: "first" } },
      { status: 503, error: { message: "second" } },
      { status: 500, error: { message: "third" } },
      { status: 502, error: { message: "fourth" } },
      good,
    ]);
    const failure = await failureOf(ask(gate, "anthropic/claude-sonnet-4-5"));
    expect(failure.kind).toBe("busy");
    for (const word of ["first", "second", "third", "fourth"]) expect(failure.message).toContain(word);
    expect(provider.requests).toHaveLength(4);
    expect(waits).toEqual([375, 750, 1_500]);
  });

  it("is left in peace for as long as it asks for", async () => {
    const headers: Record<string, string>[] = [
      { "retry-after": "7" },
      { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" },
      { "retry-after-ms": "1250" },
    ];
    const { gate, waits } = await gateFollowing([...headers.map((each) => ({ status: 429, headers: each })), good]);
    await ask(gate, "chat/gpt-5");
    expect(waits).toEqual([7_000, 9_000, 1_250]);
  });

  it("is not waited for when it asks for more than a minute, and that is said", async () => {
    const { gate, waits } = await gateFollowing([{ status: 429, headers: { "retry-after": "3600" } }]);
    const failure = await failureOf(ask(gate, "chat/gpt-5"));
    expect(failure).toMatchObject({ kind: "quota", message: expect.stringContaining("It asked to wait 3600 s.") });
    expect(waits).toEqual([]);
  });

  it.each(["before", "middle"])(
    "by falling silent (%s) is given up when the alarm rings, and asked again",
    async (when) => {
      const silent = {
        text: "A first half of an answer",
        hang: when === "middle" ? ("middle" as const) : (true as const),
      };
      const { gate, provider, alarms } = await gateFollowing([silent, good]);
      const deltas: Delta[] = [];
      const asked = ask(gate, "anthropic/claude-sonnet-4-5", { onDelta: (delta) => deltas.push(delta) });
      const request = await provider.request(0);
      alarms[0]?.ring();
      expect(await request.ended).toBe("aborted");
      expect((await asked).text).toBe("Done.");
      expect(restartsIn(deltas)).toEqual(["The provider sent nothing for 120 s."]);
      expect(alarms.every((alarm) => alarm.stopped)).toBe(true);
    },
  );

  it("cannot be reached at all, and that is said", async () => {
    const { gate, provider } = await gateFollowing([]);
    await provider.close();
    const failure = await failureOf(ask(gate, "own/qwen3"));
    expect(failure).toMatchObject({ kind: "unreachable" });
  });
});

describe("a provider that refuses", () => {
  const tooLong: [string, string][] = [
    ["anthropic/claude-sonnet-4-5", "prompt is too long: 210000 tokens > 200000 maximum"],
    ["anthropic/claude-sonnet-4-5", "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"],
    [
      "chat/gpt-5",
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    ],
    ["responses/gpt-5", "Your input exceeds the context window of this model. Please adjust your input and try again."],
    [
      "google/gemini-2.5-pro",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
    ["own/qwen3", "the request exceeds the available context size, try increasing it"],
    ["own/qwen3", "Your request exceeded model token limit: 262144"],
  ];
  it.each(tooLong)("%s: a prompt because of its length is too_long (%s)", async (model, message) => {
    const { gate, provider } = await gateFollowing([
      { status: 400, error: { type: "invalid_request_error", message } },
    ]);
    expect((await failureOf(ask(gate, model))).kind).toBe("too_long");
    expect(provider.requests).toHaveLength(1);
  });

  it.each(MODELS)("%s: a prompt because of its length, when it has begun to answer, is too_long", async (model) => {
    const errorEvent = { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" };
    const { gate, provider } = await gateFollowing([{ text: "Well", errorEvent }]);
    expect((await failureOf(ask(gate, model))).kind).toBe("too_long");
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    [401, "Incorrect API key provided", "no_key"],
    [403, "Permission denied", "no_key"],
    [404, "model: claude-x", "unknown_model"],
    [400, "foo is not a valid model ID", "unknown_model"],
    [413, "Request too large", "too_long"],
    [402, "Payment required", "quota"],
    [400, "Your credit balance is too low to access the API", "quota"],
    [429, "You exceeded your current quota, please check your plan and billing details. insufficient_quota", "quota"],
    [400, "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens", "refused"],
    [400, "messages.1: Invalid `signature` in `thinking` block", "refused"],
    [422, "something else", "refused"],
  ])("with %i and '%s' is not asked again: %s", async (status, message, kind) => {
    for (const model of MODELS) {
      const { gate, provider } = await gateFollowing([{ status, error: { message } }]);
      const failure = await failureOf(ask(gate, model));
      expect([model, failure.kind]).toEqual([model, kind]);
      expect(failure.message).toContain(`The provider answered ${status}`);
      expect(provider.requests).toHaveLength(1);
    }
  });

  it("in the shape of another server is quoted all the same", async () => {
    const { gate } = await gateFollowing([
      { status: 404, body: '{"error":"model \\"x\\" not found, try pulling it first"}' },
    ]);
    const failure = await failureOf(ask(gate, "own/x"));
    expect(failure).toMatchObject({ kind: "unknown_model", message: expect.stringContaining("try pulling it first") });
  });

  it("never gets its key into what is said about it", async () => {
    const key = "sk-ant-CANARY-0123456789";
    const echo = { status: 401, error: { message: `invalid x-api-key: ${key}` } };
    for (const model of MODELS) {
      const { gate, provider } = await gateFollowing([echo], {}, key);
      const failure = await failureOf(ask(gate, model));
      expect(JSON.stringify([failure, failure.message, failure.stack])).not.toContain("CANARY");
      const [request] = provider.requests;
      expect(`${request?.path} ${JSON.stringify(request?.body)}`).not.toContain("CANARY");
      expect(JSON.stringify(request?.headers)).toContain("CANARY");
    }
  });
});

describe("a call that is cancelled", () => {
  it.each(MODELS)("ends at %s at once, wherever it is, and gives its slot back", async (model) => {
    const { gate, provider } = await gateFollowing(
      ({ number }) => (number < 2 ? { text: "A long answer, of which", hang: number === 0 ? true : "middle" } : good),
      { limits: { modelCalls: 1 } },
    );
    for (const number of [0, 1]) {
      const cancelling = new AbortController();
      const asked = failureOf(ask(gate, model, { signal: cancelling.signal }));
      const request = await provider.request(number);
      cancelling.abort(new Error("enough"));
      expect((await asked).kind).toBe("cancelled");
      expect(await request.ended).toBe("aborted");
    }
    expect((await ask(gate, model)).text).toBe("Done.");
  });

  it("while it waits for another try is not tried again", async () => {
    const cancelling = new AbortController();
    const sleep = async (_: number, signal: AbortSignal) => {
      cancelling.abort();
      signal.throwIfAborted();
    };
    const { gate, provider } = await gateFollowing([{ status: 500 }, good], { sleep });
    const failure = await failureOf(ask(gate, "own/qwen3", { signal: cancelling.signal }));
    expect(failure.kind).toBe("cancelled");
    expect(provider.requests).toHaveLength(1);
  });

  it("before it begins reaches nobody", async () => {
    const { gate, provider } = await gateFollowing([good]);
    const failure = await failureOf(ask(gate, "own/qwen3", { signal: AbortSignal.abort() }));
    expect(failure.kind).toBe("cancelled");
    expect(provider.requests).toEqual([]);
  });

  it("while it waits for a slot leaves the queue", async () => {
    const { gate, provider } = await gateFollowing([{ hang: true }, good], { limits: { modelCalls: 1 } });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = failureOf(ask(gate, "own/qwen3", { signal: first.signal }));
    await provider.request(0);
    const waiting = failureOf(ask(gate, "own/qwen3", { signal: second.signal }));
    second.abort();
    expect((await waiting).kind).toBe("cancelled");
    first.abort();
    await running;
    expect((await ask(gate, "own/qwen3")).text).toBe("Done.");
    expect(provider.requests).toHaveLength(2);
  });
});
