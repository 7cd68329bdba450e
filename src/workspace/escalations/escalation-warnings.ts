import type { Problem } from "../../contract/problem.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";

/** Open escalations that name what does not exist, or have an answer that nothing will deliver. */
export function escalationWarnings(index: HallIndex, limit: number): Problem[] {
  const open = [...index.escalations.due()].filter(({ status }) => status !== "resolved");
  return open.flatMap((record) => faultsOf(record, index).map((reason) => warning(record, reason))).slice(0, limit);
}

function faultsOf({ projectId, blocksTask, resolution, status }: EscalationRecord, index: HallIndex): string[] {
  const isKnown = projectId !== undefined && index.projects.status(projectId) !== undefined;
  const faults: string[] = [];
  if (projectId !== undefined && !isKnown) faults.push(`the project '${projectId}' does not exist`);
  if (blocksTask !== null && !(isKnown && index.tasks.record(projectId, blocksTask) !== undefined))
    faults.push(`it blocks the task '${blocksTask}', which does not exist`);
  if (resolution !== null)
    faults.push(`it has a resolution and is ${status}; set its status to resolved to deliver the answer`);
  return faults;
}

function warning({ path, id, projectId }: EscalationRecord, reason: string): Problem {
  const about = { file: path, kind: "escalation" as const, id, severity: "warning" as const, reason };
  return projectId === undefined ? about : { ...about, projectId };
}
