import {
  type Role,
  type RoleCreate,
  type RoleSuggestion,
  type RoleTemplate,
  type RoleUpdate,
  StoredRole,
} from "../../contract/documents/role.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { Put } from "../../store/changes/change.ts";
import type { Change } from "../change.ts";
import { byChange, commit, difference } from "../core.ts";
import { decodeTextCursor, encodeCursor } from "../cursor.ts";
import type { RoleView } from "../hall/hall.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { hashIfThere } from "../knowledge/document-writes.ts";
import { projectRoot, ROLES_FILE } from "../layout.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { type RolesFile, renderRoles, toRole } from "./role-file.ts";
import { suggestRoles } from "./role-match.ts";
import { changedRole, newRole, roleIdFrom, templateOf } from "./role-rules.ts";
import type { RoleSync } from "./role-sync.ts";
import { ROLE_TEMPLATES } from "./role-templates.ts";

/** ROLES.json and the hash of the file that it was read from. */
type ReadFile = RolesFile & { base: string | null };

/** The roles of the hall, kept in ROLES.json. */
export class Roles {
  readonly #core: IndexedCore;
  readonly #sync: RoleSync;

  constructor(core: IndexedCore, sync: RoleSync) {
    this.#core = core;
    this.#sync = sync;
  }

