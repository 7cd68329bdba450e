import type { SearchHit } from "../contract/routes.ts";
import type { Database } from "./database.ts";
import type { DocumentKind } from "./document-table.ts";

/**
 * Ranking by relevance would read every match of a common word (200 ms at 100,000 tasks). Here matches in the title
 * come first, then matches anywhere, each newest first; both are cut before anything is sorted.
 */
const CANDIDATES = 5_000;

export interface SearchQuery {
  text: string;
  projectId?: string | undefined;
  limit: number;
}

export class SearchTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  tasks(query: SearchQuery): SearchHit[] {
    const match = matchOf(query.text);
    if (match === undefined) return this.#tasksByTitlePart(query);
    const inTitle = this.#tasksMatching({ ...query, match: `{title} : (${match})` });
    if (inTitle.length >= query.limit) return inTitle;
    return mergeHits(inTitle, this.#tasksMatching({ ...query, match }), query.limit);
  }

  /** Keys of the newest matching tasks, for a list that filters further. */
  taskKeys(text: string, limit: number): number[] {
    const match = matchOf(text);
    const rows =
      match === undefined
        ? this.#db.all<{ key: number }>(
            "SELECT key FROM tasks WHERE instr(title, ?) > 0 ORDER BY key DESC LIMIT ?",
            text,
            limit,
          )
        : this.#db.all<{ key: number }>(
            "SELECT rowid AS key FROM tasks_fts WHERE tasks_fts MATCH ? ORDER BY rowid DESC LIMIT ?",
            match,
            limit,
          );
    return rows.map((row) => row.key);
  }

  documents(query: SearchQuery & { kind?: DocumentKind | undefined }): SearchHit[] {
    const match = matchOf(query.text);
    if (match === undefined) return [];
    const inTitle = this.#documentsMatching({ ...query, match: `{title} : (${match})` });
    return mergeHits(inTitle, this.#documentsMatching({ ...query, match }), query.limit);
  }

  #tasksMatching(query: SearchQuery & { match: string }): SearchHit[] {
    return this.#db.all<SearchHit>(
      `SELECT 'task' AS kind, t.project_id AS projectId, t.id AS id, t.title AS title, t.status AS status,
         snippet(tasks_fts, 1, '', '', '…', 16) AS snippet
       FROM tasks_fts JOIN tasks t ON t.key = tasks_fts.rowid
       WHERE tasks_fts MATCH ?1 AND (?2 IS NULL OR tasks_fts.rowid IN
         (SELECT key FROM tasks WHERE project_id = ?2 AND key IN (SELECT rowid FROM tasks_fts WHERE tasks_fts MATCH ?1 ORDER BY rowid DESC LIMIT ${CANDIDATES})))
       ORDER BY tasks_fts.rowid DESC LIMIT ?3`,
      query.match,
      query.projectId ?? null,
      query.limit,
    );
  }

  #tasksByTitlePart(query: SearchQuery): SearchHit[] {
    return this.#db.all<SearchHit>(
      `SELECT 'task' AS kind, project_id AS projectId, id, title, status, '' AS snippet FROM tasks
       WHERE instr(title, ?1) > 0 AND (?2 IS NULL OR project_id = ?2) ORDER BY key DESC LIMIT ?3`,
      query.text,
      query.projectId ?? null,
      query.limit,
    );
  }

  #documentsMatching(query: SearchQuery & { kind?: DocumentKind | undefined; match: string }): SearchHit[] {
    return this.#db
      .all<SearchHit & { projectId: string | null }>(
        `SELECT d.kind AS kind, d.project_id AS projectId, d.id AS id, d.title AS title, snippet(documents_fts, 1, '', '', '…', 16) AS snippet
         FROM documents_fts JOIN documents d ON d.key = documents_fts.rowid
         WHERE documents_fts MATCH ?1 AND (?2 IS NULL OR d.project_id = ?2) AND (?3 IS NULL OR d.kind = ?3)
         ORDER BY documents_fts.rowid DESC LIMIT ?4`,
        query.match,
        query.projectId ?? null,
        query.kind ?? null,
        query.limit,
      )
      .map(({ projectId, ...hit }) => (projectId === null ? hit : { ...hit, projectId }));
  }
}

/** Words as quoted terms, all of them required, the last one as a prefix; undefined when there is no word to look up. */
function matchOf(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, 20) ?? [];
  if (words.length === 0) return undefined;
  return `${words.map((word) => `"${word}"`).join(" ")}*`;
}

function mergeHits(first: SearchHit[], second: SearchHit[], limit: number): SearchHit[] {
  const seen = new Set(first.map(keyOf));
  return [...first, ...second.filter((hit) => !seen.has(keyOf(hit)))].slice(0, limit);
}

function keyOf(hit: SearchHit): string {
  return `${hit.kind} ${hit.projectId ?? ""} ${hit.id}`;
}
