import { HallError } from "../../contract/errors.ts";
import { RUN_STATUS_WORDS } from "../../contract/words/run-words.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { textOrInput } from "../input.ts";
import { runIdOf } from "../references.ts";
import { showStarted } from "./spawn.ts";

const run = { kind: "one", help: "the run's id, or its first or last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "run stop": command(
    {
      summary: "stop a run and the runs it started",
      detail: "Returns when it is over.",
      args: { run },
      examples: ["run stop 579tsj"],
    },
    async ({ run: given }, context) => {
      const answer = await context.call("stopRun", { params: { runId: await runIdOf(given, context) } });
      context.output.answer(answer, () => `${answer.run.id} is ${RUN_STATUS_WORDS[answer.run.status].toLowerCase()}.`);
      return 0;
    },
  ),

  "run retry": command(
    {
      summary: "start a new run for the task of a run that is over",
      detail:
        "With the same role, model and variables as were asked for then. On a branch of its own: 'run request-changes' continues " +
        "what the other one left.",
      args: { run },
      options: { follow: { kind: "flag", short: "f", help: "follow the new run until it ends" } },
      examples: ["run retry 579tsj", "run retry -f 579tsj"],
    },
    async ({ run: given, follow }, context) => {
      const started = await context.call("retryRun", { params: { runId: await runIdOf(given, context) } });
      return showStarted(started, follow === true, context);
    },
  ),

  "run message": command(
    {
      summary: "say something to an agent at work",
      detail: "The agent reads it before its next turn.",
      args: { run, text: { kind: "rest", help: "what to say ('-' reads standard input)" } },
      examples: ['run message 579tsj "Leave the tests alone"'],
    },
    async ({ run: given, text: typed }, context) => {
      const text = (await textOrInput(typed, context.host.input)) ?? "";
      if (text.trim() === "")
        throw new HallError("usage", "What is to be said?", { hint: "Give the words, or '-' to read standard input." });
      const runId = await runIdOf(given, context);
      const answer = await context.call("messageRun", { params: { runId }, body: { text } });
      context.output.answer(answer, () => `${runId} reads it before its next turn.`);
      return 0;
    },
  ),
};
