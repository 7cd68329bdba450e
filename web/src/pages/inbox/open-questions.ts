import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { queries } from "../../api/queries.ts";

const MOST = 1_000;

/** The questions of a project's agents that have no answer yet, also those that agents still look at and snoozed ones. */
export function useOpenQuestions(project: string): readonly Escalation[] {
  const pending = useQuery(queries.escalations({ status: "pending", project, snoozed: "true", limit: MOST })).data;
  const drafts = useQuery(queries.escalations({ status: "draft", project, limit: MOST })).data;
  return useMemo(
    () =>
      [...(pending?.escalations ?? []), ...(drafts?.escalations ?? [])].filter((each) => each.subject === undefined),
    [pending, drafts],
  );
}

/** The question that a task is blocked by, by the id of the task. */
export function useBlockingQuestions(project: string): ReadonlyMap<string, string> {
  const open = useOpenQuestions(project);
  return useMemo(
    () => new Map(open.flatMap(({ blocksTask, id }) => (blocksTask === null ? [] : [[blocksTask, id] as const]))),
    [open],
  );
}
