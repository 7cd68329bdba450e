import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Run } from "../../contract/runs/run.ts";
import { deliveryWords } from "../../contract/words/delivery-words.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import type { Context } from "../context.ts";
import { textOrInput } from "../input.ts";
import { runIdOf } from "../references.ts";
import { confirmedHash, showDiff } from "../runs/confirmed-hash.ts";
import { remoteLines } from "../text/diff-text.ts";
import { oneLine } from "../text/plain-text.ts";
import { rollbackText } from "./checkpoint.ts";
import { showStarted } from "./spawn.ts";

const run = { kind: "one", help: "Run id, or its first or last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "run diff": command(
    {
      summary: "Show the changes of a run",
      detail:
        "The last lines show the hash that 'run approve' needs. Binary contents are left out. " +
        "With --json, `diff` has the complete patch for 'git apply'.",
      args: { run },
      options: {
        stat: { kind: "flag", help: "Show only a summary of changed files" },
        full: { kind: "flag", help: "Show all lines (default on a terminal: the first 2,000)" },
      },
      examples: ["run diff 579tsj", "run diff 579tsj --stat"],
    },
    async ({ run: given, stat, full }, context) => {
      const answer = await context.call("getRunDiff", { params: { runId: await runIdOf(given, context) } });
      if (context.output.json) context.output.answer(answer, () => "");
      else showDiff(answer, { isShort: stat === true, isFull: full === true }, context);
      return 0;
    },
  ),

  "run approve": command(
    {
      summary: "Approve the result of a run",
      detail:
        "Merges its branch. Without git, the changes are already in the folder. Also works for partial results of failed or stopped runs. " +
        "On a terminal without --hash, shows the diff and asks for confirmation. " +
        "Fails if the diff has changed since, or if it can't be merged. " +
        "If the quality gates judged it before its target or branch moved, they check it again, and it is merged when it passes.",
      args: { run },
      options: {
        hash: { kind: "text", value: "HASH", help: "Hash of the diff you reviewed, as shown by 'run diff'" },
        squash: { kind: "flag", help: "Squash into one commit" },
        mergeCommit: { kind: "flag", help: "Create a merge commit" },
        keepBranch: { kind: "flag", help: "Keep the branch after the merge" },
      },
      examples: ["run approve 579tsj", "run approve 579tsj --hash 2f1c0e7d9a5b4c3d8e6f7a8b9c0d1e2f"],
    },
    async ({ run: given, hash, squash, mergeCommit, keepBranch }, context) => {
      if (squash && mergeCommit) throw new HallError("usage", "--squash and --merge-commit can't be combined.");
      const mergeMethod = squash ? "squash" : mergeCommit ? "merge" : undefined;
      const runId = await runIdOf(given, context);
      const approved = hash ?? (await confirmedHash(runId, context));
      if (approved === undefined) {
        context.output.note("Not approved.");
        return 0;
      }
      const answer = await context.call("approveRun", {
        params: { runId },
        body: { hash: approved, mergeMethod, keepBranch },
      });
      const push = await pushLines(answer.run, context);
      context.output.answer(answer, () => [`Approved ${runId}: ${approvedText(answer.run)}.`, ...push].join("\n"));
      return 0;
    },
  ),

  "run request-changes": command(
    {
      summary: "Request changes to the result of a run",
      detail:
        "Starts a new run with your feedback that continues on the same branch or in the folder. " +
        "Also works for partial results of failed or stopped runs.",
      args: { run, feedback: { kind: "maybe-rest", help: "Requested changes ('-' reads standard input)" } },
      options: {
        comment: { kind: "many", value: "PATH:LINE=TEXT", help: "Comment on a line of the new version (repeatable)" },
        follow: { kind: "flag", short: "f", help: "Follow the new run until it ends" },
      },
      examples: [
        'run request-changes 579tsj "Keep the old name of the function"',
        'run request-changes 579tsj --comment "src/cart.ts:12=Round up"',
      ],
    },
    async ({ run: given, feedback: typed, comment = [], follow }, context) => {
      const comments = comment.map(commentOf);
      const feedback = (await textOrInput(typed, context.host.input)) ?? "";
      if (feedback.trim() === "" && comments.length === 0)
        throw new HallError("usage", "Missing feedback.", {
          hint: "Pass the text, '-' to read standard input, or --comment.",
        });
      const started = await context.call("requestChanges", {
        params: { runId: await runIdOf(given, context) },
        body: { feedback, comments },
      });
      return showStarted(started, follow === true, context);
    },
  ),

  "run discard": command(
    {
      summary: "Discard the result of a run that was not approved",
      detail:
        "Deletes its branch and worktree. Without git, rolls back its files, except those that changed since. " +
        "The task becomes pending again, or cancelled with --cancel-task. You can undo it with --undo for one minute " +
        "(review.undoSeconds in config.yml).",
      args: { run },
      options: {
        cancelTask: { kind: "flag", help: "Cancel the task as well" },
        undo: { kind: "flag", help: "Undo the discard" },
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
      summary: "Revert the changes of a run",
      detail:
        "If the run was merged, creates a revert commit for the files of that run. Without git, restores its files to what " +
        "they were before; files that changed since are kept and listed. The task becomes pending again. " +
        "To drop a result that was not approved, use 'run discard'.",
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

/** Of `PATH:LINE=TEXT`. */
function commentOf(given: string): { file: string; line: number; text: string } {
  const [, file = "", line = "", text = ""] = /^(.+?):(\d+)=(.*)$/s.exec(given) ?? [];
  if (file === "" || text.trim() === "")
    throw new HallError("usage", `'${oneLine(given)}' is not a comment.`, {
      hint: "Write it as PATH:LINE=TEXT, such as --comment 'src/cart.ts:12=Round up'.",
    });
  return { file, line: Number(line), text };
}

/** The command that pushes what was merged, where the branch has a remote. */
async function pushLines({ id, delivery }: Run, { call, output }: Context): Promise<string[]> {
  if (output.json || delivery?.kind !== "branch" || delivery.state !== "delivered") return [];
  const shown = await call("getRunDiff", { params: { runId: id } }).catch(() => undefined);
  return shown === undefined ? [] : remoteLines(shown, false);
}

async function taskText({ taskId, projectId }: Run, context: Context): Promise<string> {
  const found = await context.call("getTask", { params: { id: projectId, taskId } }).catch(() => undefined);
  if (found === undefined) return "";
  const { status } = found.task;
  return ` ${taskId} is ${status === "review" ? "in review" : status}.`;
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
  const undo = delivery?.discard?.until === undefined ? [] : [`Undo with: ${calledAs} run discard ${id} --undo`];
  const lines = rollback === undefined ? [] : [rollbackText(rollback, calledAs)];
  return [...lines, `Discarded ${id}${what}${why}.${state}`, ...undo].join("\n");
}

function approvedText({ delivery }: RouteResponse<"approveRun">["run"]): string {
  if (delivery?.state === "unchanged") return "no changes";
  if (delivery?.state === "review")
    return "its target or branch moved, so the quality gates check it again; it is merged when it passes";
  return delivery?.kind === "branch" ? `merged into ${oneLine(delivery.target)}` : "changes kept in the folder";
}

function revertText({ run: { id, delivery }, rollback }: RouteResponse<"revertRun">, calledAs: string): string {
  if (delivery?.kind === "branch")
    return delivery.revert === undefined
      ? `Reverted ${id}.`
      : `Reverted ${id} on ${oneLine(delivery.target)} with ${delivery.revert.slice(0, 12)}.`;
  const isLeft = rollback !== undefined && rollback.restored.length === 0 && rollback.left.length > 0;
  const isDone = delivery?.state === "reverted" && !isLeft;
  const told = isDone ? `Reverted ${id}.` : `Nothing reverted for ${id}: all of its files changed since.`;
  return rollback === undefined ? told : [rollbackText(rollback, calledAs), told].join("\n");
}
