import { TASK_ID } from "../../contract/documents/task.ts";
import type { SearchHit } from "../../contract/routes/search-routes.ts";
import type { Database } from "./database.ts";
import type { DocumentKind } from "./document-table.ts";

const MOST_WORDS = 20;
/** So many matches are put into an order that an index built anew has too; of more, those that came in last. */
const ORDERED = 200;

export interface SearchQuery {
  text: string;
  projectId?: string | undefined;
  limit: number;
}

type DocumentSearch = SearchQuery & { kind?: DocumentKind | undefined };

/**
 * Ranking by relevance would read every match of a common word (200 ms at 100,000 tasks). Here whole words come before
 * beginnings of words and titles before descriptions, each newest first, and nothing is looked for once there is enough.
 */
export class SearchTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  tasks(query: SearchQuery): SearchHit[] {
    const words = wordsOf(query.text);
    if (words.length === 0) return this.#tasksByTitlePart(query);
    takeInWords(this.#db);
    let hits = this.#tasksById(query);
    for (const match of [
      inTitle(whole(words)),
      anywhere(whole(words)),
      inTitle(begun(words)),
      anywhere(begun(words)),
    ]) {
      hits = mergeHits(hits, this.#tasksMatching({ ...query, match }), query.limit);
      if (hits.length >= query.limit) break;
    }
    return hits;
  }

  documents(query: DocumentSearch): { titled: SearchHit[]; others: SearchHit[] } {
    const words = wordsOf(query.text);
    if (words.length === 0) return { titled: [], others: [] };
    const titled = this.#documentsMatching({ ...query, match: inTitle(begun(words)) });
    return { titled, others: this.#documentsMatching({ ...query, match: begun(words) }) };
  }

  /** Documents with at least one word that begins like one of these, the newest first. */
  pathsWithAny({
    begun: words,
    kind,
    limit,
  }: {
    begun: readonly string[];
    kind: DocumentKind;
    limit: number;
  }): string[] {
    const match = words
      .flatMap(wordsOf)
      .slice(0, MOST_WORDS)
      .map((word) => `"${word}"*`)
      .join(" OR ");
    if (match === "") return [];
    return this.#db
      .all<{ path: string }>(
        `SELECT d.path AS path FROM documents_fts JOIN documents d ON d.key = documents_fts.rowid
         WHERE documents_fts MATCH ?1 AND d.kind = ?2 ORDER BY documents_fts.rowid DESC LIMIT ?3`,
        match,
        kind,
        limit,
      )
      .map(({ path }) => path);
  }

  #tasksMatching(query: SearchQuery & { match: string }): SearchHit[] {
    return this.#found(
      `SELECT kind, projectId, id, title, status, roleId, updatedAt, snippet FROM (
         SELECT 'task' AS kind, t.project_id AS projectId, t.id AS id, t.title AS title, t.status AS status,
           t.assigned_role_id AS roleId, t.updated_at AS updatedAt, snippet(tasks_fts, 1, '', '', '…', 16) AS snippet,
           t.created_at AS createdAt, t.number AS number
         FROM tasks_fts JOIN tasks t ON t.key = tasks_fts.rowid
         WHERE tasks_fts MATCH ?1 AND (?2 IS NULL OR t.project_id = ?2) ORDER BY tasks_fts.rowid DESC LIMIT max(?3, ?4))
       ORDER BY createdAt DESC, projectId, number DESC LIMIT ?3`,
      within(query.projectId, query.match),
      query.projectId ?? null,
      query.limit,
      ORDERED,
    );
  }

