import type { JournalEntry } from "../contract/journal.ts";
import type { Run, RunPlan, RunUsage, SpawnResponse } from "../contract/run.ts";
import { fitsItsType, isNumber, isText, isThing, type Shape } from "./line-shape.ts";

export function isOver(run: Run): boolean {
  return run.status !== "pending" && run.status !== "running";
}

/** A run as it stands in the book before anything has happened. */
export function newRun(plan: RunPlan): Run {
  const { runId, projectId, taskId, roleId, rank, parentRunId, title, model, createdAt, workplace } = plan;
  return {
    id: runId,
    projectId,
    taskId,
    roleId,
    rank,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    title,
    status: "pending",
    progress: 0,
    model: model.value,
    attempt: 0,
    createdAt,
    usage: usageOf([]),
    ...(workplace?.owner === runId
      ? { branch: { name: workplace.branch, target: workplace.target, state: "working" as const } }
      : {}),
  };
}

const ENTRIES: Record<JournalEntry["type"], Shape> = {
  plan: { plan: isThing },
  started: { at: isText },
  failure: { reason: isText },
  answer: { text: isText, usage: isThing, at: isText },
  result: { id: isText, name: isText, output: isText },
  message: { id: isText, text: isText },
  summary: { text: isText, usage: isThing, through: isNumber },
  ended: { end: isThing },
};

export function isEntry(value: unknown): value is JournalEntry {
  return fitsItsType(value, ENTRIES);
}

export function planIn(entries: readonly JournalEntry[]): RunPlan | undefined {
  return entries.find((entry) => entry.type === "plan")?.plan;
}

/** Whether the person wants to be told when the run is over. */
export function wantsNotice(entries: readonly JournalEntry[]): boolean {
  return planIn(entries)?.options.notifyOnComplete === true;
}

export function usageOf(entries: readonly JournalEntry[]): RunUsage {
  // Summaries of older turns are paid for like everything the model says.
  const answers = entries.filter((entry) => entry.type === "answer" || entry.type === "summary");
  const sum = (of: (answer: (typeof answers)[number]) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  return {
    turns: sum((answer) => (answer.type === "answer" ? 1 : 0)),
    inputTokens: sum((answer) => answer.usage.input),
    outputTokens: sum((answer) => answer.usage.output),
    cacheReadTokens: sum((answer) => answer.usage.cacheRead),
    cacheWriteTokens: sum((answer) => answer.usage.cacheWrite),
    costUsd: sum((answer) => answer.costUsd ?? 0),
    costKnown: answers.every((answer) => answer.costUsd !== null),
  };
}

export function responseOf(run: Run): SpawnResponse {
  const { status, error, result } = run;
  const told = result && { output: result.output, artifacts: result.artifacts, duration: result.duration };
  return {
    success: status !== "failed" && status !== "cancelled",
    sessionId: run.id,
    taskId: run.taskId,
    status,
    ...(told === undefined ? {} : { result: told }),
    ...(error === undefined ? {} : { error }),
  };
}
