import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Core } from "../../workspace/core.ts";
import type { IndexedRun } from "../../workspace/records.ts";
import type { RunBook } from "../record/run-book.ts";
import { decide } from "./lifecycle.ts";

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
  if (known === undefined) return undefined;
  const { delivery } = decide(known, { type: "returned", from: from.id });
  if (delivery === undefined) return undefined;
  await book.returned(known, { delivery, from: from.id, at: core.clock().toISOString() });
  return known.run;
}

/** For a retry of the run that did not continue it. After a crash before this a start does the same. */
export async function sendBackAgain(
  { core, book }: { core: Core; book: Pick<RunBook, "superseded"> },
  sentBack: IndexedRun,
  next: Run,
): Promise<void> {
  if (isOver(next)) return;
  const { delivery } = decide(sentBack, { type: "rejected", next: next.id });
  if (delivery !== undefined) await book.superseded(sentBack, { delivery, at: core.clock().toISOString() });
}
