import { Config } from "../../src/contract/documents/config.ts";
import type { Delta, Message, ModelAnswer, ModelRequest } from "../../src/contract/runs/model-call.ts";
import type { Bill } from "../../src/models/budget/call-budget.ts";
import { ModelGate } from "../../src/models/gate.ts";
import { createModel } from "../../src/models/language-models.ts";
import { ProviderPauses } from "../../src/models/provider-pauses.ts";
import { ProviderSource } from "../../src/models/provider-source.ts";
import { findProviders, type Keys } from "../../src/models/providers.ts";
import type { SetAlarm } from "../../src/models/wires/transport.ts";

export interface GateSetup {
  providers: Record<string, object>;
  keys?: Keys;
  models?: object;
  limits?: object;
  /** Replaces the pause between tries. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The real gate with the real provider packages, where time and chance are the test's. */
export function realGate(setup: GateSetup) {
  const config = Config.parse({ providers: setup.providers, models: setup.models ?? {}, limits: setup.limits ?? {} });
  const waits: number[] = [];
  const alarms: { ms: number; ring: () => void; stopped: boolean }[] = [];
  const setAlarm: SetAlarm = (ms, ring) => {
    const alarm = { ms, ring, stopped: false };
    alarms.push(alarm);
    const stop = () => {
      alarm.stopped = true;
    };
    return { putOff: () => undefined, stop };
  };
  const now = () => Date.parse("2026-01-01T00:00:00Z");
  const gate = new ModelGate({
    config,
    providers: findProviders(config, setup.keys ?? { TEST_KEY: "test" }),
    isOffline: false,
    offline: { ask: () => Promise.reject(new Error("nobody asked for the offline model")) },
    sourceOf: (provider) =>
      new ProviderSource({ provider, createModel: (asked, model) => createModel(asked, model, setAlarm), now }),
    sleep: async (ms, signal) => {
      waits.push(ms);
      await setup.sleep?.(ms, signal);
    },
    uptime: now,
    chance: () => 0.5,
    ...unlimited(now),
  });
  return { gate, waits, alarms };
}

/** Neither a budget nor a quota. */
export function unlimited(now: () => number) {
  const bill: Bill = { answered: () => undefined, uncounted: () => undefined, broken: () => undefined };
  const pauses = new ProviderPauses({
    now,
    uptime: now,
    sleep: async () => undefined,
    onPaused: () => undefined,
    onResumed: () => undefined,
    kept: [],
    keep: () => undefined,
  });
  return { budget: { admit: () => bill, room: async () => undefined, writable: async () => undefined }, pauses };
}

export interface Asking extends Partial<ModelRequest> {
  projectId?: string;
  signal?: AbortSignal;
  onDelta?: (delta: Delta) => void;
}

/** One call with everything that a test does not care about filled in. */
export function ask(gate: ModelGate, model: string, asking: Asking = {}): Promise<ModelAnswer> {
  const { projectId = "shop", signal = new AbortController().signal, onDelta = () => undefined, ...request } = asking;
  return gate.ask({ ...plainRequest(model), ...request }, { projectId, signal, onDelta });
}

export function plainRequest(model: string): ModelRequest {
  return { model, thinking: "off", system: "You are a coder.", tools: [READ], messages: [user("Fix the login.")] };
}

export const READ = {
  name: "read",
  description: "Read a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export function user(text: string): Message {
  return { role: "user", text };
}

/** Why tries failed before the one that was answered. */
export function restartsIn(deltas: Delta[]): string[] {
  return deltas.flatMap((delta) => (delta.kind === "restart" ? [delta.reason] : []));
}

/** The model's side of a conversation, from what it answered. */
export function spoken({ text, thinking, calls }: ModelAnswer): Message {
  return { role: "assistant", text, thinking, calls };
}
