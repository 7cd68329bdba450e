import type { SearchHit } from "../../../../src/contract/routes/search-routes.ts";

/** A task with what was found of its runs and what they left. */
export interface TaskHits {
  projectId: string;
  id: string;
  title: string;
  /** The task itself, when the words stand in it. */
  task?: SearchHit | undefined;
  /** Its runs, then what they left, each in the order of the hits. */
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
  for (const { others } of groups.values()) others.sort((one, other) => isLeft(one) - isLeft(other));
  return [...groups.values()];
}

/** A run says more than the artifact with its answer. */
function isLeft({ kind }: SearchHit): number {
  return kind === "artifact" ? 1 : 0;
}

export function taskOf(hit: SearchHit): { id: string; title: string } | undefined {
  return hit.kind === "task" ? { id: hit.id, title: hit.title } : hit.task;
}

/** One of each task, the task itself before its runs, for a short list; everything else as it is. */
export function onePerTask(hits: readonly SearchHit[]): SearchHit[] {
  const leading = new Set(hitsOfTasks(hits).map(({ task, others }) => task ?? others[0]));
  return hits.filter((hit) => taskOf(hit) === undefined || leading.has(hit));
}
