import { HallError } from "../../contract/errors.ts";
import type { ProviderModels, ProviderTestState } from "../../contract/routes/model-routes.ts";
import { command } from "../command.ts";
import { oneLine } from "../text/plain-text.ts";

const PROBLEMS: Record<ProviderTestState, string> = {
  works: "the provider has no list",
  rejected: "the key was rejected",
  no_credit: "no credit left",
  busy: "the provider is busy",
  over_budget: "over budget",
  model_missing: "the model doesn't exist",
  no_model: "unknown provider",
  refused: "the provider refused the request",
  unreachable: "the provider can't be reached",
};

export const commands = {
  "model list": command(
    {
      summary: "List the models of your providers",
      detail:
        "Asks each provider that has a key, newest models first. Use a name with --model, or make it the default.",
      args: { provider: { kind: "maybe-rest", help: "Provider, as shown by 'key list' (default: all)" } },
      examples: ["model list", "model list anthropic --json"],
    },
    async ({ provider }, { call, output }) => {
      const report = await call("listModels", {});
      const names = provider === "" ? report.providers.map(({ name }) => name) : [provider];
      const providers = await Promise.all(names.map((name) => call("listProviderModels", { params: { name } })));
      output.answer({ default: report.default, providers }, () => listText(report.default, providers, output.calledAs));
      return 0;
    },
  ),

  "model price": command(
    {
      summary: "Set a model's price",
      detail:
        "In US dollars per million tokens. Saved under models.prices in config.yml and effective from the next call. " +
        "Use 0 0 for a self-hosted model.",
      args: {
        model: { kind: "one", help: "PROVIDER/MODEL, or PROVIDER/* for all of its models" },
        input: { kind: "one", help: "Price per million input tokens" },
        output: { kind: "one", help: "Price per million output tokens" },
      },
      options: {
        cacheRead: { kind: "text", value: "USD", help: "Price per million cached input tokens" },
        cacheWrite: { kind: "text", value: "USD", help: "Price per million input tokens written to the cache" },
      },
      examples: ["model price work/qwen3-coder 0.5 2", "model price local/* 0 0"],
    },
    async ({ model, input, output, cacheRead, cacheWrite }, context) => {
      const price = {
        input: priceIn(input),
        output: priceIn(output),
        ...(cacheRead === undefined ? {} : { cacheRead: priceIn(cacheRead) }),
        ...(cacheWrite === undefined ? {} : { cacheWrite: priceIn(cacheWrite) }),
      };
      const answer = await context.call("setModelPrice", { body: { model, ...price } });
      context.output.answer(
        answer,
        () =>
          `${model} now costs $${price.input} per million input tokens and $${price.output} per million output tokens.`,
      );
      return 0;
    },
  ),
};

function listText(standard: string, providers: readonly ProviderModels[], calledAs: string): string {
  const lines = providers.flatMap(({ provider, models, problem }) =>
    models.length > 0
      ? models.map((model) => (model === standard ? `${oneLine(model)}  (default)` : oneLine(model)))
      : [`${oneLine(provider)}: no models listed${problem === undefined ? "" : ` (${PROBLEMS[problem]})`}`],
  );
  const isListed = providers.some(({ models }) => models.includes(standard));
  return [
    ...(providers.length === 0 ? [`No providers yet. Add a key with '${calledAs} key set NAME'.`] : lines),
    ...(isListed ? [] : [`Default model: ${oneLine(standard)}`]),
  ].join("\n");
}

function priceIn(text: string): number {
  if (/^\$?\d+(?:\.\d+)?$/.test(text)) return Number(text.replace("$", ""));
  throw new HallError("usage", `A price must be a number of at least 0, such as 0.25. Got '${text}'.`);
}
