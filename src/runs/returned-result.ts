import type { Run, RunBranch, RunChanges } from "../contract/run.ts";
import { isOver } from "../contract/run-status.ts";
import type { Core } from "../workspace/core.ts";
import type { IndexedRun } from "../workspace/records.ts";
import { standingIn } from "./book-line.ts";
import { controlReason, decided } from "./control-standing.ts";
import type { RunBook } from "./run-book.ts";

const NOT_CONTINUED = "the run that was to continue it ended before it changed anything";

interface Parts {
  core: Core;
  book: Pick<RunBook, "returned">;
}

/**
 * Has the result that was sent back wait for review again; answers its run, or undefined when something else became of it. To be
 * called before the end of the run is written down: after a crash in between it counts as sent back, and this is done again.
 */
export async function returnResult({ core, book }: Parts, sentBack: string, from: Run): Promise<Run | undefined> {
  const known = core.runs.get(sentBack);
  const standing = known?.run.branch ?? known?.run.changes;
  if (known === undefined || standing?.state !== "rejected" || standing.next !== from.id) return undefined;
  const { branch, changes } = known.run;
  const waiting = standingIn({ branch: branch && waits(branch), changes: changes && waits(changes) });
  await book.returned(known, { ...waiting, from: from.id, at: core.clock().toISOString() });
  return known.run;
}

/** For a retry of the run that did not continue it. After a crash before this a start does the same. */
export async function sendBackAgain(
  { core, book }: { core: Core; book: Pick<RunBook, "superseded"> },
  sentBack: IndexedRun,
  next: Run,
): Promise<void> {
  if (isOver(next)) return;
  const after = { state: "rejected" as const, next: next.id };
  const { branch, changes } = sentBack.run;
  const standing = standingIn({
    branch: branch && { ...decided(branch), ...after },
    changes: changes && { ...decided(changes), ...after },
  });
  await book.superseded(sentBack, { ...standing, at: core.clock().toISOString() });
}

function waits<Standing extends RunBranch | RunChanges>({ next: _, ...standing }: Standing): Omit<Standing, "next"> {
  const { controlFiles = [] } = standing;
  const why =
    controlFiles.length > 0
      ? { reasonCode: "control-files" as const, reason: controlReason(controlFiles) }
      : { reasonCode: "not-continued" as const, reason: NOT_CONTINUED };
  return { ...standing, ...why, state: "review" };
}
