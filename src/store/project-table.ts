import type { Assignment, Project, ProjectStatus } from "../contract/project.ts";
import type { Database, Row } from "./database.ts";
import { fold } from "./index-file.ts";

export type IndexedProject = Project & { etag: string };
/** An invalid project keeps its place in lists: its id, and what was last known of the fields that both its files carry. */
export type ProjectRow = Omit<IndexedProject, "status"> & {
  status: ProjectStatus | "invalid";
  lastStatus?: ProjectStatus;
};

export class ProjectTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  put(project: ProjectRow): void {
    this.#db.transaction(() => {
      this.#db.run(
        "INSERT OR REPLACE INTO projects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        project.id,
        project.name,
        project.description,
        JSON.stringify(project.config),
        JSON.stringify(project.paths),
        project.status,
        project.createdAt,
        project.updatedAt,
        project.model ?? null,
        project.workdir ?? null,
        project.suspendedAt ?? null,
        project.completedAt ?? null,
        project.etag,
        project.lastStatus ?? null,
      );
      this.#db.run("DELETE FROM project_assignments WHERE project_id = ?", project.id);
      for (const assignment of project.team) this.#putAssignment(assignment);
    });
  }

  remove(id: string): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM projects WHERE id = ?", id);
      this.#db.run("DELETE FROM project_assignments WHERE project_id = ?", id);
    });
  }

  get(id: string): ProjectRow | undefined {
    const row = this.#db.get("SELECT * FROM projects WHERE id = ?", id);
    return row === undefined ? undefined : { ...projectOf(row), team: this.assignments(id) };
  }

  /** The cheap question that every request about a project's tasks asks. */
  status(id: string): ProjectRow["status"] | undefined {
    return this.#db.get<{ status: ProjectRow["status"] }>("SELECT status FROM projects WHERE id = ?", id)?.status;
  }

  /** When one of its tasks was last changed. */
  tasksChangedAt(id: string): string | undefined {
    const found = this.#db.get<{ at: string | null }>(
      "SELECT max(updated_at) AS at FROM tasks WHERE project_id = ?",
      id,
    );
    return found?.at ?? undefined;
  }

  hasWorkdir(id: string): boolean {
    return this.#db.get("SELECT 1 FROM projects WHERE id = ? AND workdir IS NOT NULL", id) !== undefined;
  }

  /** Of those that work in a folder a person named. */
  workdirs(): { id: string; workdir: string; status: ProjectRow["status"] }[] {
    return this.#db.all("SELECT id, workdir, status FROM projects WHERE workdir IS NOT NULL ORDER BY id");
  }

  ids(): string[] {
    return this.#db.all<{ id: string }>("SELECT id FROM projects ORDER BY id").map((row) => row.id);
  }

  list(query: { after: string; limit: number; status?: string | undefined; like?: string | undefined }): ProjectRow[] {
    return this.#db
      .all(
        `SELECT * FROM projects WHERE id > ?1 AND (?2 IS NULL OR status = ?2)
         AND (?3 IS NULL OR instr(fold(id || ' ' || name || ' ' || description), ?3) > 0) ORDER BY id LIMIT ?4`,
        query.after,
        query.status ?? null,
        query.like === undefined ? null : fold(query.like),
        query.limit,
      )
      .map((row) => ({ ...projectOf(row), team: this.assignments(row.id as string) }));
  }

  assignments(projectId: string): Assignment[] {
    return this.#db
      .all("SELECT * FROM project_assignments WHERE project_id = ? ORDER BY rowid", projectId)
      .map(assignmentOf);
  }

  projectsWithRole(roleId: string): string[] {
    return this.#db
      .all<{ project_id: string }>(
        "SELECT DISTINCT project_id FROM project_assignments WHERE role_id = ? ORDER BY project_id",
        roleId,
      )
      .map((row) => row.project_id);
  }

  count(): number {
    return this.#db.get<{ total: number }>("SELECT COUNT(*) AS total FROM projects")?.total ?? 0;
  }

  #putAssignment(assignment: Assignment): void {
    this.#db.run(
      "INSERT OR REPLACE INTO project_assignments VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      assignment.id,
      assignment.projectId,
      assignment.roleId,
      assignment.modelConfig === undefined ? null : JSON.stringify(assignment.modelConfig),
      assignment.skills === undefined ? null : JSON.stringify(assignment.skills),
      assignment.status,
      assignment.mode,
      assignment.assignedAt,
    );
  }
}

function projectOf(row: Row): Omit<ProjectRow, "team"> {
  const optional = (name: string, column: string) => (row[column] === null ? {} : { [name]: row[column] });
  return {
    id: row.id as string,
    name: row.name as string,
    description: row.description as string,
    status: row.status as ProjectRow["status"],
    config: JSON.parse(row.config as string) as Project["config"],
    ...optional("model", "model"),
    ...optional("workdir", "workdir"),
    paths: JSON.parse(row.paths as string) as Project["paths"],
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    ...optional("suspendedAt", "suspended_at"),
    ...optional("completedAt", "completed_at"),
    etag: row.etag as string,
    ...optional("lastStatus", "last_status"),
  };
}

function assignmentOf(row: Row): Assignment {
  return {
    id: row.id as string,
    roleId: row.role_id as string,
    projectId: row.project_id as string,
    ...(row.model_config_override === null
      ? {}
      : { modelConfig: JSON.parse(row.model_config_override as string) as NonNullable<Assignment["modelConfig"]> }),
    ...(row.skills_override === null ? {} : { skills: JSON.parse(row.skills_override as string) as string[] }),
    status: row.status as Assignment["status"],
    mode: row.mode as Assignment["mode"],
    assignedAt: row.assigned_at as string,
  };
}
