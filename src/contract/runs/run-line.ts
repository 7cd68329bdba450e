import type { RunLine } from "../now.ts";
import { cutText } from "../words/cut-text.ts";
import type { Delivery } from "./delivery.ts";
import type { Run } from "./run.ts";

const LONGEST_ERROR = 300;

export function runLine(run: Run): RunLine {
  const { id, projectId, taskId, roleId, rank, title, status, progress, model, attempt, createdAt, usage } = run;
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
    ...given(run, "team"),
    turns: usage.turns,
    costUsd: usage.costUsd,
    costKnown: usage.costKnown,
    ...(run.result?.handIn === undefined ? {} : { handIn: run.result.handIn.kind }),
    ...(run.result === undefined ? {} : given(run.result, "outcome")),
    ...(run.result?.review === undefined ? {} : given(run.result.review, "verdict")),
    ...given(run, "cause"),
    ...(run.error === undefined ? {} : { error: firstLine(run.error) }),
    ...(run.delivery === undefined ? {} : { delivery: deliveryLine(run.delivery) }),
  };
}

function deliveryLine(delivery: Delivery): RunLine["delivery"] {
  return {
    kind: delivery.kind,
    state: delivery.state,
    ...given(delivery, "reason"),
    ...given(delivery, "reasonCode"),
    ...given(delivery, "gate"),
    ...given(delivery, "files"),
    ...given(delivery, "additions"),
    ...given(delivery, "deletions"),
  };
}

export function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trimEnd() ?? "";
  return cutText(line, LONGEST_ERROR - 1);
}

function given<Thing extends object, Key extends keyof Thing>(thing: Thing, key: Key): Partial<Pick<Thing, Key>> {
  return thing[key] === undefined ? {} : ({ [key]: thing[key] } as unknown as Pick<Thing, Key>);
}
