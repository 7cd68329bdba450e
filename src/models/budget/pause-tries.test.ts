import { describe, expect, it } from "vitest";
import { plainRequest, unlimited } from "../../../test/fakes/gate.ts";
import { Config } from "../../contract/documents/config.ts";
import { ModelFailure, PassingFailure } from "../../contract/runs/model-call.ts";
import { ModelGate, type SourceAnswer } from "../gate.ts";
import { findProviders } from "../providers.ts";
import type { Caller } from "./admission.ts";

const MODEL = "own/m";
const answer: SourceAnswer = {
  text: "Hello.",
  thinking: [],
  calls: [],
  finish: "end",
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  measured: true,
};
const spent = () => new ModelFailure("quota", "Nothing left.", 1_000);

/** A gate whose provider is due to be tried again after a pause. */
function gateAfterPause() {
  const config = Config.parse({
    providers: { own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9" } },
  });
  const time = { now: 0 };
  const limits = unlimited(() => time.now);
  limits.pauses.pause("own", spent());
  time.now = 1_000;
  const outcomes: (ModelFailure | SourceAnswer)[] = [];
  const gate = new ModelGate({
    config,
    providers: findProviders(config, { TEST_KEY: "test" }),
    isOffline: false,
    offline: { ask: () => Promise.reject(new Error("nobody asked for it")) },
    sourceOf: () => ({
      ask: async () => {
        const outcome = outcomes.shift() ?? answer;
        if (outcome instanceof ModelFailure) throw outcome;
        return outcome;
      },
    }),
    sleep: async () => undefined,
    uptime: () => 0,
    chance: () => 0,
    ...limits,
  });
  const signal = AbortSignal.timeout(2_000);
  const ask = (runId?: string, more: Partial<Caller> = {}) =>
    gate.ask(plainRequest(MODEL), { projectId: "shop", runId, signal, onDelta: () => undefined, ...more });
  return { ask, outcomes, time, ...limits };
}

describe("the call that tries a provider after a pause", () => {
  it("leaves it to another one when it is nobody's run and is refused", async () => {
    const { ask, outcomes } = gateAfterPause();
    outcomes.push(spent());
    await expect(ask()).rejects.toMatchObject({ kind: "quota" });
    expect(await ask("run-1")).toMatchObject({ text: "Hello." });
  });

  it("is one that failed before, once those that had not failed are refused or cancelled", async () => {
    const { ask, pauses, time } = gateAfterPause();
    const failed = {};
    const trouble = { call: failed, since: 0, recently: 0, rounds: 0, isLast: true };
    expect(pauses.putOff("own", new PassingFailure("unreachable", "Away."), trouble)).toBe(true);
    await expect(ask()).rejects.toMatchObject({ kind: "quota" });
    const cancelled = AbortSignal.abort();
    await expect(ask("run-1", { isPatient: true, signal: cancelled })).rejects.toMatchObject({ kind: "cancelled" });
    time.now += 60_000;
    expect(pauses.standing("own", failed)).toBeUndefined();
  });

  it("leaves it to another one when it cannot be written down", async () => {
    const { ask, budget } = gateAfterPause();
    const { admit } = budget;
    budget.admit = () => {
      budget.admit = admit;
      throw new ModelFailure("broken", "The ledger cannot be written.");
    };
    expect(await ask("run-1")).toMatchObject({ text: "Hello." });
  });
});
