import type { Run } from "../../../../src/contract/runs/run.ts";
import { queries } from "../../api/queries.ts";

const MOST = 200;

export function runsOfTask({ projectId, taskId }: Pick<Run, "projectId" | "taskId">) {
  return queries.runs({ project: projectId, task: taskId, limit: MOST });
}

export interface Relative {
  run: Run;
  depth: number;
}

/** Runs with those they started below them: the tries newest first, what each started in the order it did. */
export function treeOf(runs: readonly Run[]): Relative[] {
  const known = new Set(runs.map(({ id }) => id));
  const byId = (a: Run, b: Run) => (a.id < b.id ? -1 : 1);
  const below = (parent: Run, depth: number): Relative[] => [
    { run: parent, depth },
    ...runs
      .filter(({ parentRunId }) => parentRunId === parent.id)
      .sort(byId)
      .flatMap((child) => below(child, depth + 1)),
  ];
  const tries = runs.filter(({ parentRunId }) => parentRunId === undefined || !known.has(parentRunId));
  return tries.toSorted((a, b) => byId(b, a)).flatMap((run) => below(run, 0));
}
