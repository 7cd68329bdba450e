import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";

export const commands = {
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

function priceIn(text: string): number {
  if (/^\$?\d+(?:\.\d+)?$/.test(text)) return Number(text.replace("$", ""));
  throw new HallError("usage", `A price must be a number of at least 0, such as 0.25. Got '${text}'.`);
}
