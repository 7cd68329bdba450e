import { HallError } from "../../contract/errors.ts";
import type { Action } from "../context.ts";
import { textOrInput } from "../input.ts";
import { runIdOf } from "../run-id.ts";
import { showStarted } from "./spawn.ts";

export const runCancel: Action<"run cancel"> = async ({ run: given }, context) => {
  const answer = await context.call("cancelRun", { params: { runId: await runIdOf(given, context) } });
  context.output.answer(answer, () => `${answer.run.id} is ${answer.run.status}.`);
  return 0;
};

export const runRetry: Action<"run retry"> = async ({ run: given, follow }, context) => {
  const started = await context.call("retryRun", { params: { runId: await runIdOf(given, context) } });
  return showStarted(started, follow === true, context);
};

export const runMessage: Action<"run message"> = async ({ run: given, text: typed }, context) => {
  const text = (await textOrInput(typed, context.host)) ?? "";
  if (text.trim() === "")
    throw new HallError("usage", "What is to be said?", { hint: "Give the words, or '-' to read standard input." });
  const runId = await runIdOf(given, context);
  const answer = await context.call("messageRun", { params: { runId }, body: { text } });
  context.output.answer(answer, () => `${runId} reads it before its next turn.`);
  return 0;
};
