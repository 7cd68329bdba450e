import { HallError } from "../../contract/errors.ts";
import type { RunDiff } from "../../contract/run.ts";
import type { Action, Context } from "../context.ts";
import { diffText } from "../diff-text.ts";
import { textOrInput } from "../input.ts";
import { oneLine } from "../plain-text.ts";
import { runIdOf } from "../run-id.ts";
import { showStarted } from "./spawn.ts";

/** What fits into the memory of most terminals. */
const MOST_LINES = 2_000;

export const runDiff: Action<"run diff"> = async ({ run: given, stat, full }, context) => {
  const answer = await context.call("getRunDiff", { params: { runId: await runIdOf(given, context) } });
  if (context.output.json) context.output.answer(answer, () => "");
  else show(answer, { isShort: stat === true, isFull: full === true }, context);
  return 0;
};

export const runApprove: Action<"run approve"> = async ({ run: given, hash }, context) => {
  const runId = await runIdOf(given, context);
  const approved = hash ?? (await shownHash(runId, context));
  if (approved === undefined) {
    context.output.note("Nothing was merged.");
    return 0;
  }
  const answer = await context.call("approveRun", { params: { runId }, body: { hash: approved } });
  context.output.answer(answer, () => `${runId} is merged into ${oneLine(answer.run.branch?.target ?? "")}.`);
  return 0;
};

/** Shows a person the diff and asks; the hash is that of what stood on the screen. Undefined: they do not agree. */
async function shownHash(runId: string, context: Context): Promise<string | undefined> {
  const { host, output } = context;
  if (!host.canAsk || !host.out.isTerminal || output.json)
    throw new HallError("usage", "Which diff is approved?", {
      hint: `Look at it with 'guildhall run diff ${runId}', then give its hash with --hash.`,
    });
  const answer = await context.call("getRunDiff", { params: { runId } });
  const { branch, hash } = answer;
  // What waits for no review is refused by the daemon, with the reason.
  if (branch.state !== "review") return hash;
  show(answer, { isShort: false, isFull: true }, context);
  const reply = await host.ask(`Merge this into ${oneLine(branch.target)}? [y/N] `);
  return /^y(es)?$/i.test(reply.trim()) ? hash : undefined;
}

function show(answer: RunDiff, { isShort, isFull }: { isShort: boolean; isFull: boolean }, { host, output }: Context) {
  const most = isFull || !host.out.isTerminal ? undefined : MOST_LINES;
  output.row(answer, () => diffText(answer, { paint: output.paint, isShort, most }));
}

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
  const { id, branch, taskId, projectId } = answer.run;
  const task = await context.call("getTask", { params: { id: projectId, taskId } }).catch(() => undefined);
  const left = task === undefined ? "" : `; ${taskId} is ${task.task.status}`;
  context.output.answer(
    answer,
    () => `${id} is taken back from ${oneLine(branch?.target ?? "")} by ${branch?.revert?.slice(0, 12)}${left}.`,
  );
  return 0;
};
