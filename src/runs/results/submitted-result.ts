import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { Run, RunDiff, Workplace } from "../../contract/runs/run.ts";
import type { RunRecords } from "../../workspace/records.ts";
import type { Delivered } from "./delivery-place.ts";

interface Parts {
  runs: Pick<RunRecords, "get">;
  diffOf: (run: Delivered<Delivery["kind"]>) => Promise<RunDiff>;
  /** Where a run worked, if it had a workplace of its own. */
  placeOf: (runId: string) => Workplace | undefined;
}

/** The result of a task that is in review or done, for a review of it. */
export interface SubmittedResult {
  isDone: boolean;
  /** Who handed it in; absent where the person moved the task there. */
  run?: Run;
  diff?: Pick<RunDiff, "files" | "diff" | "truncated">;
  /** Why there is no diff. */
  noDiff?: string;
  /** Where it is while it is not merged, with the commit that stands for it. */
  left?: Workplace & { commit: string };
  /** Of a review for a quality gate: what its prompt says of the change, and the earlier findings that it has to answer. */
  gate?: { part: string; earlier: string[] };
}

export function isSubmitted({ status }: Pick<Task, "status">): boolean {
  return status === "review" || status === "done";
}

export async function submittedFor(task: Task, { runs, diffOf, placeOf }: Parts): Promise<SubmittedResult> {
  const isDone = task.status === "done";
  const run = task.assignedSubAgentId === undefined ? undefined : runs.get(task.assignedSubAgentId)?.run;
  if (run === undefined) return { isDone };
  const { delivery } = run;
  if (delivery === undefined) return { isDone, run };
  try {
    const diff = await diffOf({ ...run, delivery });
    const place = placeOf(run.id);
    const isLeft = delivery.kind === "branch" && (delivery.state === "review" || delivery.state === "kept");
    const left = isLeft && place !== undefined && diff.head !== "" ? { left: { ...place, commit: diff.head } } : {};
    return { isDone, run, diff, ...left };
  } catch (error) {
    // What was handed in can be spoken of, although it cannot be shown any more.
    if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
    return { isDone, run, noDiff: error.message };
  }
}
