import type { Role } from "../../contract/documents/role.ts";
import type { Database, Row } from "./database.ts";
import { fold } from "./index-file.ts";
import { RowMemory } from "./row-memory.ts";

export type IndexedRole = Role & { etag: string };

/** Roles. Those that were asked for are kept in memory: there are few, and every spawn asks for one. */
export class RoleTable {
  readonly #db: Database;
  readonly #known = new RowMemory<IndexedRole>();

  constructor(db: Database) {
    this.#db = db;
    db.onForget({ forget: () => this.#known.clear() });
  }

  put(role: IndexedRole): void {
    this.#known.drop(role.id);
    this.#db.run(
      "INSERT OR REPLACE INTO roles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      role.id,
      role.name,
      role.emoji,
      role.description,
      JSON.stringify(role.specialty),
      JSON.stringify(role.modelConfig),
      JSON.stringify(role.skills),
      role.systemPromptTemplate,
      JSON.stringify(role.variables),
      role.createdAt,
      role.updatedAt,
      role.version,
      role.etag,
      role.ask === undefined ? null : JSON.stringify(role.ask),
    );
  }

  remove(id: string): void {
    this.#known.drop(id);
    this.#db.run("DELETE FROM roles WHERE id = ?", id);
  }

  get(id: string): IndexedRole | undefined {
    this.#db.assertAvailable();
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const row = this.#db.get("SELECT * FROM roles WHERE id = ?", id);
    return row === undefined ? undefined : this.#known.keep(id, roleOf(row));
  }

  ids(): string[] {
    return this.#db.all<{ id: string }>("SELECT id FROM roles ORDER BY id").map((row) => row.id);
  }

  all(): IndexedRole[] {
    return this.#db.all("SELECT * FROM roles ORDER BY id").map(roleOf);
  }

  list(query: { after: string; limit: number; like?: string | undefined }): IndexedRole[] {
    return this.#db
      .all(
        `SELECT * FROM roles WHERE id > ?1 AND (?2 IS NULL OR instr(fold(id || ' ' || name || ' ' || description || ' ' || specialty), ?2) > 0)
         ORDER BY id LIMIT ?3`,
        query.after,
        query.like === undefined ? null : fold(query.like),
        query.limit,
      )
      .map(roleOf);
  }

  count(): number {
    return this.#db.get<{ total: number }>("SELECT COUNT(*) AS total FROM roles")?.total ?? 0;
  }
}

function roleOf(row: Row): IndexedRole {
  return {
    id: row.id as string,
    name: row.name as string,
    emoji: row.emoji as string,
    description: row.description as string,
    specialty: JSON.parse(row.specialty as string) as string[],
    modelConfig: JSON.parse(row.model_config as string) as Role["modelConfig"],
    skills: JSON.parse(row.skills as string) as string[],
    ...(row.ask === null ? {} : { ask: JSON.parse(row.ask as string) as string[] }),
    systemPromptTemplate: row.system_prompt_template as string,
    variables: JSON.parse(row.variables as string) as string[],
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    version: row.version as number,
    etag: row.etag as string,
  };
}
