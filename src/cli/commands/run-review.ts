import { HallError } from "../../contract/errors.ts";
import type { RunDiff } from "../../contract/run.ts";
import type { Action } from "../context.ts";
import { textOrInput } from "../input.ts";
import { manyLines, oneLine } from "../plain-text.ts";
import { runIdOf } from "../run-id.ts";
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
  context.output.answer(answer, () => `${runId} is merged into ${oneLine(answer.run.branch?.target ?? "")}.`);
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
  const { id, branch } = answer.run;
  context.output.answer(
    answer,
    () => `${id} is taken back from ${oneLine(branch?.target ?? "")} by ${branch?.revert?.slice(0, 12)}.`,
  );
  return 0;
};

function diffText({ runId, branch, files, diff, hash, truncated }: RunDiff, isShort: boolean): string {
  const reason = branch.reason === undefined ? "" : ` (${oneLine(branch.reason)})`;
  const counts = files.map(
    (file) => `${file.binary ? "binary" : `+${file.additions} -${file.deletions}`}  ${oneLine(file.path)}`,
  );
  const cut = truncated
    ? ["", `The diff is longer; see all of it with 'git diff ${branch.target}...${branch.name}'.`]
    : [];
  return [
    `${oneLine(branch.name)} for ${oneLine(branch.target)}: ${branch.state}${reason}`,
    ...counts,
    ...(isShort ? [] : ["", manyLines(diff.trimEnd())]),
    ...cut,
    "",
    `hash ${hash}`,
    ...(branch.state === "review" ? [`Approve it with: guildhall run approve ${runId} --hash ${hash}`] : []),
  ].join("\n");
}
