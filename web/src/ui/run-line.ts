import type { RunLine } from "../../../src/contract/now.ts";
import type { Run } from "../../../src/contract/run.ts";

/** A run in one line, as the daemon's own lines have it. */
export function lineOf(run: Run): RunLine {
  const { usage, branch, changes, error, ...rest } = run;
  const standing = branch ?? changes;
  const { id, projectId, taskId, roleId, rank, parentRunId, title, status, activity, waitingFor, progress } = rest;
  const { model, attempt, createdAt, startedAt, endedAt, context } = rest;
  return {
    ...{ id, projectId, taskId, roleId, rank, parentRunId, title, status, activity, waitingFor, progress },
    ...{ model, attempt, createdAt, startedAt, endedAt, context },
    turns: usage.turns,
    costUsd: usage.costUsd,
    costKnown: usage.costKnown,
    error: error?.trim().split("\n", 1)[0],
    result: standing && {
      state: standing.state,
      reason: standing.reason,
      files: standing.files,
      additions: standing.additions,
      deletions: standing.deletions,
    },
  };
}
