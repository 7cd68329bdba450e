import type { Assignment, Project, ProjectStatus } from "../../contract/documents/project.ts";
import type { Database, Row } from "./database.ts";
import { fold } from "./index-file.ts";
import { RowMemory } from "./row-memory.ts";

export type IndexedProject = Project & { etag: string };
/** An invalid project keeps its place in lists: its id, and what was last known of the fields that both its files carry. */
export type ProjectRow = Omit<IndexedProject, "status"> & {
  status: ProjectStatus | "invalid";
  lastStatus?: ProjectStatus;
};

/** Projects and their teams. All that were asked for are kept in memory: nearly everything the hall does asks for one. */
export class ProjectTable {
  readonly #db: Database;
  readonly #known = new RowMemory<ProjectRow>();
  /** Of all projects, in order; undefined until somebody asks. */
  #ids: readonly string[] | undefined;

  constructor(db: Database) {
    this.#db = db;
    db.onForget({ forget: () => this.#forgetAll() });
  }

  put(project: ProjectRow): void {
    this.#known.drop(project.id);
    if (this.#ids !== undefined && !this.#ids.includes(project.id)) this.#ids = [...this.#ids, project.id].sort();
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
    this.#known.drop(id);
    this.#ids = this.#ids?.filter((other) => other !== id);
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM projects WHERE id = ?", id);
      this.#db.run("DELETE FROM project_assignments WHERE project_id = ?", id);
    });
  }

  get(id: string): ProjectRow | undefined {
    this.#db.assertAvailable();
    return this.#known.get(id) ?? this.#read(id);
  }

  /** The question that every request about a project's tasks asks. */
  status(id: string): ProjectRow["status"] | undefined {
    return this.get(id)?.status;
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
    return this.get(id)?.workdir !== undefined;
  }

  /** Of those that work in a folder a person named. */
  workdirs(): { id: string; workdir: string; status: ProjectRow["status"] }[] {
    const found = [];
    for (const { id, workdir, status } of this.#all()) if (workdir !== undefined) found.push({ id, workdir, status });
    return found;
  }

  ids(): readonly string[] {
    this.#db.assertAvailable();
    this.#ids ??= this.#db.all<{ id: string }>("SELECT id FROM projects ORDER BY id").map((row) => row.id);
    return this.#ids;
  }

  list(query: { after: string; limit: number; status?: string | undefined; like?: string | undefined }): ProjectRow[] {
    const { after, limit, status } = query;
    const like = query.like === undefined ? undefined : fold(query.like);
    const found: ProjectRow[] = [];
    for (const project of this.#all()) {
      if (found.length >= limit) break;
      if (project.id <= after || (status !== undefined && project.status !== status)) continue;
      const { id, name, description } = project;
      if (like === undefined || fold(`${id} ${name} ${description}`).includes(like)) found.push(project);
    }
    return found;
  }

  assignments(projectId: string): Assignment[] {
    return this.get(projectId)?.team ?? [];
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
    return this.ids().length;
  }

  *#all(): Generator<ProjectRow> {
    if (this.#ids === undefined) this.#readAll();
    for (const id of this.ids()) {
      const project = this.get(id);
      if (project !== undefined) yield project;
    }
  }

  #read(id: string): ProjectRow | undefined {
    const row = this.#db.get("SELECT * FROM projects WHERE id = ?", id);
    if (row === undefined) return undefined;
    const team = this.#db.all("SELECT * FROM project_assignments WHERE project_id = ? ORDER BY rowid", id);
    return this.#known.keep(id, { ...projectOf(row), team: team.map(assignmentOf) });
  }

  /** Two statements, however many there are. */
  #readAll(): void {
    const teams = new Map<string, Assignment[]>();
    for (const row of this.#db.all("SELECT * FROM project_assignments ORDER BY rowid")) {
      const assignment = assignmentOf(row);
      const team = teams.get(assignment.projectId);
      if (team === undefined) teams.set(assignment.projectId, [assignment]);
      else team.push(assignment);
    }
    const rows = this.#db.all("SELECT * FROM projects ORDER BY id").map(projectOf);
    for (const row of rows) this.#known.keep(row.id, { ...row, team: teams.get(row.id) ?? [] });
    this.#ids = rows.map(({ id }) => id);
  }

  #forgetAll(): void {
    this.#known.clear();
    this.#ids = undefined;
  }

  #putAssignment(assignment: Assignment): void {
    this.#db.run(
      "INSERT OR REPLACE INTO project_assignments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      assignment.id,
      assignment.projectId,
      assignment.roleId,
      assignment.modelConfig === undefined ? null : JSON.stringify(assignment.modelConfig),
      assignment.skills === undefined ? null : JSON.stringify(assignment.skills),
      assignment.status,
      assignment.mode,
      assignment.assignedAt,
      assignment.ask === undefined ? null : JSON.stringify(assignment.ask),
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
    ...(row.ask === null ? {} : { ask: JSON.parse(row.ask as string) as string[] }),
    status: row.status as Assignment["status"],
    mode: row.mode as Assignment["mode"],
    assignedAt: row.assigned_at as string,
  };
}
