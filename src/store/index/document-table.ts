import type { SearchHit } from "../../contract/routes/search-routes.ts";
import type { Database } from "./database.ts";

export type DocumentKind = Exclude<SearchHit["kind"], "task">;

export interface IndexedDocument {
  path: string;
  kind: DocumentKind;
  projectId?: string | undefined;
  /** What the person calls it: a role's or project's id, otherwise the path inside the project. */
  id: string;
  title: string;
  body: string;
  size: number;
  updatedAt: string;
}

interface DocumentRow {
  path: string;
  kind: DocumentKind;
  project_id: string | null;
  id: string;
  title: string;
  body: string;
  size: number;
  updated_at: string;
}

/** Everything searchable that is not a task. */
export class DocumentTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  put(document: IndexedDocument): void {
    this.#db.run(
      `INSERT INTO documents (path, kind, project_id, id, title, body, size, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, project_id = excluded.project_id, id = excluded.id, title = excluded.title,
         body = excluded.body, size = excluded.size, updated_at = excluded.updated_at`,
      document.path,
      document.kind,
      document.projectId ?? null,
      document.id,
      document.title,
      document.body,
      document.size,
      document.updatedAt,
    );
  }

  remove(path: string): void {
    this.#db.run("DELETE FROM documents WHERE path = ?", path);
  }

  /** Its escalations are files of the workspace, and stay. */
  removeProject(projectId: string): void {
    this.#db.run("DELETE FROM documents WHERE project_id = ? AND kind <> 'escalation'", projectId);
  }

  list(query: {
    projectId: string;
    kind: DocumentKind;
    limit: number;
    before?: string | undefined;
  }): IndexedDocument[] {
    return this.#db
      .all<DocumentRow>(
        "SELECT path, kind, project_id, id, title, '' AS body, size, updated_at FROM documents WHERE project_id = ? AND kind = ? AND path < ? ORDER BY path DESC LIMIT ?",
        query.projectId,
        query.kind,
        query.before ?? "\u{10ffff}",
        query.limit,
      )
      .map(documentOf);
  }

  /** Initiatives of all projects. */
  plans(): { projectId: string; slug: string; title: string; updatedAt: string }[] {
    return this.#db
      .all<DocumentRow>("SELECT project_id, id, title, updated_at FROM documents WHERE kind = 'plan' ORDER BY path")
      .map(({ project_id, id, title, updated_at }) => ({
        projectId: project_id ?? "",
        slug: id.split("/")[1] ?? "",
        title,
        updatedAt: updated_at,
      }));
  }

  /** Of all projects and the workspace. */
  paths(kind: DocumentKind, limit: number): string[] {
    return this.#db
      .all<{ path: string }>("SELECT path FROM documents WHERE kind = ? ORDER BY path LIMIT ?", kind, limit)
      .map(({ path }) => path);
  }

  count(projectId: string, kind: DocumentKind): number {
    return (
      this.#db.get<{ total: number }>(
        "SELECT COUNT(*) AS total FROM documents WHERE project_id = ? AND kind = ?",
        projectId,
        kind,
      )?.total ?? 0
    );
  }
}

function documentOf(row: DocumentRow): IndexedDocument {
  return {
    path: row.path,
    kind: row.kind,
    ...(row.project_id === null ? {} : { projectId: row.project_id }),
    id: row.id,
    title: row.title,
    body: row.body,
    size: row.size,
    updatedAt: row.updated_at,
  };
}
