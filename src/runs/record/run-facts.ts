import { planIn } from "../../agent/journal-entries.ts";
import { assumedUsd } from "../../contract/runs/assumed-price.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { RunSum } from "../../contract/runs/ledger.ts";
import type { Run, RunPlan, RunReflection, RunUsage, SpawnResponse } from "../../contract/runs/run.ts";
import { leavesChanges } from "../schedule/writing-turn.ts";

/** A run as it stands in the book before anything has happened. */
export function newRun(plan: RunPlan): Run {
  const { runId, projectId, taskId, roleId, rank, parentRunId, title, model, sandbox, createdAt } = plan;
  const { purpose, reviewOf, team, trigger } = plan;
  return {
    id: runId,
    projectId,
    taskId,
    roleId,
    rank,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    purpose,
    title,
    status: "pending",
    progress: 0,
    model: model.value,
    ...(sandbox === undefined ? {} : { sandbox: sandbox.name }),
    attempt: 0,
    createdAt,
    usage: usageOf([]),
    ...(reviewOf === undefined ? {} : { reviewOf }),
    ...(team === undefined ? {} : { team }),
    ...(trigger === undefined ? {} : { trigger }),
    ...deliveryOf(plan),
  };
}

function deliveryOf(plan: RunPlan): Pick<Run, "delivery"> {
  const { workplace, runId } = plan;
  if (workplace?.owner === runId && workplace.commit === undefined) {
    const { branch: name, target } = workplace;
    return { delivery: { kind: "branch", name, target, state: "working" } };
  }
  return leavesChanges(plan) ? { delivery: { kind: "folder", state: "working" } } : {};
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
  const estimated = sum(({ costUsd: usd, usage: { input, output } }) => assumedUsd({ usd, input, output }));
  const costKnown = answers.every((answer) => answer.costUsd !== null);
  return {
    turns: sum((answer) => (answer.type === "answer" ? 1 : 0)),
    inputTokens: sum((answer) => answer.usage.input),
    outputTokens: sum((answer) => answer.usage.output),
    cacheReadTokens: sum((answer) => answer.usage.cacheRead),
    cacheWriteTokens: sum((answer) => answer.usage.cacheWrite),
    costUsd: sum((answer) => answer.costUsd ?? 0) + estimated,
    ...certainty(costKnown, estimated),
  };
}

function certainty(costKnown: boolean, estimatedUsd: number): Pick<RunUsage, "costKnown" | "estimatedUsd"> {
  return costKnown ? { costKnown } : { costKnown, estimatedUsd };
}

/** A run that ended before estimates were kept, if all that it used had no price. */
export function withEstimate(run: Run): Run {
  const { costKnown, costUsd, estimatedUsd: known, inputTokens: input, outputTokens: output } = run.usage;
  if (costKnown || known !== undefined || costUsd !== 0) return run;
  const estimatedUsd = assumedUsd({ usd: null, input, output });
  return { ...run, usage: { ...run.usage, costUsd: estimatedUsd, estimatedUsd } };
}

/** How full the model's window was with the last answer. */
export function contextOf(entries: readonly JournalEntry[]): Pick<Run, "context"> {
  const window = planIn(entries)?.contextWindow;
  const last = entries.findLast((entry) => entry.type === "answer");
  if (last === undefined || window === undefined) return {};
  return { context: { used: last.usage.input + last.usage.output, window } };
}

export function callsOf(entries: readonly JournalEntry[]): Pick<Run, "calls"> {
  const results = entries.filter((entry) => entry.type === "result");
  return { calls: { total: results.length, failed: results.filter(({ failed }) => failed === true).length } };
}

/** What the ledger knows beside the answers in a journal: calls that broke off, or whose answer a crash swallowed. */
export function withLedger(usage: RunUsage, sum: RunSum | undefined): RunUsage {
  if (sum === undefined) return usage;
  return {
    ...usage,
    inputTokens: Math.max(usage.inputTokens, sum.input),
    outputTokens: Math.max(usage.outputTokens, sum.output),
    cacheReadTokens: Math.max(usage.cacheReadTokens, sum.cacheRead),
    cacheWriteTokens: Math.max(usage.cacheWriteTokens, sum.cacheWrite),
    costUsd: Math.max(usage.costUsd, sum.usd + sum.assumed),
    ...certainty(usage.costKnown && sum.unpriced === 0, Math.max(usage.estimatedUsd ?? 0, sum.assumed)),
  };
}

/** What a run that goes on has cost so far. */
export function costIn(sum: RunSum | undefined): Pick<RunUsage, "costUsd" | "costKnown"> {
  return { costUsd: (sum?.usd ?? 0) + (sum?.assumed ?? 0), costKnown: (sum?.unpriced ?? 0) === 0 };
}

/** What a reflection took is the run's, too; taken down twice, it counts once. */
export function withReflection(run: Run, reflection: RunReflection): Run {
  if (run.reflection !== undefined) return run;
  const { usage } = run;
  return {
    ...run,
    reflection,
    usage: {
      ...usage,
      inputTokens: usage.inputTokens + reflection.inputTokens,
      outputTokens: usage.outputTokens + reflection.outputTokens,
      cacheReadTokens: usage.cacheReadTokens + reflection.cacheReadTokens,
      cacheWriteTokens: usage.cacheWriteTokens + reflection.cacheWriteTokens,
      costUsd: usage.costUsd + reflection.costUsd,
      ...certainty(usage.costKnown && reflection.costKnown, (usage.estimatedUsd ?? 0) + (reflection.estimatedUsd ?? 0)),
    },
  };
}

export function responseOf(run: Run): SpawnResponse {
  const { status, cause, error, result } = run;
  const told = result && { output: result.output, artifacts: result.artifacts, duration: result.duration };
  return {
    success: status !== "failed" && status !== "cancelled",
    sessionId: run.id,
    taskId: run.taskId,
    status,
    ...(told === undefined ? {} : { result: told }),
    ...(cause === undefined ? {} : { cause }),
    ...(error === undefined ? {} : { error }),
  };
}
