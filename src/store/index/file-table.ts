import type { Problem } from "../../contract/problem.ts";
import { isSameStamp, type Stamp } from "../files/regular-file.ts";
import type { Database, Row } from "./database.ts";
import { RowMemory } from "./row-memory.ts";

/** Of so many paths, those that were written or asked for last, it is kept in memory what is known of them, if anything. */
const MOST_KEPT = 2_000;

export interface KnownFile extends Stamp {
  path: string;
  etag: string;
}

/** Which state of which file the index holds, and which files could not be read. */
export class FileTable {
  readonly #db: Database;
  readonly #known = new RowMemory<{ file?: KnownFile }>(MOST_KEPT);
  /** Files with problems; undefined until it is asked for. */
  #troubled: Set<string> | undefined;

  constructor(db: Database) {
    this.#db = db;
    db.onForget({
      forget: () => {
        this.#known.clear();
        this.#troubled = undefined;
      },
    });
  }

  put(path: string, stamp: Stamp, etag: string): void {
    const { mtime, size, inode } = stamp;
    if (this.#db.isFilling) this.#known.drop(path);
    else this.#known.keep(path, { file: { path, mtime, size, inode, etag } });
    this.#db.replace(
      "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)",
      path,
      stamp.mtime,
      stamp.size,
      stamp.inode,
      etag,
    );
  }

  get(path: string): KnownFile | undefined {
    this.#db.assertAvailable();
    const known = this.#known.get(path);
    if (known !== undefined) return known.file;
    const file = this.#db.get<KnownFile>("SELECT * FROM files WHERE path = ?", path);
    this.#known.keep(path, file === undefined ? {} : { file });
    return file;
  }

  remove(path: string): void {
    this.#known.keep(path, {});
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM files WHERE path = ?", path);
      this.clearProblems(path);
    });
  }

  /** Everything known below a folder, by path. */
  below(folder: string): Iterable<KnownFile> {
    return this.#db.iterate<KnownFile>(
      "SELECT * FROM files WHERE path >= ? AND path < ? ORDER BY path",
      `${folder}/`,
      `${folder}0`,
    );
  }

  /** When anything known below a folder was last changed, in milliseconds since 1970. */
  newestBelow(folder: string): number | undefined {
    const row = this.#db.get<{ newest: number | null }>(
      "SELECT max(mtime) AS newest FROM files WHERE path >= ? AND path < ?",
      `${folder}/`,
      `${folder}0`,
    );
    return row?.newest ?? undefined;
  }

  removeBelow(folder: string): void {
    this.#known.clear();
    this.#troubled = undefined;
    this.#db.transaction(() => {
      for (const table of ["files", "problems"])
        this.#db.run(`DELETE FROM ${table} WHERE path >= ? AND path < ?`, `${folder}/`, `${folder}0`);
    });
  }

  isCurrent(path: string, stamp: Stamp): boolean {
    const known = this.get(path);
    return known !== undefined && isSameStamp(known, stamp);
  }

  putProblem(problem: Problem): void {
    this.#troubled?.add(problem.file);
    this.#db.run(
      "INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?, ?, ?, ?)",
      problem.file,
      problem.id ?? "",
      problem.kind,
      problem.projectId ?? null,
      problem.line ?? null,
      problem.severity,
      problem.reason,
    );
  }

  clearProblems(path: string): void {
    if (this.#troubledFiles().delete(path)) this.#db.run("DELETE FROM problems WHERE path = ?", path);
  }

  /** From memory: most files have none. */
  hasProblems(path: string): boolean {
    this.#db.assertAvailable();
    return this.#troubledFiles().has(path);
  }

  problemsOf(path: string): Problem[] {
    return this.#db.all("SELECT * FROM problems WHERE path = ? ORDER BY id", path).map(problemOf);
  }

  problems(filter: { kind?: Problem["kind"]; projectId?: string | undefined } = {}): Problem[] {
    return this.#db
      .all(
        "SELECT * FROM problems WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR project_id = ?2) ORDER BY path, id LIMIT 1000",
        filter.kind ?? null,
        filter.projectId ?? null,
      )
      .map(problemOf);
  }

  #troubledFiles(): Set<string> {
    this.#troubled ??= new Set(this.#db.all<Row>("SELECT DISTINCT path FROM problems").map((row) => String(row.path)));
    return this.#troubled;
  }

  setMeta(key: string, value: string | number): void {
    this.#db.replace("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value);
  }

  removeMeta(key: string): void {
    this.#db.run("DELETE FROM meta WHERE key = ?", key);
  }

  meta(key: string): string | number | undefined {
    return this.#db.get<{ value: string | number }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }
}

function problemOf(row: Row): Problem {
  return {
    file: row.path as string,
    kind: row.kind as Problem["kind"],
    severity: row.severity as Problem["severity"],
    reason: row.reason as string,
    ...(row.line === null ? {} : { line: row.line as number }),
    ...(row.project_id === null ? {} : { projectId: row.project_id as string }),
    ...(row.id === "" ? {} : { id: row.id as string }),
  };
}