  /** Whoever types an id wants that task. */
  #tasksById({ text, projectId, limit }: SearchQuery): SearchHit[] {
    const id = text.trim().toUpperCase();
    if (!TASK_ID.test(id)) return [];
    return this.#found(
      `SELECT 'task' AS kind, t.project_id AS projectId, t.id AS id, t.title AS title, t.status AS status,
         t.assigned_role_id AS roleId, t.updated_at AS updatedAt, substr(coalesce(t.description, ''), 1, 120) AS snippet
       FROM projects p CROSS JOIN tasks t ON t.project_id = p.id AND t.id = ?1
       WHERE ?2 IS NULL OR p.id = ?2 ORDER BY t.created_at DESC, t.project_id LIMIT ?3`,
      id,
      projectId ?? null,
      limit,
    );
  }

  #tasksByTitlePart(query: SearchQuery): SearchHit[] {
    return this.#found(
      `SELECT 'task' AS kind, project_id AS projectId, id, title, status, assigned_role_id AS roleId,
         updated_at AS updatedAt, '' AS snippet FROM tasks
       WHERE instr(title, ?1) > 0 AND (?2 IS NULL OR project_id = ?2)
       ORDER BY created_at DESC, project_id, number DESC LIMIT ?3`,
      query.text,
      query.projectId ?? null,
      query.limit,
    );
  }

  #documentsMatching(query: DocumentSearch & { match: string }): SearchHit[] {
    return this.#found(
      `SELECT kind, projectId, id, title, updatedAt, status, roleId, taskId, snippet FROM (
         SELECT d.kind AS kind, d.project_id AS projectId, d.id AS id, d.title AS title, d.updated_at AS updatedAt, d.path AS path,
           coalesce(s.status, e.status) AS status, s.role_id AS roleId, s.task_id AS taskId, snippet(documents_fts, 1, '', '', '…', 16) AS snippet
         FROM documents_fts JOIN documents d ON d.key = documents_fts.rowid
         LEFT JOIN spawn_sessions s ON d.kind = 'run' AND s.session_id = d.id
         LEFT JOIN escalations e ON d.kind = 'escalation' AND e.id = d.id
         WHERE documents_fts MATCH ?1 AND (?2 IS NULL OR d.project_id = ?2) AND (?3 IS NULL OR d.kind = ?3)
         ORDER BY documents_fts.rowid DESC LIMIT max(?4, ?5))
       ORDER BY updatedAt DESC, path LIMIT ?4`,
      query.match,
      query.projectId ?? null,
      query.kind ?? null,
      query.limit,
      ORDERED,
    );
  }

  #found(sql: string, ...values: (string | number | null)[]): SearchHit[] {
    return this.#db.all<FoundRow>(sql, ...values).map(hitOf);
  }
}

/** A hit as the tables tell it; of the task that a run belongs to, only the id. */
export type FoundRow = { [Column in keyof SearchHit]: SearchHit[Column] | null } & { taskId?: string | null };

/** Without what is not known; a run's and an artifact's task by its id alone. */
export function hitOf({ taskId, ...row }: FoundRow): SearchHit {
  const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return { ...known, ...(typeof taskId === "string" && { task: { id: taskId, title: taskId } }) } as SearchHit;
}

/** What the passages of runs are asked for, one after the other until there is enough; nothing for a text without words. */
export function passageMatches(text: string, projectId: string | undefined): string[] {
  const words = wordsOf(text);
  const matches = words.length === 0 ? [] : [whole(words), begun(words)];
  return matches.map((match) => within(projectId, `{text} : (${match})`));
}

/** What the full-text index is asked for the tasks that a list is narrowed to; undefined for a text without words. */
export function textMatch(text: string, projectId: string | undefined): string | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : within(projectId, anywhere(begun(words)));
}

/** What the full-text index is asked for documents that a list is narrowed to; undefined for a text without words. */
export function documentMatch(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : begun(words);
}

/** Lets the full-text index catch up with what was written since: all at once costs a fraction of one by one. */
export function takeInWords(db: Database): void {
  if (db.get("SELECT 1 FROM tasks_unread LIMIT 1") === undefined) return;
  db.transaction(() => {
    db.run(
      `INSERT INTO tasks_fts (tasks_fts, rowid, title, description, project_id)
       SELECT command, key, title, description, project_id FROM tasks_unread ORDER BY turn`,
    );
    db.run("DELETE FROM tasks_unread");
  });
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu)?.slice(0, MOST_WORDS) ?? [];
}

/** All words as they are. */
function whole(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(" ");
}

/** All words, the last one only begun. */
function begun(words: readonly string[]): string {
  return `${whole(words)}*`;
}

function inTitle(match: string): string {
  return `{title} : (${match})`;
}

function anywhere(match: string): string {
  return `{title description} : (${match})`;
}

/** Narrows early what is looked at. Ids that differ only in their punctuation are the same to the full-text index. */
function within(projectId: string | undefined, match: string): string {
  return projectId === undefined ? match : `project_id : "${projectId}" AND (${match})`;
}

export function mergeHits(first: SearchHit[], second: SearchHit[], limit: number): SearchHit[] {
  const seen = new Set(first.map(keyOf));
  return [...first, ...second.filter((hit) => !seen.has(keyOf(hit)))].slice(0, limit);
}

export function keyOf(hit: SearchHit): string {
  return `${hit.kind} ${hit.projectId ?? ""} ${hit.id}`;
}
