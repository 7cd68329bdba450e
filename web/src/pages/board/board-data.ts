import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunLine } from "../../../../src/contract/now.ts";
import { queries } from "../../api/queries.ts";

/** The agents that are at work here, by their tasks. */
export function useRunsAtWork(projectId: string): ReadonlyMap<string, RunLine> {
  const { data } = useQuery(queries.now());
  return useMemo(
    () => new Map((data?.working ?? []).filter((run) => run.projectId === projectId).map((run) => [run.taskId, run])),
    [data?.working, projectId],
  );
}

/** Asked for once: a card that asked for itself would slow down scrolling. */
export function useRoleNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(queries.roles());
  return useMemo(() => new Map(data?.roles.map(({ id, emoji, name }) => [id, `${emoji} ${name}`])), [data]);
}
