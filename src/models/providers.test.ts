import { describe, expect, it } from "vitest";
import { Config } from "../contract/documents/config.ts";
import { completeBaseUrl } from "./base-url.ts";
import { defaultModel, findProviders, localOllama, whatIsMissing } from "./providers.ts";

const found = (config: object, keys: Record<string, string | undefined> = {}) =>
  findProviders(Config.parse(config), keys);

describe("providers", () => {
  it("are found by their well-known keys, and only then", () => {
    expect(found({})).toEqual([]);
    const keys = { ANTHROPIC_API_KEY: "a", GEMINI_API_KEY: " g\n", OPENAI_API_KEY: "", KIMI_API_KEY: "k" };
    expect(found({}, keys)).toMatchObject([
      { name: "anthropic", kind: "anthropic", source: "environment", apiKey: "a" },
      { name: "google", kind: "google", source: "environment", apiKey: "g" },
      { name: "kimi-coding", kind: "anthropic", source: "environment", apiKey: "k" },
    ]);
  });

  it("of config.yml win over what is found, and take their key from the variable they name", () => {
    const config = {
      providers: { anthropic: { kind: "anthropic", baseUrl: "http://127.0.0.1:1", apiKeyEnv: "MINE" } },
    };
    expect(found(config, { ANTHROPIC_API_KEY: "usual", MINE: "mine" })).toMatchObject([
      { name: "anthropic", source: "config", baseUrl: "http://127.0.0.1:1/v1", apiKey: "mine" },
    ]);
    expect(found(config, { ANTHROPIC_API_KEY: "usual" })[0]?.apiKey).toBeUndefined();
  });

  it("of config.yml use their kind's usual key, which is never sent to just any compatible server", () => {
    const providers = {
      claude: { kind: "anthropic" },
      own: { kind: "openai-compatible", baseUrl: "http://10.0.0.1:8000" },
      openrouter: { kind: "openai-compatible", baseUrl: "https://openrouter.ai/api/v1" },
    };
    const keys = { ANTHROPIC_API_KEY: "a", OPENROUTER_API_KEY: "r", OPENAI_API_KEY: "o" };
    const byName = new Map(found({ providers }, keys).map((provider) => [provider.name, provider.apiKey]));
    expect([byName.get("claude"), byName.get("own"), byName.get("openrouter")]).toEqual(["a", undefined, "r"]);
  });

  it("stand where the vendor's own variable says", () => {
    const keys = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: "https://proxy.example/claude" };
    expect(found({}, keys)[0]?.baseUrl).toBe("https://proxy.example/claude/v1");
    expect(found({}, { ...keys, ANTHROPIC_BASE_URL: "nonsense" })[0]?.baseUrl).toBeUndefined();
  });

  it("of the kind openai speak the newer format to OpenAI and the older to whoever stands in for it", () => {
    const providers = {
      openai: { kind: "openai" },
      proxy: { kind: "openai", baseUrl: "http://127.0.0.1:1" },
      modern: { kind: "openai", baseUrl: "http://127.0.0.1:1", api: "responses" },
    };
    expect(found({ providers }).map(({ api }) => api)).toEqual(["responses", "chat", "responses"]);
  });

  it("that lack something say what", () => {
    const providers = found({ providers: { own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1" } } });
    expect(whatIsMissing("own", providers)).toBeUndefined();
    expect(whatIsMissing("google", providers)).toContain("GEMINI_API_KEY");
    expect(whatIsMissing("nobody", providers)).toMatch(/known providers: offline, anthropic, .*, own$/);
  });
});

describe("the default model", () => {
  const keyed = found({}, { OPENAI_API_KEY: "o", ANTHROPIC_API_KEY: "a" });
  it.each([
    ["the configured one", Config.parse({ models: { default: "openai/gpt-5-mini" } }), keyed, "openai/gpt-5-mini"],
    ["the usual one of the first provider with a key", Config.parse({}), keyed, "anthropic/claude-sonnet-4-6"],
    ["a local one when there is no key", Config.parse({}), [], "ollama/qwen3:8b"],
  ])("is %s", (_, config, providers, wanted) => {
    expect(defaultModel(config, providers, ["qwen3:8b", "other"])).toBe(wanted);
  });

  it("is the offline model when there is nothing", () => {
    expect(defaultModel(Config.parse({}), [], [])).toBe("offline/rehearsal");
    const keyless = found({ providers: { anthropic: { kind: "anthropic" } } });
    expect(defaultModel(Config.parse({}), keyless, [])).toBe("offline/rehearsal");
  });
});

describe("an address", () => {
  it.each([
    ["anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1"],
    ["anthropic", "https://api.anthropic.com/v1/", "https://api.anthropic.com/v1"],
    ["anthropic", "https://api.deepseek.com/anthropic", "https://api.deepseek.com/anthropic/v1"],
    ["anthropic", "http://127.0.0.1:8080/v1/messages", "http://127.0.0.1:8080/v1"],
    ["openai", "https://api.openai.com", "https://api.openai.com/v1"],
    ["openai", "https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"],
    ["openai-compatible", "http://localhost:8000", "http://localhost:8000/v1"],
    ["openai-compatible", "https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
    ["openai-compatible", "https://host.example/openai", "https://host.example/openai"],
    ["google", "https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com/v1beta"],
    ["google", "https://proxy.example/v1", "https://proxy.example/v1"],
  ] as const)("of kind %s written as %s means %s", (kind, written, wanted) => {
    expect(completeBaseUrl(kind, written)).toBe(wanted);
  });

  it.each([
    [undefined, "http://127.0.0.1:11434/v1"],
    ["", "http://127.0.0.1:11434/v1"],
    ["0.0.0.0", "http://127.0.0.1:11434/v1"],
    ["gpu-box:9000", "http://gpu-box:9000/v1"],
    ["https://ollama.example", "https://ollama.example/v1"],
    ["not an address", "http://127.0.0.1:11434/v1"],
  ])("of Ollama given as %s is %s", (host, wanted) => {
    expect(localOllama({ OLLAMA_HOST: host }).baseUrl).toBe(wanted);
  });
});

describe("config.yml", () => {
  const faultOf = (config: object) => {
    const parsed = Config.safeParse(config);
    return parsed.success ? undefined : [parsed.error.issues[0]?.path.join("."), parsed.error.issues[0]?.message];
  };

  it.each([
    [{ models: { default: "antropic/claude-sonnet-4-5" } }, "models.default", /names the provider 'antropic'/],
    [{ models: { default: "claude" } }, "models.default", /provider\/model/],
    [{ providers: { own: { kind: "openai-compatible" } } }, "providers.own", /requires a baseUrl/],
    [{ providers: { own: { kind: "anthropic", baseUrl: "https://u:p@host" } } }, "providers.own.baseUrl", /password/],
    [{ providers: { own: { kind: "google", baseUrl: "https://host?key=x" } } }, "providers.own.baseUrl", /query/],
    [{ providers: { own: { kind: "google", baseUrl: "ftp://host" } } }, "providers.own.baseUrl", /http or https/],
    [{ providers: { offline: { kind: "anthropic" } } }, "providers.offline", /choose another/],
    [{ providers: { own: { kind: "anthropic", apiKey: "sk-1" } } }, "providers.own", /unrecognized/i],
  ])("%j is refused at %s", (config, path, message) => {
    expect(faultOf(config)).toEqual([path, expect.stringMatching(message)]);
  });

  it.each(["offline/demo", "ollama/qwen3:8b", "anthropic/claude-sonnet-4-5", "own/m"])(
    "may name %s as the default",
    (model) => {
      const providers = { own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1" } };
      expect(faultOf({ providers, models: { default: model } })).toBeUndefined();
    },
  );
});
