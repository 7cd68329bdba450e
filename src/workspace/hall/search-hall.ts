import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { SearchHit } from "../../contract/routes/search-routes.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import { keyOf, mergeHits, type SearchQuery } from "../../store/index/search-table.ts";

type Kind = RouteQuery<"search">["kind"];

export function searchHall(index: HallIndex, query: RouteQuery<"search">): RouteResponse<"search"> {
  const hits = found(index, query).map((hit) => withTask(index, hit));
  const unread = index.passages.unread();
  return unread === 0 ? { hits } : { hits, unread };
}

/** Tasks are what people look for most: they come first, then everything else that fits. */
function found(index: HallIndex, { q: text, project: projectId, kind, limit }: RouteQuery<"search">): SearchHit[] {
  const query = { text, projectId, limit };
  if (kind === "task") return index.search.tasks(query);
  const others = foundElsewhere(index, query, kind);
  if (kind !== undefined) return others;
  const tasks = index.search.tasks(query);
  // A few places are kept for the other kinds, so that a common word in tasks does not hide a project of that name.
  const kept = Math.min(others.length, Math.max(limit - tasks.length, Math.floor(limit / 4)));
  return [...tasks.slice(0, limit - kept), ...others.slice(0, kept)];
}

/** Matches in titles, then in texts, whether written or said in a run; each the newest first. */
function foundElsewhere(index: HallIndex, query: SearchQuery, kind: Exclude<Kind, "task">): SearchHit[] {
  const { titled, others } = index.search.documents({ ...query, kind });
  const said = kind === undefined || kind === "run" ? index.passages.search(query) : [];
  const places = new Map(said.map((hit) => [hit.id, hit]));
  // A run that is found by its title or its end as well leads to the words in it all the same.
  const leading = (hit: SearchHit) => (hit.kind === "run" ? (places.get(hit.id) ?? hit) : hit);
  const inText = mergeHits(said, others, query.limit * 2).sort(byAgeAndName);
  return mergeHits(titled.map(leading), inText, query.limit);
}

function byAge({ updatedAt: one = "" }: SearchHit, { updatedAt: other = "" }: SearchHit): number {
  return one < other ? 1 : one > other ? -1 : 0;
}

/** Hits of one age have an order of their own, which does not depend on when the index came to know them. */
function byAgeAndName(one: SearchHit, other: SearchHit): number {
  return byAge(one, other) || keyOf(one).localeCompare(keyOf(other));
}

/** What the hall itself keeps of a run carries task and run in its name. */
const ARTIFACT_OF_RUN = /\/(TASK-\d+)-run-[0-9a-z]+\.md$/;

function withTask(index: HallIndex, hit: SearchHit): SearchHit {
  const id = hit.kind === "artifact" ? ARTIFACT_OF_RUN.exec(hit.id)?.[1] : hit.task?.id;
  if (id === undefined || hit.projectId === undefined) return hit;
  return { ...hit, task: { id, title: index.tasks.title(hit.projectId, id) ?? id } };
}
