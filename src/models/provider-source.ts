import {
  type Delta,
  ModelFailure,
  type ModelRequest,
  PassingFailure,
  type Usage,
} from "../contract/runs/model-call.ts";
import { tokensIn } from "../contract/words/tokens.ts";
import { AnswerBuilder, type Gathered } from "./answer-builder.ts";
import type { RefusableSetting } from "./call-options.ts";
import { asModelFailure, refusedSetting } from "./failures.ts";
import type { ModelSource, SourceAnswer, SourceCall } from "./gate.ts";
import type { Provider } from "./providers.ts";
import type { Model } from "./wires/direct-model.ts";

/** Shorter keys are words that a message may well contain for other reasons. */
const SHORTEST_SECRET = 8;

export interface ProviderSourceOptions {
  provider: Provider;
  createModel: (provider: Provider, model: string) => Promise<Model>;
  now: () => number;
}

/** Asks the models of one provider. */
export class ProviderSource implements ModelSource {
  readonly #options: ProviderSourceOptions;
  readonly #models = new Map<string, Promise<Model>>();
  readonly #refused = new Map<string, Set<RefusableSetting>>();

  constructor(options: ProviderSourceOptions) {
    this.#options = options;
  }

  /** Gets ready for the first call of a model, which takes the time of loading its provider's package. */
  prepare(model: string): void {
    this.#model(model).catch(() => undefined);
  }

  async ask(request: ModelRequest, model: string, call: SourceCall): Promise<SourceAnswer> {
    const { signal } = call;
    signal.throwIfAborted();
    let over = false;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(new ModelFailure("cancelled", "The call was cancelled."));
    signal.addEventListener("abort", abort, { once: true });
    const onDelta = (delta: Delta) => {
      if (!over) call.onDelta(delta);
    };
    try {
      // Whatever the provider's package does about an abort, nobody waits for it.
      const gathered = await Promise.race([this.#stream(request, model, { signal, onDelta }), aborted]);
      return {
        ...gathered,
        usage: gathered.usage ?? estimated(request, gathered),
        measured: gathered.usage !== undefined,
      };
    } catch (error) {
      throw this.#failureOf(error, model);
    } finally {
      over = true;
      signal.removeEventListener("abort", abort);
    }
  }

  async #stream(request: ModelRequest, model: string, { signal, onDelta }: SourceCall): Promise<Gathered> {
    const { provider } = this.#options;
    const target = { provider, model, without: this.#refused.get(model) ?? new Set<RefusableSetting>() };
    const asked = await this.#model(model);
    let hasBegun = false;
    const builder = new AnswerBuilder((delta) => {
      hasBegun = true;
      onDelta(delta);
    });
    await asked.stream(request, target, { signal, emit: (part) => builder.add(part) });
    const gathered = builder.answer();
    if (gathered === undefined) throw brokenOff(hasBegun);
    return gathered;
  }

  #model(model: string): Promise<Model> {
    let created = this.#models.get(model);
    if (created === undefined) {
      created = this.#options.createModel(this.#options.provider, model);
      this.#models.set(model, created);
      created.catch(() => this.#models.delete(model));
    }
    return created;
  }

  #failureOf(error: unknown, model: string): ModelFailure {
    const failure = asModelFailure(error, this.#options.now);
    const message = this.#withoutKey(failure.message);
    const setting = refusedSetting(error);
    const refused = this.#refused.get(model) ?? new Set();
    if (failure instanceof PassingFailure) return new PassingFailure(failure.outage, message, failure);
    if (setting === undefined || refused.has(setting))
      return new ModelFailure(failure.kind, message, failure.retryAfterMs);
    this.#refused.set(model, refused.add(setting));
    return new ModelFailure("busy", `${message} Retrying without the ${setting} setting.`, 0);
  }

  /** A server may repeat what it was sent, and the message ends up in journals and logs. */
  #withoutKey(message: string): string {
    const { apiKey = "" } = this.#options.provider;
    return apiKey.length < SHORTEST_SECRET ? message : message.replaceAll(apiKey, "[key]");
  }
}

/** Half an answer means that the connection was lost; a whole one that says nothing is the same the next time. */
function brokenOff(hasBegun: boolean): ModelFailure {
  const message = "The provider's stream ended too early.";
  return hasBegun ? new PassingFailure("failing", message) : new ModelFailure("broken", message);
}

/** For a server that does not count: better a guess than nothing at all, and never a price from it. */
function estimated({ system, tools, messages }: ModelRequest, { text, thinking, calls }: Gathered): Usage {
  const tokens = (value: unknown) => tokensIn((JSON.stringify(value) ?? "").length);
  return {
    input: tokens([system, tools, messages]),
    output: tokens([text, thinking, calls]),
    cacheRead: 0,
    cacheWrite: 0,
    reasoning: 0,
  };
}
