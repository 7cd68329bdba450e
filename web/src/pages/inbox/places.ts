import { linkOptions } from "@tanstack/react-router";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";

/** The page that an entry is about, with what its button says; undefined where there is none. */
export function placeOf({ subject, projectId, blocksTask, askers, team }: Escalation) {
  if (team != null)
    return { label: "Open the team", ...linkOptions({ to: "/teams/$teamId", params: { teamId: team.id } }) };
  if (subject === undefined) return placeOfQuestion({ projectId, blocksTask, askers });
  switch (subject.kind) {
    case "review":
      return {
        label: "Open the diff",
        ...linkOptions({ to: "/runs/$runId", params: { runId: subject.id }, search: { view: "changes" } }),
      };
    case "failed":
    case "budget":
    case "provider":
      return { label: "Open the run", ...linkOptions({ to: "/runs/$runId", params: { runId: subject.id } }) };
    case "skill":
    case "instructions":
      return projectId === undefined
        ? undefined
        : {
            label: "Open Skills",
            ...linkOptions({ to: "/projects/$id/library/skills", params: { id: projectId } }),
          };
    case "problem":
      return { label: "Open Settings", ...linkOptions({ to: "/settings" }) };
    case "suspended":
    case "folder":
    case "damaged":
      return projectId === undefined
        ? undefined
        : { label: "Open the project", ...linkOptions({ to: "/projects/$id", params: { id: projectId } }) };
  }
}

function placeOfQuestion({ projectId, blocksTask, askers }: Pick<Escalation, "projectId" | "blocksTask" | "askers">) {
  const run = askers.find(({ kind, id }) => kind === "run" && id !== undefined)?.id;
  if (run !== undefined)
    return { label: "Open the run", ...linkOptions({ to: "/runs/$runId", params: { runId: run } }) };
  if (projectId === undefined) return undefined;
  return blocksTask === null
    ? { label: "Open the project", ...linkOptions({ to: "/projects/$id", params: { id: projectId } }) }
    : {
        label: "Open the task",
        ...linkOptions({ to: "/projects/$id/board", params: { id: projectId }, search: { task: blocksTask } }),
      };
}
