import { z } from "zod";
import { MERGE_METHODS } from "../documents/merge-method.ts";
import { Activity } from "../runs/activity.ts";
import { Rollback } from "../runs/checkpoint.ts";
import { JournalEntry } from "../runs/journal.ts";
import { NewComment } from "../runs/review-comment.ts";
import { Run, RunDiff, RunPlan, RunStatus, SpawnRequest, SpawnResponse } from "../runs/run.ts";
import { line, prose, Slug } from "../words/text.ts";
import { byId, flag, page, paged, success } from "./route-parts.ts";

const runParams = z.strictObject({ runId: z.string() });

export const runRoutes = {
  spawn: {
    summary: "Start an agent with a role on a task. With dryRun=true, only show the plan.",
    group: "Runs",
    query: z.strictObject({ dryRun: flag.default(false) }),
    body: SpawnRequest,
    response: SpawnResponse.or(z.strictObject({ plan: RunPlan })),
  },
  getSpawnStatus: {
    summary: "Progress of a spawn.",
    group: "Runs",
    params: z.strictObject({ sessionId: z.string() }),
    response: z.strictObject({
      status: RunStatus,
      progress: z.number(),
      activity: Activity.optional(),
      result: SpawnResponse.shape.result,
      cause: SpawnResponse.shape.cause,
      error: z.string().optional(),
    }),
  },
  spawnInProject: {
    summary: "Like spawn, for the project in the path.",
    group: "Runs",
    params: byId,
    query: z.strictObject({ dryRun: flag.default(false) }),
    body: SpawnRequest,
    response: SpawnResponse.or(z.strictObject({ plan: RunPlan })),
  },
  listRuns: {
    summary: "Runs, newest first.",
    group: "Runs",
    query: z.strictObject({
      ...page,
      project: Slug.optional(),
      status: RunStatus.optional(),
      task: z.string().optional(),
      role: Slug.optional(),
      /** Only runs whose result waits for a person. */
      review: flag.optional(),
    }),
    response: z.strictObject({ runs: z.array(Run), ...paged }),
  },
  getRun: { summary: "A run.", group: "Runs", params: runParams, response: z.strictObject({ run: Run }) },
  getTranscript: {
    summary: "Transcript of a run.",
    group: "Runs",
    params: runParams,
    query: z.strictObject({ after: z.coerce.number().int().min(0).default(0), limit: page.limit }),
    response: z.strictObject({ entries: z.array(JournalEntry), total: z.int() }),
  },
  getRunPrompt: {
    summary: "The prompt of a run.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ plan: RunPlan }),
  },
  stopRun: {
    summary: "Stop a run and the runs it started.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ ...success, run: Run }),
  },
  retryRun: {
    summary: "Retry: start a new run for the task of an ended run.",
    group: "Runs",
    params: runParams,
    response: SpawnResponse,
  },
  messageRun: {
    summary: "Send a message to a running agent.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({ text: prose(100_000) }),
    response: z.strictObject(success),
  },
  getRunDiff: {
    summary: "Diff of a run, with the hash that an approval must name. For an active run: its changes so far.",
    group: "Runs",
    params: runParams,
    response: RunDiff,
  },
  approveRun: {
    summary:
      "Approve the result of an ended run and merge its branch, after the quality gates checked it again if its target or branch moved since they passed it. Refused if the diff changed since it was shown.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({
      /** Of the diff that was shown. */
      hash: line(100),
      /** The project's method unless given. */
      mergeMethod: z.enum(MERGE_METHODS).optional(),
      /** Keep the branch after the merge. */
      keepBranch: z.boolean().optional(),
    }),
    response: z.strictObject({ ...success, run: Run }),
  },
  discardRun: {
    summary:
      "Discard an unapproved result: deletes its branch, or rolls back its changes in the folder. Can be undone until delivery.discard.until.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({ task: z.enum(["pending", "cancelled"]).default("pending") }),
    response: z.strictObject({ ...success, run: Run, rollback: Rollback.optional() }),
  },
  undoDiscard: {
    summary: "Undo a discard: restores the task, and the branch or the changes in the folder.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ ...success, run: Run }),
  },
  requestChanges: {
    summary: "Request changes: a new run continues the result with your feedback.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({
      feedback: prose(100_000).default(""),
      /** About lines of the result; the next run answers each of them in `result.answers`. */
      comments: z.array(NewComment).max(200).default([]),
    }),
    response: SpawnResponse,
  },
  revertRun: {
    summary:
      "Revert the changes of a run and reopen its task: with a revert commit if merged, otherwise by restoring files that have not changed since.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ ...success, run: Run, rollback: Rollback.optional() }),
  },
  stopRuns: {
    summary: "Stop all runs and their processes within two seconds, in one project or in all.",
    group: "Runs",
    query: z.strictObject({ project: line(100).optional() }),
    response: z.strictObject({
      ...success,
      runs: z.array(
        Run.pick({ id: true, projectId: true, taskId: true, roleId: true, title: true, status: true }).extend({
          /** It does not go on, but what it has done is still being saved. */
          settling: z.literal(true).optional(),
        }),
      ),
      processes: z.int(),
    }),
  },
} as const;
