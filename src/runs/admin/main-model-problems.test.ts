import { expect, it } from "vitest";
import { Config } from "../../contract/documents/config.ts";
import { mainModelProblems } from "./main-model-problems.ts";

const whyNot = (model: string) =>
  model.startsWith("openai/") ? `Model '${model}' cannot be asked: it lacks its key.` : undefined;

it.each([
  ["none of its own", {}, []],
  ["one that can be asked", { model: "offline/demo" }, []],
  [
    "one without a key",
    { model: "openai/gpt-5" },
    ["the main agent's model openai/gpt-5 cannot be used. Model 'openai/gpt-5' cannot be asked: it lacks its key."],
  ],
])("a main agent with %s", (_, main, reasons) => {
  expect(mainModelProblems(Config.parse({ main }), whyNot).map(({ reason }) => reason)).toEqual(reasons);
});
