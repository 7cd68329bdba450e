import { backoffMs, NO_JITTER } from "../../contract/backoff.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Context } from "../context.ts";
import { commandFor, workspaceWord } from "../http/connection.ts";
import { JournalTail } from "./journal-tail.ts";
import { RunView, type ViewChoice } from "./run-view.ts";

const DRAW_MS = 150;
const HEARTBEATS_MISSED_MS = 45_000;
/** A daemon that starts anew is back within some seconds; whoever waits longer is told. */
const MOST_FAILURES = 6;
const RECONNECT = { firstMs: 250, longestMs: 10_000 };
const INTERRUPTED = 130;

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
  const { host } = context;
  const view = new RunView(context, choice);
  const tail = new JournalTail(runId, context, { after: choice.after ?? 0, onEntry: (entry) => view.took(entry) });
  const stop = host.time.every(DRAW_MS, () => {
    tail.refresh();
    view.draw();
  });
  host.onInterrupt(() => {
    view.note(goesOnText(runId, context));
    host.exit(INTERRUPTED);
  });
  try {
    return await watchPatiently({ runId, view, tail }, context);
  } finally {
    stop();
    view.clear();
    host.onInterrupt(undefined);
  }
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

async function watchPatiently(following: Following, context: Context): Promise<Run> {
  for (let failures = 0; ; failures++) {
    try {
      const ended = await watch(following, context, () => {
        failures = 0;
      });
      if (ended !== undefined) return ended;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (failures >= MOST_FAILURES) throw goneAway(following.runId, context);
    }
    if (failures === 0) tellAway(following.view);
    await context.host.time.pause(backoffMs(RECONNECT, failures + 1, NO_JITTER));
  }
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

function isAway(error: unknown): boolean {
  return error instanceof HallError && (error.code === "daemon_unreachable" || error.code === "stopping");
}

function goneAway(runId: string, context: Context): HallError {
  return new HallError("daemon_unreachable", `Lost the connection to the daemon while following ${runId}.`, {
    hint: hint("run-follow-again", { run: runId, workspace: workspaceWord(context.workspace, context.host.env) }),
  });
}
