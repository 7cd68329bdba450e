import { useQuery } from "@tanstack/react-query";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { queries } from "../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { countOf } from "../../task/criteria.ts";

/** How many acceptance criteria the task of a run meets; undefined while all are met, or there are none. */
export function useUnmet({ projectId, taskId, purpose }: Run): { done: number; total: number } | undefined {
  const { data } = useQuery({ ...queries.task(projectId, taskId), enabled: purpose === "work" });
  const count = countOf(data?.task.acceptanceCriteria ?? []);
  return count.done < count.total ? count : undefined;
}

/** Beside what the agent reports as done. */
export function UnmetBadge({ unmet: { done, total } }: { unmet: { done: number; total: number } }) {
  return (
    <Badge tone="warn">
      {done} of {total} criteria met
    </Badge>
  );
}
