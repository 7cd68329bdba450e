import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Context } from "../context.ts";
import { commandFor, workspaceWord } from "../http/connection.ts";
import { following } from "../http/following.ts";
import { HEARTBEATS_MISSED_MS } from "../http/reconnecting.ts";
import { JournalTail } from "./journal-tail.ts";
import { RunView, type ViewChoice } from "./run-view.ts";

const DRAW_MS = 150;

export interface FollowChoice extends ViewChoice {
  /** How many entries of the journal to leave out. */
  after?: number;
}

interface Following {
  runId: string;
  view: RunView;
  tail: JournalTail;
}

/** Shows a run until it is over and answers how it ended. What it did comes from its journal, so nothing is missed. */
export async function followRun(runId: string, context: Context, choice: FollowChoice = {}): Promise<Run> {
  const view = new RunView(context, choice);
  const tail = new JournalTail(runId, context, { after: choice.after ?? 0, onEntry: (entry) => view.took(entry) });
  return following(
    {
      everyMs: DRAW_MS,
      draw: () => {
        tail.refresh();
        view.draw();
      },
      clear: () => view.clear(),
      leave: () => view.note(goesOnText(runId, context)),
      watch: (onOpen) => watch({ runId, view, tail }, context, onOpen),
      onAway: () => tellAway(view),
      gone: () => goneAway(runId, context),
    },
    context,
  );
}

export function commandText(words: string, { workspace, host }: Context): string {
  return commandFor(words, workspace, host);
}

function goesOnText(runId: string, context: Context): string {
  return [
    `Stopped following. ${runId} is still running.`,
    `Follow again with: ${commandText(`run logs -f ${runId}`, context)}`,
    `Stop with: ${commandText(`run stop ${runId}`, context)}`,
  ].join("\n");
}

function tellAway(view: RunView): void {
  view.lose();
  view.note("Lost the connection to the daemon. Reconnecting… The run continues when the daemon is back.");
}

/** Undefined when the stream ended before the run did. */
async function watch({ runId, view, tail }: Following, context: Context, onOpen: () => void): Promise<Run | undefined> {
  const { call, open } = context;
  const stream = await open({ topics: "runs", deltas: runId }, HEARTBEATS_MISSED_MS);
  const now = async () => (await call("getRun", { params: { runId } })).run;
  const run = await now();
  onOpen();
  view.hear({ run });
  await tail.catchUp();
  if (isOver(run)) return run;
  view.draw();
  for await (const live of stream) {
    if (live.kind === "delta" && live.runId === runId) view.hear({ delta: live.delta });
    if (live.kind !== "run" || live.runId !== runId) continue;
    if (live.activity !== undefined) view.hear({ activity: live.activity });
    tail.touch();
    if (live.run === undefined) continue;
    const changed = await now();
    view.hear({ run: changed });
    if (!isOver(changed)) continue;
    await tail.catchUp();
    return changed;
  }
  return undefined;
}

function goneAway(runId: string, context: Context): HallError {
  return new HallError("daemon_unreachable", `Lost the connection to the daemon while following ${runId}.`, {
    hint: hint("run-follow-again", { run: runId, workspace: workspaceWord(context.workspace, context.host.env) }),
  });
}
