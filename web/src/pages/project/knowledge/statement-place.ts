import type { Statement } from "../../../../../src/contract/documents/knowledge.ts";

/** The query that names a statement's project, if it has one. */
export function ofProject({ projectId }: Statement): { project?: string } {
  return projectId === undefined ? {} : { project: projectId };
}

/** One list may hold statements of several projects with the same words. */
export function keyOf({ projectId, id }: Statement): string {
  return `${projectId ?? ""} ${id}`;
}

/** A change to a statement as it was shown: one that changed in the meantime is looked at again. */
export function asShown(statement: Statement) {
  return { params: { id: statement.id }, query: ofProject(statement), body: {}, ifMatch: statement.etag };
}
