import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";

export const commands = {
  "model price": command(
    {
      summary: "set the price of a model",
      detail:
        "In US dollars per million tokens, written to models.prices in config.yml. It applies to the next call. " +
        "Use 0 0 for a model of your own.",
      args: {
        model: { kind: "one", help: "PROVIDER/MODEL, or PROVIDER/* for all of its models" },
        input: { kind: "one", help: "price of a million input tokens" },
        output: { kind: "one", help: "price of a million output tokens" },
      },
      options: {
        cacheRead: { kind: "text", value: "USD", help: "price of a million cached input tokens" },
        cacheWrite: { kind: "text", value: "USD", help: "price of a million input tokens written to the cache" },
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
  throw new HallError("usage", `A price is a number from 0 up, such as 0.25; not '${text}'.`);
}
