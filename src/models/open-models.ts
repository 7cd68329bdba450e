import { setTimeout as delay } from "node:timers/promises";
import { type Config, OFFLINE_PROVIDER } from "../contract/documents/config.ts";
import type { ModelsReport } from "../contract/routes/model-routes.ts";
import type { RouteResponse } from "../contract/routes/routes.ts";
import { ModelFailure } from "../contract/runs/model-call.ts";
import { TESTS_PAYER } from "../contract/runs/payers.ts";
import type { Files } from "../store/files/files.ts";
import { failureText, isPassing } from "../store/files/regular-file.ts";
import type { CallBudget } from "./budget/call-budget.ts";
import { ModelGate } from "./gate.ts";
import type { Word } from "./keys/provider-check.ts";
import { createModel } from "./language-models.ts";
import { liveDiscovery } from "./model-discovery.ts";
import { offlineModel } from "./offline/offline-model.ts";
import { PlaybookFolder } from "./offline/playbook-folder.ts";
import { type PausePorts, ProviderPauses } from "./provider-pauses.ts";
import { ProviderSource } from "./provider-source.ts";
import { type Keys, OFFLINE_MODEL, type Provider } from "./providers.ts";
import { choosePreset, resolveTeam } from "./team-models.ts";
import { realAlarm } from "./wires/transport.ts";

const TEST_MS = 30_000;
const KEY_TEST_MS = 15_000;

export interface ModelsOptions {
  config: Config;
  /** The secrets and, before them, the environment. */
  keys: Keys;
  /** Has changed keys and settings read, and answers a number that differs when keys may have changed. */
  look: () => number;
  isInEnvironment: (variable: string) => boolean;
  /** The workspace, for its playbooks. */
  files: Files;
  clock: () => Date;
  budget: CallBudget;
  pausing: Pick<PausePorts, "onPaused" | "onResumed" | "kept" | "keep">;
  /** What a text says without keys: a server may repeat the one it was sent. */
  redact?: (text: string) => string;
  /** Who carries out a run, for playbooks that are for certain roles. */
  roleOf: (runId: string) => { id: string; name: string } | undefined;
}

/** Everything the house needs of models, wired. */
export interface Models {
  gate: ModelGate;
  pauses: ProviderPauses;
  /** As far as is known now; `settle` finds out what is not. */
  defaultModel(): string;
  /** Resolves when the default is certain. Looks for local models only when the default hangs on it. */
  settle(): Promise<void>;
  /** Why a model cannot be asked, found out without asking it; undefined when it can. */
  whyNot(model: string): string | undefined;
  /** Whether the offline model answers in its place. */
  isPlayed(model: string): boolean;
  /** Those that are known now, also without a key. */
  providers(): readonly Provider[];
  /** Asks a model of a provider that need not be known yet for one word, within the budget. Never rejects. */
  askOnce(provider: Provider, model: string): Promise<Word>;
  report(): Promise<ModelsReport>;
  test(model: string | undefined): Promise<RouteResponse<"testModel">>;
}

export function openModels(options: ModelsOptions): Models {
  const { config } = options;
  const discovery = liveDiscovery(options);
  const theDefault = () => discovery().defaultModel();
  const playbooks = new PlaybookFolder(options.files);
  const now = () => options.clock().getTime();
  const pauses = new ProviderPauses({ now, uptime, sleep, ...options.pausing });
  const available = () => {
    const { isOffline, found, ollama } = discovery();
    return { isOffline, providers: ollama === undefined ? found : [...found, ollama] };
  };
  const gate = openGate(options, { pauses, available, playbooks });
  return {
    gate,
    pauses,
    defaultModel: theDefault,
    settle: async () => {
      if (theDefault() === OFFLINE_MODEL && config.models.default === undefined) await discovery().local?.look();
    },
    whyNot: (model) => whyNot(gate, model),
    isPlayed: (model) => discovery().isOffline || model.startsWith(`${OFFLINE_PROVIDER}/`),
    providers: () => available().providers,
    askOnce: (provider, model) => {
      const apart = { now, uptime, sleep, kept: [], keep: nothing, onPaused: nothing, onResumed: nothing };
      const ownGate = openGate(options, {
        pauses: new ProviderPauses(apart),
        available: () => ({ isOffline: false, providers: [provider] }),
        playbooks,
      });
      return askForWord(ownGate, `${provider.name}/${model}`, KEY_TEST_MS);
    },
    report: async () => {
      return {
        ...(await discovery().report()),
        team: teamReport(config, gate, theDefault()),
        playbooks: playbooks.names(),
      };
    },
    test: async (model) => {
      if (model === undefined) await discovery().local?.look();
      return testModel(gate, model ?? theDefault(), options.redact);
    },
  };
}

