import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

type Row = Record<string, unknown>;

/** The index as any tool can open it beside the running daemon: read-only. */
export function readIndex<Result>(
  workspace: string,
  read: (all: (sql: string, ...values: string[]) => Row[]) => Result,
): Result {
  const db = new DatabaseSync(join(workspace, ".guildhall/index.db"), { readOnly: true });
  try {
    // One look at all of it, though the daemon writes on.
    db.exec("BEGIN");
    return read((sql, ...values) =>
      db
        .prepare(sql)
        .all(...values)
        .map((row) => ({ ...row })),
    );
  } finally {
    db.close();
  }
}

/** What differs from one building of the index to the next although it tells the same: row numbers and bookkeeping. */
const KEYS = ["key", "turn"];
const BOOKKEEPING = ["meta"];

/** Every row of every table, without row numbers, in an order of its own; and which words full-text search knows. */
export function dumpIndex(workspace: string): Record<string, string[]> {
  if (!existsSync(join(workspace, ".guildhall/index.db"))) return {};
  return readIndex(workspace, (all) => {
    const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
      .map((row) => String(row.name))
      .filter((name) => !name.includes("_fts_") && !name.startsWith("sqlite_") && !BOOKKEEPING.includes(name));
    const rows = tables.map((name) => [name, all(`SELECT * FROM ${name}`).map(rowText).sort()] as const);
    return { ...Object.fromEntries(rows), words: wordsOf(all) };
  });
}

function rowText(row: Row): string {
  return JSON.stringify(Object.entries(row).filter(([column]) => !KEYS.includes(column)));
}

/** Which words of which tasks and documents are found, asked of the full-text index itself. */
function wordsOf(all: (sql: string, ...values: string[]) => Row[]): string[] {
  const words = new Set<string>();
  for (const row of all("SELECT title, description AS text FROM tasks UNION ALL SELECT title, body FROM documents")) {
    for (const [word] of `${row.title} ${row.text}`.matchAll(/[a-z]{3,}/gi)) words.add(word.toLowerCase());
  }
  return [...words].sort().map((word) => {
    const tasks = all(
      "SELECT t.project_id || '/' || t.id AS name FROM tasks_fts JOIN tasks t ON t.key = tasks_fts.rowid WHERE tasks_fts MATCH ? ORDER BY 1",
      `{title description} : "${word}"`,
    );
    const documents = all(
      "SELECT d.path AS name FROM documents_fts JOIN documents d ON d.key = documents_fts.rowid WHERE documents_fts MATCH ? ORDER BY 1",
      `"${word}"`,
    );
    return `${word}: ${[...tasks, ...documents].map((row) => row.name).join(" ")}`;
  });
}
