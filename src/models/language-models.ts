import type { LanguageModelV4 } from "@ai-sdk/provider";
import { ModelFailure } from "../contract/model-call.ts";
import type { Provider } from "./providers.ts";
import { createTransport, type SetAlarm } from "./transport.ts";

const SILENCE_SECONDS = 120;

/** A connection to one model. The providers' packages are large; each is loaded when its first model is used. */
export async function createLanguageModel(
  provider: Provider,
  model: string,
  setAlarm: SetAlarm,
): Promise<LanguageModelV4> {
  const { name, kind, baseUrl, apiKey, keyNames } = provider;
  const silenceMs = (provider.silenceSeconds ?? SILENCE_SECONDS) * 1_000;
  const options = {
    fetch: createTransport({ silenceMs, setAlarm }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  };
  if (kind === "openai-compatible") {
    if (baseUrl === undefined)
      throw new ModelFailure("unknown_model", `Provider '${name}' needs a baseUrl in config.yml.`);
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const key = apiKey === undefined ? {} : { apiKey };
    return createOpenAICompatible({ ...options, ...key, name, baseURL: baseUrl, includeUsage: true }).chatModel(model);
  }
  // The packages would look into the environment by themselves; what is used must be what `GET /api/models` shows.
  if (apiKey === undefined)
    throw new ModelFailure("no_key", `Provider '${name}' has no key; put it into ${keyNames.join(" or ")}.`);
  switch (kind) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL: "https://api.anthropic.com/v1", ...options, apiKey })(model);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ ...options, apiKey })(model);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI({ baseURL: "https://api.openai.com/v1", ...options, apiKey });
      return provider.api === "responses" ? openai.responses(model) : openai.chat(model);
    }
  }
}