interface GateParts {
  available: () => { isOffline: boolean; providers: readonly Provider[] };
  playbooks: PlaybookFolder;
  pauses: ProviderPauses;
}

const uptime = () => performance.now();
const nothing = () => undefined;

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

function openGate({ config, clock, budget, roleOf }: ModelsOptions, parts: GateParts): ModelGate {
  const { available, playbooks, pauses } = parts;
  const now = () => clock().getTime();
  return new ModelGate({
    config,
    get providers() {
      return available().providers;
    },
    get isOffline() {
      return available().isOffline;
    },
    offline: offlineModel({ playbooks, sleep, roleOf }),
    sourceOf: (provider) =>
      new ProviderSource({ provider, createModel: (asked, model) => createModel(asked, model, realAlarm), now }),
    sleep,
    uptime,
    chance: Math.random,
    budget,
    pauses,
  });
}

function whyNot(gate: ModelGate, model: string): string | undefined {
  try {
    gate.assertKnown(model);
    return undefined;
  } catch (error) {
    if (isPassing(error)) throw error;
    return failureText(error);
  }
}

function teamReport({ agentTeams: settings }: Config, gate: ModelGate, theDefault: string): ModelsReport["team"] {
  const choice = { settings, whyNot: (model: string) => whyNot(gate, model) };
  const fallback = { value: theDefault, because: "the default model, unless the role sets one" };
  const ranks = Object.entries(resolveTeam(choice, fallback)).map(([rank, { value, because }]) => {
    const problem = whyNot(gate, value);
    return [rank, { model: value, because, ...(problem === undefined ? {} : { problem }) }];
  });
  return {
    ...(settings.enabled ? { preset: choosePreset(choice) } : {}),
    ranks: Object.fromEntries(ranks),
  };
}

async function testModel(
  gate: ModelGate,
  model: string,
  redact = (text: string) => text,
): Promise<RouteResponse<"testModel">> {
  const word = await askForWord(gate, model, TEST_MS);
  if (!word.ok) return { ok: false, model, ms: word.ms, error: redact(word.failure.message), cause: word.failure.kind };
  const { ms, text, costUsd, model: asked } = word;
  return { ok: true, model: asked, ms, text: redact(text).slice(0, 100), costUsd };
}

/** The smallest request that shows whether a model answers. */
async function askForWord(gate: ModelGate, model: string, withinMs: number): Promise<Word> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  const signal = AbortSignal.timeout(withinMs);
  try {
    const answer = await gate.ask(
      {
        model,
        thinking: "off",
        system: "Answer with one word.",
        tools: [],
        messages: [{ role: "user", text: "Say hello." }],
        maxTokens: 16,
      },
      { projectId: TESTS_PAYER, signal, onDelta: nothing },
    );
    return { ok: true, model: answer.model, ms: took(), text: answer.text, costUsd: answer.costUsd };
  } catch (error) {
    const failure = error instanceof ModelFailure ? error : new ModelFailure("broken", String(error));
    const isLate = signal.aborted && failure.kind === "cancelled";
    return { ok: false, ms: took(), failure: isLate ? late(withinMs) : failure };
  }
}

function late(withinMs: number): ModelFailure {
  return new ModelFailure("timeout", `The model did not answer within ${withinMs / 1_000} seconds.`);
}
