import { ModelFailure } from "../contract/runs/model-call.ts";
import type { Provider } from "./providers.ts";
import { catching, DirectModel, type Model, packageModel } from "./wires/direct-model.ts";
import { createPost, createTransport, type SetAlarm, type TransportOptions } from "./wires/transport.ts";

/** Unless the provider's settings say otherwise. */
export const SILENCE_SECONDS = 120;
/** By then a first run waits for its process to start. */
const FETCH_AFTER_MS = 30;

/** A connection to one model. The providers' packages are large; each is loaded when its first model is used. */
export async function createModel(provider: Provider, model: string, setAlarm: SetAlarm): Promise<Model> {
  const { name, kind, baseUrl, apiKey, keyNames } = provider;
  // With `Headers`, which packages make for every call, Node.js loads its own `fetch`: that would take 18 ms of the first one.
  setTimeout(() => void globalThis.Headers, FETCH_AFTER_MS).unref();
  const silence = { silenceMs: (provider.silenceSeconds ?? SILENCE_SECONDS) * 1_000, setAlarm };
  const post = createPost(silence);
  const at = baseUrl === undefined ? {} : { baseURL: baseUrl };
  if (kind === "openai-compatible") {
    if (baseUrl === undefined)
      throw new ModelFailure("unknown_model", `Provider '${name}' needs a baseUrl in config.yml.`);
    const [{ createOpenAICompatible }, { chatFormat }] = await Promise.all([
      import("@ai-sdk/openai-compatible"),
      import("./wires/chat-wire.ts"),
    ]);
    const key = apiKey === undefined ? {} : { apiKey };
    const options = { ...key, name, baseURL: baseUrl, includeUsage: true, fetch: catching };
    const format = chatFormat({ takesThinking: true, wrapsFailures: false });
    return new DirectModel(createOpenAICompatible(options).chatModel(model), format, post);
  }
  // The packages would look into the environment by themselves; what is used must be what `GET /api/models` shows.
  if (apiKey === undefined)
    throw new ModelFailure("no_key", `Provider '${name}' has no API key. Set ${keyNames.join(" or ")}.`);
  switch (kind) {
    case "anthropic": {
      const [{ createAnthropic }, { anthropicFormat }] = await Promise.all([
        import("@ai-sdk/anthropic"),
        import("./wires/anthropic-wire.ts"),
      ]);
      const anthropic = createAnthropic({ baseURL: "https://api.anthropic.com/v1", ...at, apiKey, fetch: catching });
      return new DirectModel(anthropic(model), anthropicFormat(), post);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return packageModel(createGoogle({ ...at, apiKey, fetch: createTransport(silence) })(model));
    }
    case "openai":
      return openAiModel(provider, model, { ...at, apiKey, silence });
  }
}

interface OpenAiOptions {
  apiKey: string;
  baseURL?: string;
  silence: TransportOptions;
}

async function openAiModel({ api }: Provider, model: string, options: OpenAiOptions): Promise<Model> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { silence, ...rest } = options;
  const at = { baseURL: "https://api.openai.com/v1", ...rest };
  if (api === "responses")
    return packageModel(createOpenAI({ ...at, fetch: createTransport(silence) }).responses(model));
  const { chatFormat } = await import("./wires/chat-wire.ts");
  const format = chatFormat({ takesThinking: false, wrapsFailures: true });
  return new DirectModel(createOpenAI({ ...at, fetch: catching }).chat(model), format, createPost(silence));
}
