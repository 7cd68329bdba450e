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
    summary:
      "What a run changed, and the hash that an approval names. Of a run that is not over: what it has changed so far.",
    group: "Runs",
    params: runParams,
    response: RunDiff,
  },
  approveRun: {
    summary:
      "Accept the result of a run that waits for review, or did not complete, and merge its branch. Refused when the diff is not the one that was shown.",
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
      "Discard a result that was not approved: its branch is deleted, or its changes are rolled back in the folder. Can be undone until delivery.discard.until.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({ task: z.enum(["pending", "cancelled"]).default("pending") }),
    response: z.strictObject({ ...success, run: Run, rollback: Rollback.optional() }),
  },
  undoDiscard: {
    summary: "Undo a discard: the branch, or the changes in the folder, and the task are as before.",
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
      "Revert what a run changed, and reopen its task: with a commit where it was merged, else by restoring the files that did not change since.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ ...success, run: Run, rollback: Rollback.optional() }),
  },
  stopRuns: {
    summary: "End every run and every process that works for them, of one project or of all, within two seconds.",
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