  list(query: RouteQuery<"listRoles">): { roles: Role[]; invalid: Problem[]; nextCursor?: string } {
    const found = this.#core.index.roles.list({
      after: decodeTextCursor(query.cursor) ?? "",
      limit: query.limit + 1,
      like: query.q,
    });
    const roles = found.slice(0, query.limit).map(({ etag, ...role }) => role);
    const invalid = [
      ...this.#core.index.files.problems({ kind: "role" }),
      ...this.#core.index.files.problems({ kind: "roles" }),
    ];
    const last = roles.at(-1);
    return found.length > query.limit && last !== undefined
      ? { roles, invalid, nextCursor: encodeCursor([last.id]) }
      : { roles, invalid };
  }

  templates(): RoleTemplate[] {
    return [...ROLE_TEMPLATES];
  }

  /** Fits roles to a text, to a task of a project, or to both; in a project its own team comes first. */
  suggest(query: RouteQuery<"suggestRoles">): RoleSuggestion[] {
    const { index } = this.#core;
    if (query.project !== undefined && index.projects.status(query.project) === undefined)
      throw new HallError("project_not_found", `There is no project '${query.project}'.`);
    const task =
      query.project === undefined || query.task === undefined ? undefined : index.tasks.task(query.project, query.task);
    if (query.task !== undefined && task === undefined)
      throw new HallError("task_not_found", `There is no task '${query.task}' in project '${query.project ?? ""}'.`);
    const text = [query.text, task?.title, task?.description, task?.type, ...(task?.labels ?? [])]
      .filter((part) => part !== undefined)
      .join("\n");
    if (text.trim() === "") throw new HallError("invalid", "text: is required, or project and task.");
    const team = new Set(
      query.project === undefined
        ? []
        : index.projects.assignments(query.project).map((assignment) => assignment.roleId),
    );
    const ranked = suggestRoles(index.roles.all(), text, 1_000);
    return [
      ...ranked.filter((entry) => team.has(entry.roleId)),
      ...ranked.filter((entry) => !team.has(entry.roleId)),
    ].slice(0, query.limit);
  }

  get(id: string): RoleView {
    const role = this.#core.index.roles.get(id);
    if (role !== undefined) return role;
    const problem = this.#core.index.files.problems({ kind: "role" }).find((entry) => entry.id === id);
    if (problem !== undefined)
      throw new HallError("file_invalid", `Role '${id}' cannot be read: ${problem.reason}.`, {
        file: problem.file,
        line: problem.line,
      });
    throw new HallError("role_not_found", `There is no role '${id}'.`);
  }

  create(body: RoleCreate, change: Change): Promise<RoleView> {
    const base = body.template === undefined ? undefined : templateOf(body.template);
    if (base === undefined && body.name === undefined)
      throw new HallError("invalid", "name: is required, unless a template is given.");
    const id = body.id ?? base?.id ?? roleIdFrom(body.name ?? "");
    if (id === undefined) throw new HallError("invalid", "id: is required, because the name can't be turned into one.");
    return this.#changing(async (file) => {
      const taken = file.roles.get(id);
      if (taken !== undefined || file.problems.some((problem) => problem.id === id)) {
        throw new HallError(
          "already_exists",
          `There is already a role '${id}'${taken === undefined ? "" : ` (${taken.name})`}.`,
        );
      }
      const at = this.#core.clock().toISOString();
      const role = newRole(body, { id, base, at, request: change.request?.key });
      return this.#save(file, { id, role, change, type: "role.created", before: {} });
    });
  }

  update(id: string, body: RoleUpdate, change: Change): Promise<RoleView> {
    return this.#changing(async (file) => {
      const before = this.#known(file, id, change);
      const role = changedRole(before, body, this.#core.clock().toISOString());
      if (role === undefined) return toRole(before);
      return this.#save(file, { id, role, change, type: "role.updated", before });
    });
  }

  delete(id: string, change: Change): Promise<void> {
    return this.#changing(async (file) => {
      const before = this.#known(file, id, change);
      const projects = [...this.#core.index.projects.projectsWithRole(id), ...this.#unreadableProjectsNaming(id)];
      if (projects.length > 0)
        throw new HallError(
          "role_assigned",
          `Role '${id}' is assigned to ${projects.join(", ")} and cannot be deleted.`,
        );
      await this.#save(file, { id, role: undefined, change, type: "role.deleted", before });
    });
  }

  /** A project that cannot be read just now may still have the role; its text is all there is to go by. */
  #unreadableProjectsNaming(roleId: string): string[] {
    const { files, index } = this.#core;
    const unreadable = index.projects.list({ after: "", limit: 1_000, status: "invalid" }).map((row) => row.id);
    return unreadable.filter((id) => {
      try {
        return files.text(`${projectRoot(id)}/PROJECT.json`).includes(`"${roleId}"`);
      } catch {
        return false;
      }
    });
  }

  /** Runs alone on ROLES.json as it is now. A broken file is never written over. */
  #changing<Result>(work: (file: ReadFile) => Promise<Result>): Promise<Result> {
    const onFile = async () => {
      await this.#sync.settle();
      const { files } = this.#core;
      // In this order: what is changed in between is not what the roles were read from.
      const base = hashIfThere(files, ROLES_FILE);
      const reading = this.#sync.read();
      if (reading.ok) return work({ ...reading.file, base });
      throw new HallError(
        "file_invalid",
        `ROLES.json can't be changed while it is invalid: ${reading.problem.reason}.`,
        { file: ROLES_FILE, line: reading.problem.line },
      );
    };
    return this.#core.locks.run("roles", () => untilUndisturbed(onFile));
  }

  #known(file: RolesFile, id: string, change: Change): StoredRole {
    const role = file.roles.get(id);
    if (role === undefined) {
      this.get(id);
      throw new HallError("role_not_found", `There is no role '${id}'.`);
    }
    const { etag } = toRole(role);
    if (change.ifMatch !== undefined && change.ifMatch !== etag)
      throw new HallError(
        "version_mismatch",
        `Role '${id}' was changed since you read it; it is at version ${role.version}.`,
      );
    return role;
  }

  async #save(
    file: ReadFile,
    saved: { id: string; role: StoredRole | undefined; change: Change; type: EventDraft["type"]; before: object },
  ): Promise<RoleView> {
    const { id, role, change, type, before } = saved;
    const text = renderRoles(file, id, role);
    const draft: EventDraft = {
      ...byChange(change),
      type,
      subject: { kind: "role", id },
      ...this.#sync.fileState(text),
      ...difference(before, role ?? {}, ["request"]),
    };
    const write: Put = { kind: "put", path: ROLES_FILE, content: text, base: file.base };
    await commit(this.#core, draft, () => this.#sync.load(), [write]);
    this.#core.overviews.rolesChanged();
    return role === undefined ? toRole(StoredRole.parse(before)) : toRole(role);
  }
}
