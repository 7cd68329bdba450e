import { HallError } from "../contract/errors.ts";
import type { EventDraft } from "../contract/event.ts";
import {
  ModelConfig,
  type Role,
  type RoleCreate,
  type RoleSuggestion,
  type RoleTemplate,
  type RoleUpdate,
  StoredRole,
} from "../contract/role.ts";
import type { Problem, RouteQuery } from "../contract/routes.ts";
import { byChange, type Core, commit, difference } from "./core.ts";
import { decodeTextCursor, encodeCursor } from "./cursor.ts";
import type { Change, RoleView } from "./hall.ts";
import { ROLES_FILE } from "./layout.ts";
import { slugOf } from "./project-rules.ts";
import { type RolesFile, renderRoles, toRole } from "./role-file.ts";
import { suggestRoles } from "./role-match.ts";
import type { RoleSync } from "./role-sync.ts";
import { ROLE_TEMPLATES } from "./role-templates.ts";
import { dropUndefined } from "./task-file.ts";

/** The roles of the hall, kept in ROLES.json. */
export class Roles {
  readonly #core: Core;
  readonly #sync: RoleSync;

  constructor(core: Core, sync: RoleSync) {
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
    const id = body.id ?? base?.id ?? (body.name === undefined ? undefined : slugOf(body.name));
    if (id === undefined) throw new HallError("invalid", "id: is required, because none can be made from the name.");
    if (base === undefined && body.name === undefined)
      throw new HallError("invalid", "name: is required (or name a template to start from).");
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
      const modelConfig = ModelConfig.parse({ ...before.modelConfig, ...dropUndefined(body.modelConfig ?? {}) });
      const { request, ...kept } = before;
      const after = StoredRole.parse({ ...kept, ...dropUndefined(body), modelConfig, id });
      if (JSON.stringify(after) === JSON.stringify(kept)) return toRole(before);
      const role = { ...after, updatedAt: this.#core.clock().toISOString(), version: before.version + 1 };
      return this.#save(file, { id, role, change, type: "role.updated", before });
    });
  }

  delete(id: string, change: Change): Promise<void> {
    return this.#changing(async (file) => {
      const before = this.#known(file, id, change);
      const projects = this.#core.index.projects.projectsWithRole(id);
      if (projects.length > 0)
        throw new HallError(
          "role_assigned",
          `Role '${id}' is assigned to ${projects.join(", ")} and cannot be deleted.`,
        );
      await this.#save(file, { id, role: undefined, change, type: "role.deleted", before });
    });
  }

  /** Runs alone on ROLES.json as it is now. A broken file is never written over. */
  #changing<Result>(work: (file: RolesFile) => Promise<Result>): Promise<Result> {
    return this.#core.locks.run("roles", async () => {
      await this.#sync.settle();
      const reading = this.#sync.read();
      if (reading.ok) return work(reading.file);
      throw new HallError(
        "file_invalid",
        `ROLES.json cannot be changed while it is broken: ${reading.problem.reason}.`,
        { file: ROLES_FILE, line: reading.problem.line },
      );
    });
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
    file: RolesFile,
    saved: { id: string; role: StoredRole | undefined; change: Change; type: EventDraft["type"]; before: object },
  ): Promise<RoleView> {
    const { id, role, change, type, before } = saved;
    const text = renderRoles(file, id, role);
    await this.#core.files.replace(ROLES_FILE, text);
    const draft: EventDraft = {
      ...byChange(change),
      type,
      subject: { kind: "role", id },
      ...this.#sync.fileState(text),
      ...difference(before, role ?? {}, ["request"]),
    };
    await commit(this.#core, draft, () => this.#sync.load());
    this.#core.overviews.rolesChanged();
    return role === undefined ? toRole(StoredRole.parse(before)) : toRole(role);
  }
}

function templateOf(id: string): RoleTemplate["baseRole"] {
  const found = ROLE_TEMPLATES.find((template) => template.id === id);
  if (found !== undefined) return found.baseRole;
  throw new HallError(
    "template_not_found",
    `There is no template '${id}'. The templates are: ${ROLE_TEMPLATES.map((template) => template.id).join(", ")}.`,
  );
}

function newRole(
  body: RoleCreate,
  from: { id: string; base: RoleTemplate["baseRole"] | undefined; at: string; request: string | undefined },
): StoredRole {
  const { template, ...fields } = body;
  const merged = {
    ...from.base,
    ...dropUndefined(fields),
    modelConfig: { ...from.base?.modelConfig, ...dropUndefined(body.modelConfig ?? {}) },
  };
  // A template of one's own asks for the variables it uses, unless they are named.
  const variables =
    body.variables ??
    (body.systemPromptTemplate === undefined ? from.base?.variables : variablesOf(body.systemPromptTemplate));
  return StoredRole.parse(
    dropUndefined({
      ...merged,
      variables: variables ?? [],
      id: from.id,
      createdAt: from.at,
      updatedAt: from.at,
      version: 1,
      request: from.request,
    }),
  );
}

function variablesOf(prompt: string): string[] {
  return [...new Set([...prompt.matchAll(/\{\{([A-Za-z][A-Za-z0-9_]{0,63})\}\}/g)].map((match) => match[1] ?? ""))];
}
