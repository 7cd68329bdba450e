import type { QueryKey } from "@tanstack/react-query";

/** Whether a query asks for what is being deleted, or for a part of it. */
export type Concerns = (key: QueryKey) => boolean;

const partings = new Set<Concerns>();

/**
 * Somebody is about to delete what these queries ask for, and pages that show it are still there. Until the parting is over
 * nobody asks for it: the stream tells of the end sooner than the answer, and the daemon would say that there is no such thing.
 */
export function part(concerns: Concerns): () => void {
  const own: Concerns = (key) => concerns(key);
  partings.add(own);
  return () => void partings.delete(own);
}

export function isParting(key: QueryKey): boolean {
  return partings.values().some((concerns) => concerns(key));
}

/** Everything whose key begins like this. */
export const under =
  (...start: QueryKey): Concerns =>
  (key) =>
    start.every((word, at) => key[at] === word);

const PARTS_OF_PROJECTS = new Set<unknown>([
  "project",
  "cards",
  "task",
  "checkpoints",
  "memory",
  "documents",
  "skills",
  "instructions",
  "events",
  "preview",
]);

/** A project and all that is in it. */
export const ofProject =
  (id: string): Concerns =>
  ([about, which]) =>
    PARTS_OF_PROJECTS.has(about) ? which === id : projectIn(which) === id;

function projectIn(query: unknown): unknown {
  return typeof query === "object" && query !== null && "project" in query ? query.project : undefined;
}
