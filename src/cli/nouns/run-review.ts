import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Run, RunDiff } from "../../contract/runs/run.ts";
import { deliveryWords } from "../../contract/words/delivery-words.ts";
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
      options: {
        hash: { kind: "text", value: "HASH", help: "of the diff that was looked at, as run diff shows it" },
        squash: { kind: "flag", help: "merge as one commit" },
        mergeCommit: { kind: "flag", help: "merge with a merge commit" },
        keepBranch: { kind: "flag", help: "keep the branch after the merge" },
      },
      examples: ["run approve 579tsj", "run approve 579tsj --hash 2f1c0e7d9a5b4c3d8e6f7a8b9c0d1e2f"],
    },
    async ({ run: given, hash, squash, mergeCommit, keepBranch }, context) => {
      if (squash && mergeCommit) throw new HallError("usage", "--squash and --merge-commit exclude each other.");
      const mergeMethod = squash ? "squash" : mergeCommit ? "merge" : undefined;
      const runId = await runIdOf(given, context);
      const approved = hash ?? (await shownHash(runId, context));
      if (approved === undefined) {
        context.output.note("Nothing was approved.");
        return 0;
      }
      const answer = await context.call("approveRun", {
        params: { runId },
        body: { hash: approved, mergeMethod, keepBranch },
      });
      context.output.answer(answer, () => `${runId} is ${approvedText(answer.run)}.`);
      return 0;
    },
  ),

  "run request-changes": command(
    {
      summary: "request changes to the result of a run",
      detail:
        "A new run continues on the same branch, or in the folder, with your feedback. " +
        "Also works for what a failed or stopped run left.",
      args: { run, feedback: { kind: "rest", help: "the changes to make ('-' reads standard input)" } },
      options: { follow: { kind: "flag", short: "f", help: "follow the new run until it ends" } },
      examples: ['run request-changes 579tsj "Keep the old name of the function"'],
    },
    async ({ run: given, feedback: typed, follow }, context) => {
      const feedback = (await textOrInput(typed, context.host.input)) ?? "";
      if (feedback.trim() === "")
        throw new HallError("usage", "Missing feedback.", {
          hint: "Pass the text, or '-' to read standard input.",
        });
      const started = await context.call("requestChanges", {
        params: { runId: await runIdOf(given, context) },
        body: { feedback },
      });
      return showStarted(started, follow === true, context);
    },
  ),

  "run discard": command(
    {
      summary: "discard the result of a run that was not approved",
      detail:
        "Deletes its branch and worktree; without git, its files are rolled back, except those that changed since. " +
        "Its task becomes pending again, or cancelled with --cancel-task. --undo brings everything back for a minute " +
        "(review.undoSeconds in config.yml).",
      args: { run },
      options: {
        cancelTask: { kind: "flag", help: "cancel the task as well" },
        undo: { kind: "flag", help: "undo the discard" },
      },
      examples: ["run discard 579tsj", "run discard 579tsj --cancel-task", "run discard 579tsj --undo"],
    },
    async ({ run: given, cancelTask, undo }, context) => {
      const { call, output } = context;
      const params = { runId: await runIdOf(given, context) };
      if (undo === true) {
        const answer = await call("undoDiscard", { params });
        const task = await taskText(answer.run, context);
        output.answer(answer, () => `Restored ${answer.run.id}: ${deliveryText(answer.run)}.${task}`);
        return 0;
      }
      const task = cancelTask === true ? "cancelled" : "pending";
      const answer = await call("discardRun", { params, body: { task } });
      const state = await taskText(answer.run, context);
      output.answer(answer, () => discardText(answer, { calledAs: output.calledAs, state }));
      return 0;
    },
  ),

  "run revert": command(
    {
      summary: "revert what a run changed",
      detail:
        "Where it was merged, with a commit that changes only the files of that run. Without git, its files go back to what " +
        "they were before it; those that changed since are left and named. Its task becomes pending again. " +
        "To drop a result that was not approved, use run discard.",
      args: { run },
      examples: ["run revert 579tsj"],
    },
    async ({ run: given }, context) => {
      const answer = await context.call("revertRun", { params: { runId: await runIdOf(given, context) } });
      const state = await taskText(answer.run, context);
      context.output.answer(answer, () => `${revertText(answer, context.output.calledAs)}${state}`);
      return 0;
    },
  ),
};

async function taskText({ taskId, projectId }: Run, context: Context): Promise<string> {
  const found = await context.call("getTask", { params: { id: projectId, taskId } }).catch(() => undefined);
  return found === undefined ? "" : ` ${taskId} is ${found.task.status}.`;
}

function deliveryText({ delivery }: Run): string {
  const reason = delivery?.reason === undefined ? "" : ` (${oneLine(delivery.reason)})`;
  return delivery === undefined ? "no result" : `${deliveryWords(delivery)}${reason}`;
}

function discardText(
  { run, rollback }: RouteResponse<"discardRun">,
  { calledAs, state }: { calledAs: string; state: string },
): string {
  const { id, delivery } = run;
  const what = delivery?.kind === "branch" && delivery.discard?.commit ? `: deleted ${oneLine(delivery.name)}` : "";
  const why = delivery?.reason === undefined ? "" : ` (${oneLine(delivery.reason)})`;
  const undo = delivery?.discard?.until === undefined ? [] : [`Undo it with: ${calledAs} run discard ${id} --undo`];
  const lines = rollback === undefined ? [] : [rollbackText(rollback, calledAs)];
  return [...lines, `Discarded ${id}${what}${why}.${state}`, ...undo].join("\n");
}

function approvedText({ delivery }: RouteResponse<"approveRun">["run"]): string {
  if (delivery?.state === "unchanged") return "approved: it changed nothing";
  return delivery?.kind === "branch" ? `merged into ${oneLine(delivery.target)}` : "approved: it stays as it is";
}

/** Shows a person the diff and asks; the hash is that of what stood on the screen. Undefined: they do not agree. */
async function shownHash(runId: string, context: Context): Promise<string | undefined> {
  const { host, output } = context;
  if (!host.input.canAsk || !host.out.isTerminal || output.json)
    throw new HallError("usage", "--hash is required.", {
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
      ? `Reverted ${id}.`
      : `Reverted ${id} on ${oneLine(delivery.target)} with ${delivery.revert.slice(0, 12)}.`;
  const isLeft = rollback !== undefined && rollback.restored.length === 0 && rollback.left.length > 0;
  const isDone = delivery?.state === "reverted" && !isLeft;
  const told = isDone ? `Reverted ${id}.` : `Nothing of ${id} was reverted: all of it changed since.`;
  return rollback === undefined ? told : [rollbackText(rollback, calledAs), told].join("\n");
}
