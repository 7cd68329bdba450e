import type { Budget, BudgetReport, BudgetUpdate } from "../../contract/documents/budget.ts";
import type { Price } from "../../contract/documents/config.ts";
import type { MergeMethod } from "../../contract/documents/merge-method.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteBody, RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { CheckpointList, Rollback, RollbackRequest } from "../../contract/runs/checkpoint.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run, RunDiff, RunPlan, SpawnRequest, SpawnResponse } from "../../contract/runs/run.ts";
import type { LiveListener } from "../../runs/record/live-runs.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of runs. */
export interface RunDesk {
  readonly spawns: {
    start(request: SpawnRequest, change: Change): Promise<SpawnResponse>;
    /** The answer to a spawn that was asked for before; with `wait`, when the run is over. */
    answer(id: string, how: { wait: boolean }): Promise<SpawnResponse>;
    preview(request: SpawnRequest): Promise<RunPlan>;
  };
  readonly review: {
    diff(id: string): Promise<RunDiff>;
    approve(
      id: string,
      approval: { hash: string; mergeMethod?: MergeMethod | undefined; keepBranch?: boolean | undefined },
      change: Change,
    ): Promise<Run>;
    reject(id: string, asked: RouteBody<"requestChanges">, change: Change): Promise<SpawnResponse>;
    revert(id: string, change: Change): Promise<{ run: Run; rollback?: Rollback }>;
    discard(id: string, task: "pending" | "cancelled", change: Change): Promise<{ run: Run; rollback?: Rollback }>;
    /** Undoes a discard. */
    restore(id: string, change: Change): Promise<Run>;
  };
  readonly checkpoints: {
    list(projectId: string): Promise<CheckpointList>;
    rollback(projectId: string, id: string, how: { request: RollbackRequest; change: Change }): Promise<Rollback>;
  };
  readonly money: {
    costs(query: RouteQuery<"getCosts">): RouteResponse<"getCosts">;
    budget(): BudgetReport;
    updateBudget(update: BudgetUpdate, change: Change): Promise<Budget>;
    setPrice(model: string, price: Price, change: Change): Promise<Price>;
  };
  get(id: string): Run;
  /** As get, with what it has used so far; costs more the longer the run is. */
  getUsed(id: string): Run;
  list(query: RouteQuery<"listRuns">): { runs: Run[]; nextCursor?: string };
  journal(id: string): readonly JournalEntry[];
  cancel(id: string, change: Change): Promise<Run>;
  stop(projectId: string | undefined, change: Change): Promise<Omit<RouteResponse<"stopRuns">, "success">>;
  retry(id: string, change: Change): Promise<SpawnResponse>;
  message(id: string, text: string, change: Change): Promise<void>;
  subscribe(listener: LiveListener): () => void;
}

type RunEndpoint =
  | "spawn"
  | "spawnInProject"
  | "getSpawnStatus"
  | "listRuns"
  | "getRun"
  | "getTranscript"
  | "getRunPrompt"
  | "stopRun"
  | "stopRuns"
  | "retryRun"
  | "messageRun"
  | "listCheckpoints"
  | "rollback"
  | "getRunDiff"
  | "approveRun"
  | "requestChanges"
  | "discardRun"
  | "undoDiscard"
  | "revertRun"
  | "getCosts"
  | "getBudget"
  | "updateBudget"
  | "setModelPrice";

const success = true as const;

export function runHandlers(desk: RunDesk): HandlersOf<RunEndpoint> {
  const spawn = async (body: SpawnRequest, dryRun: boolean, change: Change) =>
    dryRun ? { plan: await desk.spawns.preview(body) } : desk.spawns.start(body, change);
  return {
    spawn: ({ body, query, change }) => spawn(body, query.dryRun, change),
    spawnInProject: ({ params, body, query, change }) => spawn(placedIn(params.id, body), query.dryRun, change),
    getSpawnStatus: ({ params }) => statusOf(desk.get(params.sessionId)),
    listRuns: ({ query }) => desk.list(query),
    getRun: ({ params }) => ({ run: desk.getUsed(params.runId) }),
    getTranscript: ({ params, query }) => {
      const entries = desk.journal(params.runId);
      return { entries: entries.slice(query.after, query.after + query.limit), total: entries.length };
    },
    getRunPrompt: ({ params }) => {
      const plan = desk.journal(params.runId).find((entry) => entry.type === "plan")?.plan;
      if (plan === undefined) throw new HallError("file_not_found", `The journal of run '${params.runId}' is missing.`);
      return { plan };
    },
    stopRun: async ({ params, change }) => ({ success, run: await desk.cancel(params.runId, change) }),
    stopRuns: async ({ query, change }) => ({ success, ...(await desk.stop(query.project, change)) }),
    retryRun: ({ params, change }) => desk.retry(params.runId, change),
    messageRun: async ({ params, body, change }) => {
      await desk.message(params.runId, body.text, change);
      return { success };
    },
    listCheckpoints: ({ params }) => desk.checkpoints.list(params.id),
    rollback: ({ params, body, change }) =>
      desk.checkpoints.rollback(params.id, params.checkpointId, { request: body, change }),
    getRunDiff: ({ params }) => desk.review.diff(params.runId),
    approveRun: async ({ params, body, change }) => ({
      success,
      run: await desk.review.approve(params.runId, body, change),
    }),
    requestChanges: ({ params, body, change }) => desk.review.reject(params.runId, body, change),
    discardRun: async ({ params, body, change }) => ({
      success,
      ...(await desk.review.discard(params.runId, body.task, change)),
    }),
    undoDiscard: async ({ params, change }) => ({ success, run: await desk.review.restore(params.runId, change) }),
    revertRun: async ({ params, change }) => ({ success, ...(await desk.review.revert(params.runId, change)) }),
    getCosts: ({ query }) => desk.money.costs(query),
    getBudget: () => desk.money.budget(),
    updateBudget: async ({ body, change }) => ({ success, limits: await desk.money.updateBudget(body, change) }),
    setModelPrice: async ({ body: { model, ...price }, change }) => ({
      success,
      model,
      price: await desk.money.setPrice(model, price, change),
    }),
  };
}

function placedIn(projectId: string, body: SpawnRequest): SpawnRequest {
  if (body.projectId !== undefined && body.projectId !== projectId)
    throw new HallError("invalid", `projectId: must be '${projectId}', the project in the path, or omitted`);
  return { ...body, projectId };
}

function statusOf(run: Run): RouteResponse<"getSpawnStatus"> {
  const { status, progress, activity, result, cause, error } = run;
  const told =
    result === undefined
      ? {}
      : { result: { output: result.output, artifacts: result.artifacts, duration: result.duration } };
  return {
    status,
    progress,
    ...(activity === undefined ? {} : { activity }),
    ...told,
    ...(cause === undefined ? {} : { cause }),
    ...(error === undefined ? {} : { error }),
  };
}
