import { HallError } from "../../contract/errors.ts";
import { RUN_STATUS_WORDS } from "../../contract/words/run-words.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { textOrInput } from "../input.ts";
import { runIdOf } from "../references.ts";
import { showStarted } from "./spawn.ts";

const run = { kind: "one", help: "Run id, or its first or last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "run stop": command(
    {
      summary: "Stop a run and its subagents",
      detail: "Returns when the run has ended.",
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
      summary: "Start a new run for the task of a finished run",
      detail:
        "Uses the same role, model and variables, on a new branch. To continue on the existing branch, use " +
        "'run request-changes'.",
      args: { run },
      options: { follow: { kind: "flag", short: "f", help: "Follow the new run until it ends" } },
      examples: ["run retry 579tsj", "run retry -f 579tsj"],
    },
    async ({ run: given, follow }, context) => {
      const started = await context.call("retryRun", { params: { runId: await runIdOf(given, context) } });
      return showStarted(started, follow === true, context);
    },
  ),

  "run message": command(
    {
      summary: "Send a message to a running agent",
      detail: "The agent reads it before its next turn.",
      args: { run, text: { kind: "rest", help: "Message ('-' reads standard input)" } },
      examples: ['run message 579tsj "Leave the tests alone"'],
    },
    async ({ run: given, text: typed }, context) => {
      const text = (await textOrInput(typed, context.host.input)) ?? "";
      if (text.trim() === "")
        throw new HallError("usage", "Missing message.", { hint: "Pass the text, or '-' to read standard input." });
      const runId = await runIdOf(given, context);
      const answer = await context.call("messageRun", { params: { runId }, body: { text } });
      context.output.answer(answer, () => `Sent. ${runId} reads it before its next turn.`);
      return 0;
    },
  ),
};
