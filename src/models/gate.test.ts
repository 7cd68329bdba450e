import { describe, expect, it, onTestFinished } from "vitest";
import { ask, plainRequest, realGate, unlimited } from "../../test/fakes/gate.ts";
import { startProvider } from "../../test/harness/scripted-provider.ts";
import { Config } from "../contract/documents/config.ts";
import { type ModelAnswer, ModelFailure } from "../contract/runs/model-call.ts";
import type { Bill } from "./budget/call-budget.ts";
import { type GateOptions, ModelGate, type ModelSource } from "./gate.ts";
import { findProviders } from "./providers.ts";

const KEYS = { ONE_KEY: "test", OTHER_KEY: "test" };
const at = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9", apiKeyEnv: "ONE_KEY" } as const;
const answer = {
  text: "Done.",
  thinking: [],
  calls: [],
  finish: "end" as const,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  measured: true,
};

/** A source whose answers wait until the test gives them. */
function patientSource() {
  const asked: { model: string; answer: () => void; fail: (error: unknown) => void }[] = [];
  const source: ModelSource = {
    ask: (_, model) =>
      new Promise((resolve, reject) => asked.push({ model, answer: () => resolve(answer), fail: reject })),
  };
  return { asked, source };
}

interface GateSettings {
  config?: object;
  isOffline?: boolean;
  offline?: ModelSource;
  budget?: GateOptions["budget"];
}

function gateWith(source: ModelSource, settings: GateSettings = {}) {
  const config = Config.parse({ providers: { one: at, other: { ...at, concurrency: 1 } }, ...settings.config });
  return new ModelGate({
    config,
    providers: findProviders(config, KEYS),
    isOffline: settings.isOffline ?? false,
    offline: settings.offline ?? { ask: async () => ({ ...answer, text: "offline" }) },
    sourceOf: () => source,
    sleep: async () => undefined,
    uptime: () => 0,
    chance: () => 0,
    ...unlimited(() => 0),
    ...(settings.budget === undefined ? {} : { budget: settings.budget }),
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the gate", () => {
  it("lets through as many calls as the hall and each provider allow", async () => {
    const { asked, source } = patientSource();
    const gate = gateWith(source, { config: { limits: { modelCalls: 3 } } });
    const all = ["other/m", "other/m", "one/m", "one/m", "one/m"].map((model) => ask(gate, model));
    await settled();
    expect(asked.map(({ model }) => model)).toHaveLength(3);
    for (let n = 0; n < 5; n++) {
      asked[n]?.answer();
      await settled();
    }
    await Promise.all(all);
    expect(asked).toHaveLength(5);
  });

  it("serves a project that comes later before the queue of another", async () => {
    const { asked, source } = patientSource();
    const gate = gateWith(source, { config: { limits: { modelCalls: 1 } } });
    const order: string[] = [];
    const all = ["busy", "busy", "busy", "late"].map((projectId) =>
      ask(gate, "one/m", { projectId }).then(() => order.push(projectId)),
    );
    for (let n = 0; n < 4; n++) {
      await settled();
      asked[n]?.answer();
    }
    await Promise.all(all);
    expect(order).toEqual(["busy", "late", "busy", "busy"]);
  });

  it("hands an answer on before its cost is written down, with the cost", async () => {
    const order: string[] = [];
    const bill: Bill = {
      answered: ({ usd }) => order.push(`wrote ${usd}`),
      uncounted: () => undefined,
      broken: () => undefined,
    };
    const source: ModelSource = { ask: async () => ({ ...answer, measured: true }) };
    const gate = gateWith(source, {
      config: { models: { prices: { "one/m": { input: 1_000_000, output: 0 } } } },
      budget: { ...unlimited(() => 0).budget, admit: () => bill },
    });
    const onAnswer = ({ text, costUsd }: ModelAnswer) => order.push(`${text} for ${costUsd}`);
    const caller = { projectId: "shop", signal: new AbortController().signal, onDelta: () => undefined, onAnswer };
    const { costUsd } = await gate.ask(plainRequest("one/m"), caller);
    expect(order).toEqual([`${answer.text} for ${costUsd}`, `wrote ${costUsd}`]);
  });

  it("gives the slot back whatever becomes of a call", async () => {
    const faults = [
      new ModelFailure("refused", "no"),
      new ModelFailure("busy", "later", 0),
      new TypeError("a defect"),
      "not even an error",
    ];
    const source: ModelSource = { ask: () => Promise.reject(faults.shift() ?? new ModelFailure("quota", "none left")) };
    const gate = gateWith(source, { config: { limits: { modelCalls: 1 } } });
    for (let n = 0; n < 6; n++) await expect(ask(gate, "one/m")).rejects.toBeInstanceOf(ModelFailure);
  });

  it("waits for another try without holding a slot", async () => {
    const { promise: meanwhile, resolve: goOn } = Promise.withResolvers<void>();
    const provider = await startProvider(({ model }) => (model === "flaky" ? { status: 500 } : { text: "Done." }));
    onTestFinished(() => provider.close());
    const { gate } = realGate({
      providers: { own: { kind: "openai-compatible", baseUrl: provider.url } },
      limits: { modelCalls: 1 },
      sleep: () => meanwhile,
    });
    const flaky = ask(gate, "own/flaky").catch(() => undefined);
    await provider.request(0);
    expect((await ask(gate, "own/steady")).text).toBe("Done.");
    goOn();
    await flaky;
  });

  it("knows without asking which models it cannot ask, and says what is missing", () => {
    const config = {
      providers: {
        keyless: { kind: "anthropic", apiKeyEnv: "MY_KEY" },
        claude: { kind: "anthropic" },
        own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9" },
      },
    };
    const gate = gateWith(patientSource().source, { config });
    expect(() => gate.assertKnown("own/m")).not.toThrow();
    expect(() => gate.assertKnown("keyless/m")).toThrow(/MY_KEY.*guildhall key set keyless/);
    expect(() => gate.assertKnown("claude/m")).toThrow(/ANTHROPIC_API_KEY/);
    expect(() => gate.assertKnown("openai/gpt-5")).toThrow(/OPENAI_API_KEY/);
    expect(() => gate.assertKnown("nobody/m")).toThrow(/known providers: offline, anthropic, .*keyless, claude, own/);
    for (const nonsense of ["", "m", "/m", "own/"])
      expect(() => gate.assertKnown(nonsense)).toThrow(/'provider\/model'/);
  });

  it("lets the offline model play every model when the hall is offline, and says so", async () => {
    const gate = gateWith({ ask: () => Promise.reject(new Error("the provider was asked")) }, { isOffline: true });
    expect(await ask(gate, "one/m")).toMatchObject({ text: "offline", model: "offline/rehearsal", costUsd: 0 });
    expect(await ask(gate, "offline/demo")).toMatchObject({ text: "offline", model: "offline/demo", costUsd: 0 });
  });

  it("gets a model ready before it is asked, and minds no failure in that", async () => {
    const prepared: string[] = [];
    const gate = gateWith({ ...patientSource().source, prepare: (model) => prepared.push(model) });
    gate.prepare("one/m");
    gate.prepare("nobody/m");
    expect(prepared).toEqual(["m"]);
  });
});
