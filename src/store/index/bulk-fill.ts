import type { DatabaseSync } from "node:sqlite";

/** What is kept of tasks, documents and escalations beside their rows. Made for all at once it takes a fraction of the time. */
const FOLLOWING = `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL
  AND (type = 'index' AND tbl_name IN ('tasks', 'task_labels', 'task_edges', 'escalations')
    OR type = 'trigger' AND (name = 'tasks_added' OR tbl_name = 'documents'))`;

/** What the triggers that were left out would have written. */
const CATCH_UP = `
INSERT INTO task_counts SELECT project_id, status, COUNT(*) FROM tasks GROUP BY project_id, status;
${wordsOf("tasks_fts")}
${wordsOf("documents_fts")}
DELETE FROM tasks_unread;
`;

/** Words are gathered in memory and written in few large pieces, which need no merging; then the usual sizes apply again. */
function wordsOf(table: string): string {
  const set = (option: string, value: number) =>
    `INSERT INTO ${table} (${table}, rank) VALUES ('${option}', ${value});`;
  return [
    ...[set("hashsize", 16 * 1024 * 1024), set("automerge", 0)],
    `INSERT INTO ${table} (${table}) VALUES ('rebuild');`,
    ...[set("hashsize", 1024 * 1024), set("automerge", 4)],
  ].join("\n");
}

/** In KiB. Pages that do not fit are written to disk in the middle of a transaction, some of them many times. */
const CACHE = { filling: 64_000, usual: 8_000 };

/** Fills empty tables, within a transaction. When it throws, nothing in them can be trusted. */
export function fillAtOnce(db: DatabaseSync, fill: () => void): void {
  const following = db.prepare(FOLLOWING).all() as { type: string; name: string; sql: string }[];
  db.exec(`PRAGMA cache_size = -${CACHE.filling}`);
  try {
    for (const { type, name } of following) db.exec(`DROP ${type} ${name}`);
    fill();
    db.exec(CATCH_UP);
    for (const { sql } of following) db.exec(sql);
  } finally {
    db.exec(`PRAGMA cache_size = -${CACHE.usual}`);
  }
}
