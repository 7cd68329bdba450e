import { isDeepStrictEqual } from "node:util";
import { backoffMs } from "../contract/backoff.ts";
import type { Config, Price } from "../contract/documents/config.ts";
import { OFFLINE_PROVIDER } from "../contract/documents/config.ts";
import {
  type Delta,
  type ModelAnswer,
  ModelFailure,
  type ModelRequest,
  PassingFailure,
} from "../contract/runs/model-call.ts";
import { Slots } from "../workspace/slots.ts";
import { Admission, type Caller, Received } from "./budget/admission.ts";
import type { CallBudget } from "./budget/call-budget.ts";
import { costOf, priceOf } from "./budget/prices.ts";
import { CallTries } from "./call-tries.ts";
import type { ProviderPauses } from "./provider-pauses.ts";
import { OFFLINE_MODEL, type Provider, whatIsMissing } from "./providers.ts";

const RETRY = { firstMs: 500, longestMs: 30_000 };

export type SourceCall = Pick<Caller, "signal" | "onDelta" | "runId">;

export type SourceAnswer = Pick<ModelAnswer, "text" | "thinking" | "calls" | "finish" | "usage" | "rehearsed"> & {
  /** False: the tokens are a guess. */
  measured: boolean;
};

/** One way to reach models: a provider's, or the offline one. Rejects with ModelFailure only. */
export interface ModelSource {
  ask(request: ModelRequest, model: string, call: SourceCall): Promise<SourceAnswer>;
  /** Gets ready for a first call that is likely to come. */
  prepare?(model: string): void;
  /** Throws when a model cannot be asked, without asking it. */
  assertKnown?(model: string): void;
}

export interface GateOptions {
  config: Config;
  /** This and `isOffline` are asked for each call: both may change. */
  readonly providers: readonly Provider[];
  /** Plays every model, whatever its name, when the hall is offline. */
  readonly isOffline: boolean;
  offline: ModelSource;
  sourceOf: (provider: Provider) => ModelSource;
  /** Rejects when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds of a clock that never jumps. */
  uptime: () => number;
  /** From 0 to 1. */
  chance: () => number;
  budget: Pick<CallBudget, "admit" | "room" | "writable">;
  pauses: ProviderPauses;
}

interface Place {
  source: ModelSource;
  slots: Slots;
  /** As its source knows it. */
  name: string;
  /** As the house knows it. */
  id: string;
  provider: string;
}

type Reached = Pick<Place, "source" | "slots">;

interface KeptPlace extends Reached {
  /** As it was when the source was made; undefined for the offline model. */
  provider: Provider | undefined;
  concurrency: number;
}

/** The one gate to language models. Every call of the house passes here; nothing else holds keys. */
export class ModelGate {
  readonly #options: GateOptions;
  readonly #admission: Admission;
  readonly #places = new Map<string, KeptPlace>();

  constructor(options: GateOptions) {
    this.#options = options;
    const { config, budget, pauses } = options;
    this.#admission = new Admission({ budget, pauses, slots: new Slots(config.limits.modelCalls) });
  }

