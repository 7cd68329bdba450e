import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/run.ts";
import { isOver } from "../../contract/run-status.ts";
import type { Action, Context } from "../context.ts";
import { JournalTail } from "../journal-tail.ts";
import { runIdOf } from "../run-id.ts";
import { endText } from "../run-text.ts";
import { RunView } from "../run-view.ts";
import { activityText } from "../tool-call.ts";
import { commandText, followRun } from "./run-follow.ts";

const NOT_COMPLETED = 1;

export const runLogs: Action<"run logs"> = async ({ run: given, follow, lines, full }, context) => {
  if (lines !== undefined && !(Number.isInteger(lines) && lines >= 0))
    throw new HallError("usage", "--lines must be a whole number from 0 on.");
  const runId = await runIdOf(given, context);
  const after = await firstOf(lines, runId, context);
  const choice = { full: full === true };
  if (follow === true) {
    const ended = await followRun(runId, context, { ...choice, after });
    showEnd(ended, context);
    return ended.status === "completed" ? 0 : NOT_COMPLETED;
  }
  const { run } = await context.call("getRun", { params: { runId } });
  const view = new RunView(context, { ...choice, still: true });
  await new JournalTail(runId, context, { after, onEntry: (entry) => view.took(entry) }).catchUp();
  showEnd(run, context);
  return 0;
};

/** How many entries come before the newest ones that are wanted. */
async function firstOf(lines: number | undefined, runId: string, { call }: Context): Promise<number> {
  if (lines === undefined) return 0;
  const { total } = await call("getTranscript", { params: { runId }, query: { after: 0, limit: 1 } });
  return Math.max(0, total - lines);
}

/** The journal says it all to a program. */
function showEnd(run: Run, context: Context): void {
  const { output } = context;
  if (output.json) return;
  const command = commandText(`run ${isOver(run) ? "retry" : "logs -f"} ${run.id}`, context);
  output.row(run, () => `\n${isOver(run) ? endText(run, { ...output, command }) : atWorkText(run, command)}`);
}

function atWorkText({ status, activity }: Run, command: string): string {
  return `${status}${activity === undefined ? "" : ` · ${activityText(activity)}`}\nFollow it: ${command}`;
}
