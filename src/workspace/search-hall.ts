import type { RouteQuery } from "../contract/routes.ts";
import type { SearchHit } from "../contract/search-routes.ts";
import type { HallIndex } from "../store/hall-index.ts";

/** Tasks are what people look for most: they come first, then everything else that fits. */
export function searchHall(index: HallIndex, query: RouteQuery<"search">): SearchHit[] {
  const { q: text, project: projectId, kind, limit } = query;
  if (kind === "task") return index.search.tasks({ text, projectId, limit });
  const others = index.search.documents({ text, projectId, limit, kind });
  if (kind !== undefined) return others;
  const tasks = index.search.tasks({ text, projectId, limit });
  // A few places are kept for the other kinds, so that a common word in tasks does not hide a project of that name.
  const kept = Math.min(others.length, Math.max(limit - tasks.length, Math.floor(limit / 4)));
  return [...tasks.slice(0, limit - kept), ...others.slice(0, kept)];
}
