import { ESCALATION_STATUSES } from "../../contract/documents/escalation-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Files } from "../../store/files/files.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import { escalationFolder } from "../layout.ts";

/** Folders of escalations that lead outside the workspace: nothing is read or written there. */
export function escapingFolders(files: Pick<Files, "placeOf">): Problem[] {
  return ESCALATION_STATUSES.map(escalationFolder).flatMap((file): Problem[] => {
    try {
      files.placeOf(file);
      return [];
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "path_refused") return [];
      const reason = "it is a link that leads outside the workspace; replace it with a folder";
      return [{ file, kind: "escalation", severity: "invalid", reason }];
    }
  });
}

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
