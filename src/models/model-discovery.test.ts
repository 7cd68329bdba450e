import { expect, it } from "vitest";
import { Config } from "../contract/documents/config.ts";
import { discoverModels } from "./model-discovery.ts";
import { LocalModels } from "./ollama.ts";

const found = (providers: object) => {
  const local = new LocalModels(
    async () => ["qwen3:8b"],
    () => 0,
  );
  return discoverModels({ config: Config.parse({ providers }), keys: {}, clock: () => new Date(0), local }).report();
};
const at = (baseUrl: string) => ({ ollama: { kind: "openai-compatible", baseUrl, concurrency: 1 } });

it("detects the models of a local Ollama also when config.yml adds settings to it", async () => {
  const own = await found(at("http://127.0.0.1:11434/v1"));
  expect(own.default).toBe("ollama/qwen3:8b");
  expect(own.providers).toMatchObject([{ name: "ollama", source: "config", models: ["qwen3:8b"] }]);
});

it("takes an Ollama at another address for a server that was configured", async () => {
  const other = await found(at("http://10.0.0.7:11434/v1"));
  expect(other.default).toBe("offline/rehearsal");
  expect(other.providers).toEqual([expect.not.objectContaining({ models: expect.anything() })]);
});
