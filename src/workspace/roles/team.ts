import type { Assignment, AssignmentCreate, AssignmentUpdate, Project } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventType } from "../../contract/event.ts";
import type { IndexedProject } from "../../store/index/project-table.ts";
import type { Change } from "../change.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { type ProjectDirectory, projectLock } from "../projects/project-directory.ts";
import type { ProjectStore } from "../projects/project-store.ts";
import { dropUndefined } from "../tasks/task-file.ts";
import { untilUndisturbed } from "../undisturbed.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
  store: ProjectStore;
}

/** The roles given to a project, with what they override there. */
export class Team {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(projectId: string): Assignment[] {
    return this.#parts.projects.read(projectId).team;
  }

  create(projectId: string, body: AssignmentCreate, change: Change): Promise<Assignment> {
    return this.#changing(projectId, change, async (project) => {
      this.#assertRole(body.roleId);
      const taken = project.team.find((assignment) => assignment.roleId === body.roleId);
      if (taken !== undefined)
        throw new HallError(
          "already_exists",
          `Role '${body.roleId}' is already assigned to '${projectId}' (${taken.id}).`,
          { hint: "Change that assignment instead." },
        );
      const assignedAt = this.#parts.core.clock().toISOString();
      const assignment = dropUndefined({
        id: `asg-${this.#parts.core.nextId()}`,
        projectId,
        ...body,
        assignedAt,
        request: change.request?.key,
      });
      await this.#save(project, [...project.team, assignment], {
        type: "assignment.created",
        id: assignment.id,
        change,
        before: {},
        after: assignment,
      });
      return this.#find(this.#parts.projects.read(projectId), assignment.id);
    });
  }

  update(projectId: string, assignmentId: string, body: AssignmentUpdate, change: Change): Promise<Assignment> {
    return this.#changing(projectId, change, async (project) => {
      const before = this.#find(project, assignmentId);
      const after = dropUndefined({
        ...before,
        status: body.status ?? before.status,
        mode: body.mode ?? before.mode,
        modelConfig: body.modelConfig === undefined ? before.modelConfig : (body.modelConfig ?? undefined),
        skills: body.skills === undefined ? before.skills : (body.skills ?? undefined),
        ask: body.ask === undefined ? before.ask : (body.ask ?? undefined),
      }) as Assignment;
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      const team = project.team.map((assignment) => (assignment.id === assignmentId ? after : assignment));
      await this.#save(project, team, { type: "assignment.updated", id: assignmentId, change, before, after });
      return after;
    });
  }

  delete(projectId: string, assignmentId: string, change: Change): Promise<void> {
    return this.#changing(projectId, change, async (project) => {
      const before = this.#find(project, assignmentId);
      const team = project.team.filter((assignment) => assignment.id !== assignmentId);
      await this.#save(project, team, { type: "assignment.deleted", id: assignmentId, change, before, after: {} });
    });
  }

  /**
   * Holds the roles too, so that a role is not deleted while it is being assigned. An assignment has no version of its
   * own; a change of one may be tied to the version of its project.
   */
  #changing<Result>(
    projectId: string,
    change: Change,
    work: (project: IndexedProject) => Promise<Result>,
  ): Promise<Result> {
    const { core, projects, store } = this.#parts;
    projects.assertOpen(projectId);
    const onFiles = async () => {
      if (!store.isCurrent(projectId)) await store.settle(projectId);
      projects.assertOpen(projectId);
      projects.assertVersion(projectId, change.ifMatch);
      return work(projects.read(projectId));
    };
    return core.locks.runAll([projectLock(projectId), "roles"], () => untilUndisturbed(onFiles));
  }

  async #save(
    project: IndexedProject,
    team: Assignment[],
    told: { type: EventType; id: string; change: Change; before: object; after: object },
  ): Promise<void> {
    const { etag, ...before } = project;
    const after: Project = { ...before, team, updatedAt: this.#parts.core.clock().toISOString() };
    await this.#parts.store.save(before, after, { ...told, subject: { kind: "assignment", id: told.id } });
  }

  #assertRole(roleId: string): void {
    const { roles } = this.#parts.core.index;
    if (roles.get(roleId) !== undefined) return;
    throw new HallError(
      "role_not_found",
      `There is no role '${roleId}'. The roles are: ${roles.ids().slice(0, 20).join(", ") || "none yet"}.`,
    );
  }

  #find(project: IndexedProject, assignmentId: string): Assignment {
    const found = project.team.find((assignment) => assignment.id === assignmentId);
    if (found !== undefined) return found;
    throw new HallError("assignment_not_found", `There is no assignment '${assignmentId}' in project '${project.id}'.`);
  }
}