  /** The answer of the model, after as many tries as make sense. Rejects with ModelFailure only. */
  async ask(request: ModelRequest, caller: Caller): Promise<ModelAnswer> {
    let place: Place | undefined = this.#locate(request.model);
    const { provider } = place;
    const tries = new CallTries(caller, this.#options.uptime);
    for (;;) {
      try {
        place ??= this.#locate(request.model);
        return await this.#try(place, request, caller);
      } catch (error) {
        place = undefined;
        const failure = failureOf(error, caller.signal);
        if (this.#waits(provider, failure, { caller, tries })) continue;
        if (!isWorthAnother(failure) || tries.isLast) throw afterTries(failure, tries.texts);
        tries.count(failure);
        const waitMs = this.#waitAfter(failure, tries.texts.length);
        caller.onDelta({ kind: "restart", reason: failure.message, waitMs });
        await this.#pause(waitMs, caller.signal);
      }
    }
  }

  /** Whether the call is sent again when its provider takes calls; only patient ones wait for that. */
  #waits(provider: string, failure: ModelFailure, { caller, tries }: { caller: Caller; tries: CallTries }): boolean {
    const { pauses } = this.#options;
    if (caller.isPatient !== true) return false;
    if (failure.kind === "quota") {
      pauses.pause(provider, failure);
      return true;
    }
    if (!(failure instanceof PassingFailure)) return false;
    const trouble = tries.met((time) => pauses.wasAnsweredSince(provider, time));
    if (!pauses.putOff(provider, failure, trouble)) return false;
    tries.wait();
    // What came of its answer is void.
    if (failure.outage === "failing") caller.onDelta({ kind: "restart", reason: failure.message, waitMs: 0 });
    return true;
  }

  /** Throws when a model cannot be asked, without asking it. */
  assertKnown(model: string): void {
    const { source, name } = this.#locate(model);
    source.assertKnown?.(name);
  }

  /** Gets ready for a model that is about to be asked. Never fails. */
  prepare(model: string): void {
    try {
      const { source, name } = this.#locate(model);
      source.prepare?.(name);
    } catch {
      // Whoever asks it will be told.
    }
  }

  async #try(place: Place, request: ModelRequest, caller: Caller): Promise<ModelAnswer> {
    const { slots, name, id, provider } = place;
    const { pauses } = this.#options;
    const { signal, runId } = caller;
    const price = this.#priceOf(id);
    const { bill, release } = await this.#admission.admit({ request, model: id, price, provider, slots }, caller);
    const received = new Received();
    try {
      // While it waited, the provider may have got another key.
      const { source } = this.#locate(request.model);
      const onDelta = (delta: Delta) => caller.onDelta(received.count(delta));
      const { measured, ...answer } = await source.ask(request, name, { signal, runId, onDelta });
      // A price may have been set while it waited.
      const cost = costOf(answer.usage, this.#priceOf(id));
      const answered = { ...answer, model: id, costUsd: measured || cost === 0 ? cost : null };
      caller.onAnswer?.(answered);
      if (measured) bill?.answered({ ...answer.usage, usd: cost });
      else bill?.uncounted(answer.usage.output);
      pauses.answered(provider);
      return answered;
    } catch (error) {
      const failure = failureOf(error, caller.signal);
      bill?.broken(received.paid(failure));
      const isPutOff = failure.kind === "quota" || failure instanceof PassingFailure;
      // A patient call has the pause go on; any other is over with this.
      if (failure.kind === "cancelled" || (isPutOff && caller.isPatient !== true)) pauses.gaveUp(provider);
      else if (!isPutOff) pauses.passed(provider);
      throw error;
    } finally {
      release();
    }
  }

  #priceOf(model: string): Price | undefined {
    return priceOf(model, this.#options.config);
  }

  #locate(id: string): Place {
    const { isOffline, offline, providers, sourceOf, config } = this.#options;
    const slash = id.indexOf("/");
    const [name, model] = [id.slice(0, slash), id.slice(slash + 1)];
    if (name === OFFLINE_PROVIDER)
      return {
        ...this.#place(name, undefined, { source: () => offline, concurrency: config.limits.modelCalls }),
        name: model,
        id,
        provider: name,
      };
    if (isOffline) return this.#locate(OFFLINE_MODEL);
    if (slash < 1 || model === "")
      throw new ModelFailure("unknown_model", `'${id}' is not a model; models are named 'provider/model'.`);
    const missing = whatIsMissing(name, providers);
    const provider = providers.find((candidate) => candidate.name === name);
    if (missing !== undefined || provider === undefined) {
      const kind = provider === undefined ? "unknown_model" : "no_key";
      throw new ModelFailure(kind, `Model '${id}' is not available: ${missing}.`);
    }
    return {
      ...this.#place(name, provider, {
        source: () => sourceOf(provider),
        concurrency: provider.concurrency ?? config.limits.modelCalls,
      }),
      name: model,
      id,
      provider: name,
    };
  }

  /** The same source as before, unless the provider's key, address or another setting has changed since. */
  #place(
    name: string,
    provider: Provider | undefined,
    made: { source: () => ModelSource; concurrency: number },
  ): Reached {
    const { concurrency } = made;
    const known = this.#places.get(name);
    if (known !== undefined && isDeepStrictEqual(known.provider, provider)) return known;
    const slots = known?.concurrency === concurrency ? known.slots : new Slots(concurrency);
    const place = { source: made.source(), slots, provider, concurrency };
    this.#places.set(name, place);
    return place;
  }

  #waitAfter({ retryAfterMs }: ModelFailure, tries: number): number {
    return retryAfterMs ?? backoffMs(RETRY, tries, this.#options.chance);
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.sleep(milliseconds, signal);
    } catch {
      throw new ModelFailure("cancelled", "The call was cancelled.");
    }
  }
}

function failureOf(error: unknown, signal: AbortSignal): ModelFailure {
  if (signal.aborted) return new ModelFailure("cancelled", "The call was cancelled.");
  return error instanceof ModelFailure ? error : new ModelFailure("broken", String(error));
}

function isWorthAnother({ kind }: ModelFailure): boolean {
  return kind === "busy" || kind === "broken" || kind === "unreachable" || kind === "timeout";
}

/** Nothing of what was tried is left out of the last word. */
function afterTries(failure: ModelFailure, failures: readonly string[]): ModelFailure {
  if (failures.length === 0 || failure.kind === "cancelled") return failure;
  const before = [...new Set(failures)].filter((message) => message !== failure.message).join(" ");
  const told = `${failure.message} Gave up after ${failures.length + 1} attempts.${before === "" ? "" : ` Earlier errors: ${before}`}`;
  return new ModelFailure(failure.kind, told, failure.retryAfterMs);
}
