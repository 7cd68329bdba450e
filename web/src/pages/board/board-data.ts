import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunLine } from "../../../../src/contract/now.ts";
import { queries } from "../../api/queries.ts";
import { useRoleNames } from "../../ui/run/role-name.tsx";

/** The agents that are at work here, by their tasks. */
export function useRunsAtWork(projectId: string): ReadonlyMap<string, RunLine> {
  const { data } = useQuery(queries.now());
  return useMemo(
    () => new Map((data?.working ?? []).filter((run) => run.projectId === projectId).map((run) => [run.taskId, run])),
    [data?.working, projectId],
  );
}

/** Asked for once: a card that asked for itself would slow down scrolling. */
export function useRoleTexts(): ReadonlyMap<string, string> {
  const roles = useRoleNames();
  return useMemo(() => new Map(Array.from(roles, ([id, { emoji, name }]) => [id, `${emoji} ${name}`])), [roles]);
}
