import type { EventType } from "../../contract/event.ts";
import type { Database } from "./database.ts";

export interface DoneRequest {
  key: string;
  /** Unknown when the request was found again in a file after a crash. */
  fingerprint: string | undefined;
  type: EventType;
  projectId: string | undefined;
  subjectId: string;
  at: string;
}

/** Requests that carried an Idempotency-Key and what they did. */
export class RequestTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  put(request: DoneRequest): void {
    this.#db.run(
      "INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?, ?)",
      request.key,
      request.fingerprint ?? null,
      request.type,
      request.projectId ?? null,
      request.subjectId,
      request.at,
    );
  }

  get(key: string): DoneRequest | undefined {
    const row = this.#db.get<{
      fingerprint: string | null;
      type: EventType;
      project_id: string | null;
      subject_id: string;
      at: string;
    }>("SELECT * FROM requests WHERE key = ?", key);
    if (row === undefined) return undefined;
    return {
      key,
      fingerprint: row.fingerprint ?? undefined,
      type: row.type,
      projectId: row.project_id ?? undefined,
      subjectId: row.subject_id,
      at: row.at,
    };
  }

  forgetBefore(at: string): void {
    this.#db.run("DELETE FROM requests WHERE at < ?", at);
  }
}
