import type { SearchHit } from "../../contract/routes/search-routes.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Database } from "./database.ts";
import { type FoundRow, hitOf, mergeHits, passageMatches, type SearchQuery } from "./search-table.ts";

/** What was said and done in one turn of a run, as far as it is searched. */
export interface Passage {
  /** The entry of the run's transcript with which it begins, counted from 0. */
  entry: number;
  text: string;
}

export interface UnreadRun {
  runId: string;
  projectId: string;
  /** Relative to the workspace. */
  journal: string;
}

/** A common word stands in very many turns: so many matches are gone through for the runs they belong to. */
const MOST_MATCHES = 2_000;
/** So many unread runs are looked up at a time. */
const LOOKED_UP = 20;

/** Turns of runs that are over. They come in after the run did, from its journal: until then it counts as unread. */
export class PassageTable {
  readonly #db: Database;
  /** Called when there is a run to be read or forgotten. */
  onWork: () => void = () => undefined;
  /** Whether there may be a run that is gone and not forgotten. */
  #mayBeGone = true;
  /** Runs that are unread, the one that ended first at the beginning; whether there may be others. */
  #unread: UnreadRun[] = [];
  #mayBeMore = true;

  constructor(db: Database) {
    this.#db = db;
    db.onForget({
      forget: () => {
        this.#mayBeGone = true;
        this.#forgetUnread();
      },
    });
  }

  /** Of a run that is over, or has just ended; its journal does not change any more, and is read once. */
  expect({ id, projectId, createdAt, endedAt = createdAt }: Run, { hasJustEnded }: { hasJustEnded: boolean }): void {
    this.#mayBeMore = true;
    if (!hasJustEnded && this.#isExpected(id)) return;
    this.#db.run("INSERT OR REPLACE INTO run_reads VALUES (?, ?, ?, 'unread')", id, projectId, endedAt);
    this.onWork();
  }

  #forgetUnread(): void {
    this.#unread = [];
    this.#mayBeMore = true;
  }

  #isExpected(id: string): boolean {
    const known = this.#db.get<{ standing: string }>("SELECT standing FROM run_reads WHERE session_id = ?", id);
    return known !== undefined && known.standing !== "gone";
  }

  unread(): number {
    const counted = this.#db.get<{ total: number }>(
      "SELECT COUNT(*) AS total FROM run_reads WHERE standing = 'unread'",
    );
    return counted?.total ?? 0;
  }

  /**
   * The run that ended first, so that passages come in in one order, however often the index is built anew. Several are looked up
   * at once, because each look has SQLite carry out all writes that wait.
   */
  nextUnread(): UnreadRun | undefined {
    if (this.#unread.length === 0 && this.#mayBeMore) {
      this.#unread = this.#db.all<UnreadRun>(
        `SELECT r.session_id AS runId, r.project_id AS projectId, s.journal AS journal
         FROM run_reads r JOIN spawn_sessions s ON s.session_id = r.session_id
         WHERE r.standing = 'unread' ORDER BY r.ended_at, r.session_id LIMIT ${LOOKED_UP}`,
      );
      this.#mayBeMore = this.#unread.length === LOOKED_UP;
    }
    return this.#unread[0];
  }

  /** All there is to find in a run. */
  put({ runId, projectId }: Omit<UnreadRun, "journal">, passages: readonly Passage[]): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM passages WHERE session_id = ?", runId);
      for (const { entry, text } of passages)
        this.#db.run(
          "INSERT INTO passages (session_id, project_id, entry, text) VALUES (?, ?, ?, ?)",
          runId,
          projectId,
          entry,
          text,
        );
      this.#db.run("UPDATE run_reads SET standing = 'read' WHERE session_id = ?", runId);
    });
    this.#unread = this.#unread.filter((run) => run.runId !== runId);
  }

  /** Nothing of it is found from now on. The full-text index takes as long to forget as to learn, and does so run by run. */
  removeProject(projectId: string): void {
    this.#mayBeGone = true;
    this.#forgetUnread();
    this.#db.run("UPDATE run_reads SET standing = 'gone' WHERE project_id = ?", projectId);
    this.onWork();
  }

  /** Drops the words of one run that is gone; false when there is none. */
  forgetOne(): boolean {
    if (!this.#mayBeGone) return false;
    const gone = this.#db.get<{ runId: string }>(
      "SELECT session_id AS runId FROM run_reads WHERE standing = 'gone' LIMIT 1",
    );
    this.#mayBeGone = gone !== undefined;
    if (gone === undefined) return false;
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM passages WHERE session_id = ?", gone.runId);
      this.#db.run("DELETE FROM run_reads WHERE session_id = ?", gone.runId);
    });
    return true;
  }

  /** Runs in which all words stand in one turn, those that ended last first, each with its last such turn. */
  search(query: SearchQuery): SearchHit[] {
    let hits: SearchHit[] = [];
    for (const match of passageMatches(query.text, query.projectId)) {
      hits = mergeHits(hits, this.#matching(match, query), query.limit);
      if (hits.length >= query.limit) break;
    }
    return hits;
  }

  #matching(match: string, { projectId, limit }: SearchQuery): SearchHit[] {
    const keys = new Map<string, number>();
    for (const { key, runId } of this.#matches(match, projectId)) {
      if (!keys.has(runId)) keys.set(runId, key);
      if (keys.size === limit) break;
    }
    return keys.size === 0 ? [] : this.#hits(match, [...keys.values()]);
  }

  #matches(match: string, projectId: string | undefined): Iterable<{ key: number; runId: string }> {
    return this.#db.iterate(
      `SELECT p.key AS key, p.session_id AS runId FROM passages_fts JOIN passages p ON p.key = passages_fts.rowid
       JOIN run_reads r ON r.session_id = p.session_id AND r.standing = 'read'
       WHERE passages_fts MATCH ?1 AND (?2 IS NULL OR p.project_id = ?2) ORDER BY passages_fts.rowid DESC LIMIT ?3`,
      match,
      projectId ?? null,
      MOST_MATCHES,
    );
  }

  /** The plus has the matches gone through once, and not looked up anew for every key. */
  #hits(match: string, keys: readonly number[]): SearchHit[] {
    return this.#db
      .all<FoundRow>(
        `SELECT 'run' AS kind, p.project_id AS projectId, p.session_id AS id, s.doc ->> '$.run.title' AS title, s.status AS status,
           s.role_id AS roleId, s.task_id AS taskId, s.completed_at AS updatedAt, p.entry AS entry,
           snippet(passages_fts, 0, '', '', '…', 16) AS snippet
         FROM passages_fts JOIN passages p ON p.key = passages_fts.rowid JOIN spawn_sessions s ON s.session_id = p.session_id
         WHERE passages_fts MATCH ?1 AND +passages_fts.rowid IN (SELECT value FROM json_each(?2))
         ORDER BY passages_fts.rowid DESC LIMIT ?3`,
        match,
        JSON.stringify(keys),
        keys.length,
      )
      .map(hitOf);
  }
}
