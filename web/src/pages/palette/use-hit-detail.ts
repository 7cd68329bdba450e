import { useQuery } from "@tanstack/react-query";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";
import type { RunStatus } from "../../../../src/contract/runs/run.ts";
import { RUN_STATUS_WORDS } from "../../../../src/contract/words/run-words.ts";
import { queries } from "../../api/queries.ts";
import { useRoleNames } from "../../ui/run/role-name.tsx";
import { taskWords } from "../../ui/run/status.tsx";
import { KINDS } from "../search/hit-place.ts";

/** What projects are called; the id of one that is not known. */
export function useProjectNames(): (id: string) => string {
  const { data } = useQuery(queries.projects());
  return (id) => data?.projects.find((project) => project.id === id)?.name ?? id;
}

/** What tells a hit from others of the same name: what it is, how it stands, who did it, and where. */
export function useHitDetail(): (hit: SearchHit) => string {
  const nameOf = useProjectNames();
  const roles = useRoleNames();
  return (hit) =>
    [
      KINDS.find(({ kind }) => kind === hit.kind)?.one ?? hit.kind,
      standingOf(hit),
      hit.kind === "run" && hit.roleId !== undefined ? (roles.get(hit.roleId)?.name ?? hit.roleId) : undefined,
      hit.projectId === undefined ? undefined : nameOf(hit.projectId),
      hit.kind === "task" ? hit.id : hit.task?.id,
    ]
      .filter((part) => part !== undefined)
      .join(" · ");
}

function standingOf({ kind, status }: SearchHit): string | undefined {
  if (status === undefined) return undefined;
  if (kind === "run") return RUN_STATUS_WORDS[status as RunStatus] ?? status;
  return kind === "task" ? (taskWords[status as TaskStatus] ?? status) : status;
}
