/** How the names of models begin, by who makes them. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^claude/, "anthropic"],
  [/^(?:gpt|chatgpt|codex|davinci|o[1-9])(?:$|[-.\d])/, "openai"],
  [/^(?:gemini|gemma|palm)/, "google"],
  [/^k2p/, "kimi-coding"],
  [/^(?:kimi|moonshot)/, "moonshot"],
  [/^deepseek/, "deepseek"],
  [/^grok/, "xai"],
  [/^(?:mistral|mixtral|codestral|devstral|magistral|ministral|pixtral)/, "mistral"],
  [/^(?:llama|meta-llama)/, "meta"],
  [/^(?:qwen|qwq)/, "alibaba"],
  [/^(?:command|c4ai)/, "cohere"],
  [/^glm/, "zhipu"],
];

/** The provider of a model that is named without one: `claude-opus-4-6` is `anthropic/claude-opus-4-6`. Undefined where its name tells none. */
export function inferProvider(model: string): string | undefined {
  const name = model.trim();
  if (name.includes("/")) return name;
  const vendor = vendorNamed(name);
  return vendor === undefined ? undefined : `${vendor}/${name}`;
}

/** Who made a model, whoever serves it: `openrouter/anthropic/claude-sonnet-4.5` is Anthropic's. */
export function vendorOf(model: string): string {
  const parts = model.toLowerCase().split("/");
  return vendorNamed(parts.at(-1) ?? "") ?? parts[0] ?? "";
}

function vendorNamed(name: string): string | undefined {
  return VENDORS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
}
