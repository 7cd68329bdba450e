import { linkOptions } from "@tanstack/react-router";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";

/** The page that shows a hit; undefined for what has none. */
export function placeOfHit({ kind, id, projectId, entry }: Pick<SearchHit, "kind" | "id" | "projectId" | "entry">) {
  if (kind === "role") return linkOptions({ to: "/roles/$roleId", params: { roleId: id } });
  if (kind === "project") return linkOptions({ to: "/projects/$id", params: { id } });
  if (kind === "escalation") return linkOptions({ to: "/inbox", search: { id } });
  if (kind === "gate") return linkOptions({ to: "/gates/$gateId", params: { gateId: id } });
  if (kind === "run") {
    const search = entry === undefined ? {} : { view: "transcript", at: `e${entry}` };
    return linkOptions({ to: "/runs/$runId", params: { runId: id }, search });
  }
  if (projectId === undefined) return kind === "knowledge" ? linkOptions({ to: "/knowledge" }) : undefined;
  const params = { id: projectId };
  switch (kind) {
    case "task":
      return linkOptions({ to: "/projects/$id/board", params, search: { task: id } });
    case "knowledge":
      return linkOptions({ to: "/projects/$id/library/knowledge", params });
    case "artifact":
      return linkOptions({ to: "/projects/$id/library/artifacts", params, search: { view: id } });
    case "context":
      return linkOptions({ to: "/projects/$id/library/context", params, search: { view: id } });
    case "plan":
      return linkOptions({ to: "/projects/$id", params });
  }
}

export const KINDS: readonly { kind: SearchHit["kind"]; many: string; one: string }[] = [
  { kind: "task", one: "task", many: "Tasks" },
  { kind: "run", one: "run", many: "Runs" },
  { kind: "escalation", one: "question", many: "Questions" },
  { kind: "gate", one: "gate report", many: "Gate reports" },
  { kind: "project", one: "project", many: "Projects" },
  { kind: "role", one: "role", many: "Roles" },
  { kind: "knowledge", one: "knowledge", many: "Knowledge" },
  { kind: "artifact", one: "artifact", many: "Artifacts" },
  { kind: "context", one: "context", many: "Context" },
  { kind: "plan", one: "initiative", many: "Initiatives" },
];
