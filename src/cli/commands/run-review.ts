import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes.ts";
import type { RunDiff } from "../../contract/run.ts";
import type { Action } from "../context.ts";
import { textOrInput } from "../input.ts";
import { manyLines, oneLine } from "../plain-text.ts";
import { runIdOf } from "../run-id.ts";
import { standingText } from "../run-text.ts";
import { rollbackText } from "./checkpoint.ts";
import { showStarted } from "./spawn.ts";

export const runDiff: Action<"run diff"> = async ({ run: given, stat }, context) => {
  const answer = await context.call("getRunDiff", { params: { runId: await runIdOf(given, context) } });
  context.output.answer(answer, () => diffText(answer, stat === true));
  return 0;
};

export const runApprove: Action<"run approve"> = async ({ run: given, hash }, context) => {
  const runId = await runIdOf(given, context);
  if (hash === undefined)
    throw new HallError("usage", "Which diff is approved?", {
      hint: `Look at it with 'guildhall run diff ${runId}', then give its hash with --hash.`,
    });
  const answer = await context.call("approveRun", { params: { runId }, body: { hash } });
  const { branch } = answer.run;
  const where = branch === undefined ? "approved: it stays as it is" : `merged into ${oneLine(branch.target)}`;
  context.output.answer(answer, () => `${runId} is ${where}.`);
  return 0;
};

export const runReject: Action<"run reject"> = async ({ run: given, feedback: typed, follow }, context) => {
  const feedback = (await textOrInput(typed, context.host)) ?? "";
  if (feedback.trim() === "")
    throw new HallError("usage", "What is to be done better?", {
      hint: "Give the words, or '-' to read standard input.",
    });
  const started = await context.call("rejectRun", {
    params: { runId: await runIdOf(given, context) },
    body: { feedback },
  });
  return showStarted(started, follow === true, context);
};

export const runRevert: Action<"run revert"> = async ({ run: given }, context) => {
  const answer = await context.call("revertRun", { params: { runId: await runIdOf(given, context) } });
  context.output.answer(answer, () => revertText(answer));
  return 0;
};

function revertText({ run: { id, branch, changes }, rollback }: RouteResponse<"revertRun">): string {
  if (branch !== undefined)
    return `${id} is taken back from ${oneLine(branch.target)} by ${branch.revert?.slice(0, 12)}.`;
  const isDone = changes?.state === "reverted";
  const told = isDone ? `${id} is taken back.` : `Nothing of ${id} is taken back: it was all changed since.`;
  return rollback === undefined ? told : [told, rollbackText(rollback)].join("\n");
}

function diffText(shown: RunDiff, isShort: boolean): string {
  const { runId, branch, changes, files, diff, hash, changedSince = [] } = shown;
  const isOpen = (branch ?? changes)?.state === "review";
  const since = changedSince.map((path) => `changed since the run: ${oneLine(path)}`);
  return [
    standingText(shown) ?? "",
    ...files.map(fileText),
    ...since,
    ...(isShort ? [] : ["", manyLines(diff.trimEnd())]),
    ...cutText(shown),
    "",
    ...(hash === "" ? ["Nothing was changed."] : [`hash ${hash}`]),
    ...(isOpen ? [`Approve it with: guildhall run approve ${runId} --hash ${hash}`] : []),
  ].join("\n");
}

function fileText({ path, additions, deletions, binary, unshown }: RunDiff["files"][number]): string {
  const counts = `+${additions} -${deletions}`;
  return `${binary ? "binary" : unshown ? "not shown" : counts}  ${oneLine(path)}`;
}

function cutText({ branch, truncated }: RunDiff): string[] {
  if (!truncated) return [];
  const rest = branch === undefined ? "" : `; see all of it with 'git diff ${branch.target}...${branch.name}'`;
  return ["", `The diff is longer${rest}.`];
}
