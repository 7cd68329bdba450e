import { cutText } from "./cut-text.ts";
import type { RunLine } from "./now.ts";
import type { Run } from "./run.ts";

const LONGEST_ERROR = 300;

export function runLine(run: Run): RunLine {
  const { id, projectId, taskId, roleId, rank, title, status, progress, model, attempt, createdAt, usage } = run;
  const result = resultOf(run);
  return {
    id,
    projectId,
    taskId,
    roleId,
    rank,
    ...given(run, "parentRunId"),
    purpose: run.purpose,
    ...given(run, "reviewOf"),
    title,
    status,
    ...given(run, "activity"),
    ...given(run, "waitingFor"),
    ...given(run, "waitingSince"),
    progress,
    model,
    attempt,
    createdAt,
    ...given(run, "startedAt"),
    ...given(run, "endedAt"),
    ...given(run, "context"),
    turns: usage.turns,
    costUsd: usage.costUsd,
    costKnown: usage.costKnown,
    ...(run.result === undefined ? {} : given(run.result, "outcome")),
    ...(run.result?.review === undefined ? {} : given(run.result.review, "verdict")),
    ...given(run, "cause"),
    ...(run.error === undefined ? {} : { error: firstLine(run.error) }),
    ...(result === undefined ? {} : { result }),
  };
}

function resultOf({ branch, changes }: Run): RunLine["result"] {
  const standing = branch ?? changes;
  if (standing === undefined) return undefined;
  return {
    state: standing.state,
    ...given(standing, "reason"),
    ...given(standing, "reasonCode"),
    ...given(standing, "files"),
    ...given(standing, "additions"),
    ...given(standing, "deletions"),
  };
}

export function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trimEnd() ?? "";
  return cutText(line, LONGEST_ERROR - 1);
}

function given<Thing extends object, Key extends keyof Thing>(thing: Thing, key: Key): Partial<Pick<Thing, Key>> {
  return thing[key] === undefined ? {} : ({ [key]: thing[key] } as unknown as Pick<Thing, Key>);
}
