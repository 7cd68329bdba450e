import type { SearchHit } from "../../../../src/contract/search-routes.ts";

/** A task with what was found of its runs and what they left. */
export interface TaskHits {
  projectId: string;
  id: string;
  title: string;
  /** The task itself, when the words stand in it. */
  task?: SearchHit | undefined;
  /** Its runs and their artifacts, in the order of the hits. */
  others: SearchHit[];
}

/** What belongs to one task stands together, where its first hit stands. */
export function hitsOfTasks(hits: readonly SearchHit[]): TaskHits[] {
  const groups = new Map<string, TaskHits>();
  for (const hit of hits) {
    const of = taskOf(hit);
    if (of === undefined || hit.projectId === undefined) continue;
    const key = `${hit.projectId} ${of.id}`;
    const group = groups.get(key) ?? { projectId: hit.projectId, ...of, others: [] };
    if (hit.kind === "task") group.task = hit;
    else group.others.push(hit);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export function taskOf(hit: SearchHit): { id: string; title: string } | undefined {
  return hit.kind === "task" ? { id: hit.id, title: hit.title } : hit.task;
}

/** One of each task, for a short list; everything else as it is. */
export function onePerTask(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter((hit) => {
    const of = taskOf(hit);
    if (of === undefined) return true;
    const key = `${hit.projectId} ${of.id}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}
