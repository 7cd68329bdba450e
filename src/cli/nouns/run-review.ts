import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { RunDiff } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import type { Context } from "../context.ts";
import { textOrInput } from "../input.ts";
import { runIdOf } from "../references.ts";
import { diffText } from "../text/diff-text.ts";
import { oneLine } from "../text/plain-text.ts";
import { rollbackText } from "./checkpoint.ts";
import { showStarted } from "./spawn.ts";

/** What fits into the memory of most terminals. */
const MOST_LINES = 2_000;

const run = { kind: "one", help: "the run's id, or its first or last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "run diff": command(
    {
      summary: "show what a run changed",
      detail:
        "Its last lines give the hash that an approval names. What binary files hold is left out. " +
        "With --json all of it is in `diff`, as git applies it.",
      args: { run },
      options: {
        stat: { kind: "flag", help: "only which files, and how much" },
        full: { kind: "flag", help: "all lines; else a terminal shows the first 2,000" },
      },
      examples: ["run diff 579tsj", "run diff 579tsj --stat"],
    },
    async ({ run: given, stat, full }, context) => {
      const answer = await context.call("getRunDiff", { params: { runId: await runIdOf(given, context) } });
      if (context.output.json) context.output.answer(answer, () => "");
      else show(answer, { isShort: stat === true, isFull: full === true }, context);
      return 0;
    },
  ),

  "run approve": command(
    {
      summary: "accept the result of a run that waits for review, or did not complete",
      detail:
        "Its branch is merged; without git, what it changed is in the folder already. " +
        "On a terminal, without --hash, it shows the diff and asks. " +
        "Refused when the diff is not the one that was shown, or when it cannot be merged.",
      args: { run },
      options: { hash: { kind: "text", value: "HASH", help: "of the diff that was looked at, as run diff shows it" } },
      examples: ["run approve 579tsj", "run approve 579tsj --hash 2f1c0e7d9a5b4c3d8e6f7a8b9c0d1e2f"],
    },
    async ({ run: given, hash }, context) => {
      const runId = await runIdOf(given, context);
      const approved = hash ?? (await shownHash(runId, context));
      if (approved === undefined) {
        context.output.note("Nothing was approved.");
        return 0;
      }
      const answer = await context.call("approveRun", { params: { runId }, body: { hash: approved } });
      context.output.answer(answer, () => `${runId} is ${approvedText(answer.run)}.`);
      return 0;
    },
  ),

  "run reject": command(
    {
      summary: "send the result of a run back with what is to be done better",
      detail:
        "A new run goes on with the same branch, or with the folder as it is, and reads it. " +
        "Also for what a run left that failed or was cancelled.",
      args: { run, feedback: { kind: "rest", help: "what is to be done better ('-' reads standard input)" } },
      options: { follow: { kind: "flag", short: "f", help: "follow the new run until it ends" } },
      examples: ['run reject 579tsj "Keep the old name of the function"'],
    },
    async ({ run: given, feedback: typed, follow }, context) => {
      const feedback = (await textOrInput(typed, context.host.input)) ?? "";
      if (feedback.trim() === "")
        throw new HallError("usage", "What is to be done better?", {
          hint: "Give the words, or '-' to read standard input.",
        });
      const started = await context.call("rejectRun", {
        params: { runId: await runIdOf(given, context) },
        body: { feedback },
      });
      return showStarted(started, follow === true, context);
    },
  ),

  "run revert": command(
    {
      summary: "take back what a run changed",
      detail:
        "Where it was merged, with a commit that changes only the files of that run. Without git, its files go back to what " +
        "they were before it; those that were changed since are left and named. Of a branch that waited, and that you removed, it takes note. Its task is to do again.",
      args: { run },
      examples: ["run revert 579tsj"],
    },
    async ({ run: given }, context) => {
      const answer = await context.call("revertRun", { params: { runId: await runIdOf(given, context) } });
      const { taskId, projectId } = answer.run;
      const task = await context.call("getTask", { params: { id: projectId, taskId } }).catch(() => undefined);
      const left = task === undefined ? "" : ` ${taskId} is ${task.task.status}.`;
      context.output.answer(answer, () => `${revertText(answer, context.output.calledAs)}${left}`);
      return 0;
    },
  ),
};

function approvedText({ delivery }: RouteResponse<"approveRun">["run"]): string {
  if (delivery?.state === "unchanged") return "approved: it changed nothing";
  return delivery?.kind === "branch" ? `merged into ${oneLine(delivery.target)}` : "approved: it stays as it is";
}

/** Shows a person the diff and asks; the hash is that of what stood on the screen. Undefined: they do not agree. */
async function shownHash(runId: string, context: Context): Promise<string | undefined> {
  const { host, output } = context;
  if (!host.input.canAsk || !host.out.isTerminal || output.json)
    throw new HallError("usage", "Which diff is approved?", {
      hint: hint("run-diff-hash", { run: runId }),
    });
  const answer = await context.call("getRunDiff", { params: { runId } });
  const { delivery, hash } = answer;
  const { state } = delivery;
  // What waits for no decision is refused by the daemon, with the reason.
  if (state !== "review" && state !== "kept") return hash;
  show(answer, { isShort: false, isFull: true, isAsked: true }, context);
  const merges = delivery.kind === "branch" && answer.head !== "";
  const question = merges ? `Merge this into ${oneLine(delivery.target)}` : "Approve this";
  const reply = await host.input.ask(`${question}? [y/N] `);
  return /^y(es)?$/i.test(reply.trim()) ? hash : undefined;
}

function show(
  answer: RunDiff,
  { isFull, ...how }: { isShort: boolean; isFull: boolean; isAsked?: boolean },
  { host, output }: Context,
) {
  const most = isFull || !host.out.isTerminal ? undefined : MOST_LINES;
  output.row(answer, () => diffText(answer, { ...output, ...how, most }));
}

function revertText({ run: { id, delivery }, rollback }: RouteResponse<"revertRun">, calledAs: string): string {
  if (delivery?.kind === "branch")
    return delivery.revert === undefined
      ? `${id} is taken back: its branch is gone.`
      : `${id} is taken back from ${oneLine(delivery.target)} by ${delivery.revert.slice(0, 12)}.`;
  const isLeft = rollback !== undefined && rollback.restored.length === 0 && rollback.left.length > 0;
  const isDone = delivery?.state === "reverted" && !isLeft;
  const told = isDone ? `${id} is taken back.` : `Nothing of ${id} is taken back: it was all changed since.`;
  return rollback === undefined ? told : [rollbackText(rollback, calledAs), told].join("\n");
}
