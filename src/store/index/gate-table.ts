import type { Database, Row } from "./database.ts";
import type { DocumentTable } from "./document-table.ts";

/** What the index knows of a gate report or an integration check. */
export interface GateRecord {
  path: string;
  id: string;
  kind: "gate" | "check";
  projectId: string;
  runId?: string | undefined;
  taskId?: string | undefined;
  state: "running" | "finished";
  verdict?: string | undefined;
  /** What the verdict depends on; undefined where it must not be used again. */
  key?: string | undefined;
  title: string;
  /** What a search finds it by. */
  words: string;
  at: string;
  /** As lists and figures need it, in JSON. */
  summary: string;
}

export interface GateFilter {
  projectId: string;
  kind: GateRecord["kind"];
  taskId?: string | undefined;
  verdict?: string | undefined;
  state?: GateRecord["state"] | undefined;
}

/** Gate reports and integration checks, without their findings and evidence. Their ids sort by time. */
export class GateTable {
  readonly #db: Database;
  readonly #documents: DocumentTable;

  constructor(db: Database, documents: DocumentTable) {
    this.#db = db;
    this.#documents = documents;
  }

  put(record: GateRecord): void {
    const { path, id, kind, projectId, title, words: body, at: updatedAt } = record;
    this.#db.replace(
      "INSERT OR REPLACE INTO gates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[path, id, kind, projectId],
      ...[record.runId ?? null, record.taskId ?? null, record.state, record.verdict ?? null, record.key ?? null],
      record.summary,
    );
    this.#documents.put({ path, kind: "gate", projectId, id, title, body, size: 0, updatedAt });
  }

  remove(path: string): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM gates WHERE path = ?", path);
      this.#documents.remove(path);
    });
  }

  removeProject(projectId: string): void {
    this.#db.run("DELETE FROM gates WHERE project_id = ?", projectId);
  }

  /** The newest first. */
  list(filter: GateFilter, page: { limit: number; before?: string | undefined }): Row[] {
    const { projectId, kind, taskId, verdict, state } = filter;
    return this.#db.all(
      `SELECT id, path, doc FROM gates WHERE project_id = ?1 AND kind = ?2 AND (?3 IS NULL OR task_id = ?3)
         AND (?4 IS NULL OR verdict = ?4) AND id < ?5 AND (?7 IS NULL OR state = ?7) ORDER BY id DESC LIMIT ?6`,
      projectId,
      kind,
      taskId ?? null,
      verdict ?? null,
      page.before ?? "\u{10ffff}",
      page.limit,
      state ?? null,
    );
  }

  /** Where it lies. */
  pathOf(id: string): string | undefined {
    return this.#db.get<{ path: string }>("SELECT path FROM gates WHERE id = ? ORDER BY path", id)?.path;
  }

  /** Reports of a run, the oldest first. */
  pathsOf(runId: string): string[] {
    return this.#db
      .all<{ path: string }>("SELECT path FROM gates WHERE run_id = ? AND kind = 'gate' ORDER BY id", runId)
      .map(({ path }) => path);
  }

  /** The newest finished report of the same thing, judged in the same way. */
  pathOfKey(projectId: string, key: string): string | undefined {
    return this.#db.get<{ path: string }>(
      "SELECT path FROM gates WHERE project_id = ? AND key = ? AND state = 'finished' ORDER BY id DESC",
      projectId,
      key,
    )?.path;
  }

  /** Those that nobody has ended. */
  running(): string[] {
    return this.#db
      .all<{ path: string }>("SELECT path FROM gates WHERE state = 'running' ORDER BY id")
      .map(({ path }) => path);
  }
}
