import type { RunLine } from "../../../src/contract/now.ts";
import type { Run } from "../../../src/contract/run.ts";

/** A run as lists show it. */
export function lineOf(run: Run): RunLine {
  const { usage, result: _, branch, changes, error, reflection: __, sandbox: ___, waitingForRun: ____, ...line } = run;
  const standing = branch ?? changes;
  return {
    ...line,
    turns: usage.turns,
    costUsd: usage.costUsd,
    costKnown: usage.costKnown,
    ...(error === undefined ? {} : { error: error.split("\n", 1)[0] }),
    ...(standing === undefined ? {} : { result: resultOf(standing) }),
  };
}

function resultOf({ state, reason, files, additions, deletions }: NonNullable<Run["branch"] | Run["changes"]>) {
  return { state, reason, files, additions, deletions };
}
