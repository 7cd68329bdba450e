import { useState } from "react";
import type { Task } from "../../../../src/contract/documents/task.ts";
import { failureOf } from "../../api/failure.ts";
import { type CriteriaChange, withChange } from "./criteria.ts";
import { useSaveTask } from "./save-task.ts";

/** Answers whether it was saved. */
export type ChangeCriteria = (wanted: CriteriaChange) => Promise<boolean>;

/** Changing the criteria of a task, and why the last change was not made. */
export function useCriteria({ projectId, id }: Pick<Task, "projectId" | "id">) {
  const save = useSaveTask(projectId, id);
  const [problem, setProblem] = useState<string>();
  const change: ChangeCriteria = async (wanted) => {
    setProblem(undefined);
    try {
      await save(({ acceptanceCriteria }) => ({ acceptanceCriteria: withChange(acceptanceCriteria, wanted) }));
      return true;
    } catch (error) {
      setProblem(failureOf(error).message);
      return false;
    }
  };
  return { change, problem };
}
