import type { EventDraft } from "../../contract/event.ts";
import { failureText, isPassing } from "../../store/files/regular-file.ts";
import type { IndexedRole } from "../../store/index/role-table.ts";
import { BY_HAND, commit, difference, invalidEvent } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { foundFiles } from "../knowledge/document-writes.ts";
import { ROLES_FILE } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import { type RolesReading, readRoles, toRole } from "./role-file.ts";

/** Keeps the index in step with ROLES.json. While the file as a whole is broken, the last good roles stay in force. */
export class RoleSync {
  readonly #core: IndexedCore;

  constructor(core: IndexedCore) {
    this.#core = core;
  }

  read(): RolesReading {
    const { files } = this.#core;
    try {
      return readRoles(files.exists(ROLES_FILE) ? files.read(ROLES_FILE) : undefined);
    } catch (error) {
      if (isPassing(error)) throw error;
      const reason = failureText(error);
      return { ok: false, problem: { file: ROLES_FILE, line: 1, kind: "roles", severity: "invalid", reason } };
    }
  }

  /** Brings the index up to date with the file and tells of what a person changed. The caller holds the roles' lock. */
  async settle(): Promise<void> {
    const stamp = this.#core.files.stamp(ROLES_FILE);
    if (stamp !== undefined && this.#core.index.files.isCurrent(ROLES_FILE, stamp)) return;
    if (stamp === undefined && this.#core.index.files.get(ROLES_FILE) === undefined) return;
    const news = this.#news();
    const known = this.#core.index.files.get(ROLES_FILE)?.etag;
    const found = foundFiles(this.#core.files, [ROLES_FILE], () => known);
    if (news.length === 0) this.#core.index.transaction(() => this.load());
    else await commit(this.#core, news, () => this.load(), found);
    this.#core.overviews.rolesChanged();
  }

  /** Puts the roles into the index as the file has them now. */
  load(): void {
    const { index, files } = this.#core;
    const stamp = files.stamp(ROLES_FILE);
    const reading = this.read();
    index.files.remove(ROLES_FILE);
    if (stamp !== undefined) index.files.put(ROLES_FILE, stamp, reading.ok ? this.#etag() : "");
    if (!reading.ok) {
      index.files.putProblem(reading.problem);
      return;
    }
    for (const problem of reading.file.problems) index.files.putProblem(problem);
    const roles = [...reading.file.roles.values()].map(toRole);
    for (const id of index.roles.ids()) if (!reading.file.roles.has(id)) this.#remove(id);
    for (const role of roles) this.#put(role);
  }

  fileState(text: string): { file: string; etag: string } {
    return { file: ROLES_FILE, etag: etagOf(text) };
  }

  #etag(): string {
    const { files } = this.#core;
    return files.exists(ROLES_FILE) ? etagOf(files.read(ROLES_FILE)) : "";
  }

  /** What the log does not tell yet: the file broke or was mended, or roles in it changed. */
  #news(): EventDraft[] {
    const reading = this.read();
    const before = this.#core.index.files.problemsOf(ROLES_FILE).find((problem) => problem.kind === "roles");
    if (!reading.ok) return [invalidEvent(reading.problem, before)].filter((draft) => draft !== undefined);
    if (this.#core.recovered.get(ROLES_FILE)?.has(this.#etag())) return [];
    const mended: EventDraft = {
      actor: BY_HAND,
      type: "file.mended",
      subject: { kind: "file", id: ROLES_FILE },
      file: ROLES_FILE,
    };
    return [...(before === undefined ? [] : [mended]), ...this.#changes(reading)];
  }

  #changes(reading: RolesReading & { ok: true }): EventDraft[] {
    const { roles } = this.#core.index;
    const found = [...reading.file.roles.values()];
    const draft = (type: EventDraft["type"], id: string): EventDraft => ({
      actor: BY_HAND,
      type,
      subject: { kind: "role", id },
      file: ROLES_FILE,
      etag: this.#etag(),
    });
    const removed = roles.ids().filter((id) => !reading.file.roles.has(id));
    const changed = found.flatMap((stored): EventDraft[] => {
      const [known, role] = [roles.get(stored.id), toRole(stored)];
      if (known?.etag === role.etag) return [];
      const asked =
        known === undefined && stored.request !== undefined
          ? { request: { key: stored.request, fingerprint: "" } }
          : {};
      return [
        {
          ...draft(known === undefined ? "role.created" : "role.updated", role.id),
          ...difference(known ?? {}, role, ["etag"]),
          ...asked,
        },
      ];
    });
    return [...changed, ...removed.map((id) => draft("role.deleted", id))];
  }

  #put(role: IndexedRole): void {
    const { index } = this.#core;
    if (index.roles.get(role.id)?.etag === role.etag) return;
    index.roles.put(role);
    this.#teamsChanged(role.id);
    const body = [role.id, role.description, ...role.specialty].join("\n");
    index.documents.put({
      path: `${ROLES_FILE}#${role.id}`,
      kind: "role",
      id: role.id,
      title: role.name,
      body,
      size: 0,
      updatedAt: role.updatedAt,
    });
  }

  #remove(id: string): void {
    this.#core.index.roles.remove(id);
    this.#teamsChanged(id);
    this.#core.index.documents.remove(`${ROLES_FILE}#${id}`);
  }
  /** Teams show their roles by name. */
  #teamsChanged(roleId: string): void {
    const { index, overviews } = this.#core;
    for (const projectId of index.projects.projectsWithRole(roleId)) overviews.teamChanged(projectId);
  }
}
