import {
  type BriefEdit,
  type FileEntry,
  type Project,
  type ProjectCreate,
  type ProjectStatus,
  type ProjectSummary,
  type ProjectUpdate,
  TAKEN_PROJECT_ID,
} from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { ProjectView } from "../../contract/routes/project-routes.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { IndexedProject } from "../../store/index/project-table.ts";
import type { Change } from "../change.ts";
import { assertClientMaySet } from "../client-limits.ts";
import { byChange, commit } from "../core.ts";
import { decodeTextCursor, encodeCursor } from "../cursor.ts";
import { withEscalationsOf } from "../escalations/escalation-purge.ts";
import type { HallParts } from "../hall/hall-part.ts";
import type { IndexedCore } from "../indexed-core.ts";
import type { DocumentSync } from "../knowledge/document-sync.ts";
import { projectRoot } from "../layout.ts";
import type { Placed } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { briefChange } from "./project-brief.ts";
import { type ProjectDirectory, projectLock } from "./project-directory.ts";
import {
  applyProjectUpdate,
  assertLegalProjectMove,
  newProject,
  slugOf,
  stepsToArchive,
  withStatus,
} from "./project-rules.ts";
import { KNOWLEDGE_PAGES, projectTree } from "./project-scaffold.ts";
import type { ProjectStore } from "./project-store.ts";
import { withTemplate } from "./project-templates.ts";
import { assertSandboxPlaces, assertWorkdir } from "./workdir.ts";

interface Parts {
  core: IndexedCore;
  directory: ProjectDirectory;
  store: ProjectStore;
  documents: DocumentSync;
  parts: Pick<HallParts, "leave">;
}

const FILES_SHOWN = 500;
const PURGE_TRIES = 3;

export class Projects {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(query: RouteQuery<"listProjects">): { projects: ProjectSummary[]; nextCursor?: string } {
    const { core, directory } = this.#parts;
    const after = decodeTextCursor(query.cursor) ?? "";
    const rows = core.index.projects.list({ after, limit: query.limit + 1, status: query.status, like: query.q });
    const projects = rows.slice(0, query.limit).map((row): ProjectSummary => {
      const { id, name, description, status, updatedAt } = row;
      const problem = status === "invalid" ? directory.problem(id) : undefined;
      const shown = problem === undefined ? {} : { problem: `${problem.file}:${problem.line ?? 1} ${problem.reason}` };
      return {
        id,
        name,
        description,
        status,
        taskCount: directory.taskCount(id),
        teamSize: row.team.length,
        updatedAt,
        activeAt: later(updatedAt, core.index.projects.tasksChangedAt(id)),
        ...shown,
      };
    });
    const last = projects.at(-1);
    return rows.length > query.limit && last !== undefined
      ? { projects, nextCursor: encodeCursor([last.id]) }
      : { projects };
  }

  get(id: string): ProjectView {
    const { directory } = this.#parts;
    return directory.view(directory.read(id));
  }

  /** The project's files without its tasks, which have their own list. */
  files(id: string): { files: FileEntry[]; filesOmitted: number } {
    const { files, index } = this.#parts.core;
    const root = projectRoot(id);
    const own = files.names(root).flatMap((name): FileEntry[] => {
      const stamp = files.stamp(`${root}/${name}`);
      return stamp === undefined
        ? []
        : [{ path: name, kind: "document", size: stamp.size, updatedAt: new Date(stamp.mtime).toISOString() }];
    });
    const kinds = ["context", "knowledge", "plan", "artifact"] as const;
    const listed = kinds.flatMap((kind) =>
      index.documents
        .list({ projectId: id, kind, limit: FILES_SHOWN })
        .map((found): FileEntry => ({ path: found.id, kind, size: found.size, updatedAt: found.updatedAt })),
    );
    const all = kinds.reduce((sum, kind) => sum + index.documents.count(id, kind), own.length);
    const shown = [...own, ...listed].slice(0, FILES_SHOWN);
    return { files: shown, filesOmitted: all - shown.length };
  }

  async create(asked: ProjectCreate, change: Change): Promise<ProjectView> {
    assertClientMaySet(change.actor, asked);
    const body = withTemplate(asked);
    const id = body.id ?? slugOf(body.name);
    if (id === TAKEN_PROJECT_ID) throw new HallError("invalid", `id: '${id}' is reserved; choose another.`);
    if (id !== undefined) return this.#createAs(id, body, change);
    // A title that is nothing but emoji or foreign letters gives no folder name; such projects are numbered.
    return this.#parts.core.locks.run("project numbers", () => this.#createAs(this.#freeId(), body, change));
  }

  async #createAs(id: string, body: ProjectCreate, change: Change): Promise<ProjectView> {
    return this.#locked(id, async () => {
      const { core, directory, store, documents } = this.#parts;
      this.#assertFree(id);
      assertWorkdir(body.workdir, { root: core.files.root, projectId: id });
      assertSandboxPlaces(body.config?.sandbox, core.files.root);
      const project = newProject(id, body, core.clock().toISOString());
      const { background, constraints } = body;
      const workdir = project.workdir === undefined ? undefined : core.workdirRecords.textFor(project.workdir);
      const { roleName } = store;
      const { tree, etag } = projectTree({
        project,
        words: { background, constraints },
        roleName,
        request: change.request?.key,
        workdir,
      });
      const draft = {
        ...byChange(change),
        type: "project.created" as const,
        projectId: id,
        subject: { kind: "project" as const, id },
      };
      const { name, description, status } = project;
      const apply = () => {
        store.load(id);
        for (const path of KNOWLEDGE_PAGES) documents.load(`${projectRoot(id)}/${path}`);
      };
      const about = { file: `${projectRoot(id)}/PROJECT.json`, etag, after: { name, description, status } };
      await commit(core, { ...draft, ...about }, apply, [tree]);
      core.overviews.projectChanged(id);
      return directory.view(directory.read(id));
    });
  }

  async update(id: string, body: ProjectUpdate, change: Change): Promise<ProjectView> {
    return this.#locked(id, async () => {
      const before = await this.#load(id, change);
      assertClientMaySet(change.actor, body, before);
      if (body.status !== undefined && body.status !== before.status) assertLegalProjectMove(before, body.status);
      else if (before.status === "archived") throw new HallError("project_closed", `Project '${id}' is archived.`);
      const { root } = this.#parts.core.files;
      assertWorkdir(body.workdir, { root, projectId: id });
      assertSandboxPlaces(body.config?.sandbox, root);
      const updated = applyProjectUpdate(before, body);
      const at = this.#parts.core.clock().toISOString();
      const after =
        body.status === undefined || body.status === before.status ? updated : withStatus(updated, body.status, at);
      if (JSON.stringify(after) === JSON.stringify(before)) return this.get(id);
      return this.#save(before, { ...after, updatedAt: at }, change);
    });
  }

  /** Puts a text into a section of PROJECT.md. The event has what changed, line by line. */
  async describe(id: string, edit: BriefEdit, change: Change): Promise<ProjectView> {
    return this.#locked(id, async () => {
      const { store, core, directory } = this.#parts;
      const before = await this.#load(id, change);
      if (before.status === "archived") throw new HallError("project_closed", `Project '${id}' is archived.`);
      const { after, markdown, diff } = briefChange(store.markdown(id), before, edit);
      if (diff === undefined) return this.get(id);
      const told = {
        type: "project.updated" as const,
        subject: { kind: "project" as const, id },
        change,
        before: { file: `${projectRoot(id)}/PROJECT.md` },
        after: { section: edit.section, diff },
        edit: markdown,
      };
      return directory.view(await store.save(before, { ...after, updatedAt: core.clock().toISOString() }, told));
    });
  }

  async move(id: string, status: ProjectStatus, change: Change): Promise<ProjectView> {
    return this.#locked(id, async () => {
      const before = await this.#load(id, change);
      assertLegalProjectMove(before, status);
      return this.#save(before, this.#moved(before, status), change);
    });
  }

  async archive(id: string, change: Change): Promise<void> {
    await this.#locked(id, async () => {
      let project = await this.#load(id, change);
      for (const status of stepsToArchive(project.status)) {
        await this.#save(project, this.#moved(project, status), {
          ...change,
          request: status === "archived" ? change.request : undefined,
        });
        project = this.#parts.directory.read(id);
      }
    });
  }

  /** Moves the folder to the trash; answers where it went. */
  async purge(id: string, change: Change): Promise<string> {
    const { parts, directory } = this.#parts;
    for (let tries = 0; tries < PURGE_TRIES; tries++) {
      directory.assertKnown(id);
      directory.assertVersion(id, change.ifMatch);
      // Not while the project is locked: what ends now still writes to its tasks.
      await parts.leave(id);
      const trash = await this.#locked(id, () => this.#toTrash(id, change));
      if (trash !== undefined) return trash;
    }
    throw new HallError("illegal_move", `Project '${id}' has active runs.`, { hint: "Stop them first." });
  }

  /** Nothing, when a run was started in it a moment ago. */
  async #toTrash(id: string, change: Change): Promise<string | undefined> {
    const { core, directory, store } = this.#parts;
    directory.assertKnown(id);
    directory.assertVersion(id, change.ifMatch);
    if (core.index.runs.unsettled(id).length > 0) return undefined;
    const { name, status } = core.index.projects.get(id) ?? { name: id, status: "invalid" };
    const at = core.clock().toISOString();
    const trash = core.files.freeName("trash", `${at.replaceAll(":", "-")}-${id}`);
    const draft = {
      ...byChange(change),
      type: "project.removed" as const,
      projectId: id,
      subject: { kind: "project" as const, id },
    };
    const event = { ...draft, before: { name, status }, after: { trash } };
    await withEscalationsOf(core, { projectId: id, trash, actor: change.actor }, (escalations) => {
      const apply = (placed: Placed) => {
        store.drop(id);
        escalations.apply(placed);
      };
      const moved = { kind: "move" as const, path: projectRoot(id), to: trash };
      return commit(core, [event, ...escalations.events], apply, [moved, ...escalations.writes]);
    });
    // Nothing of the project is left in the change log either.
    await core.changes.checkpoint();
    return trash;
  }

  #moved(project: Project, status: ProjectStatus): Project {
    const at = this.#parts.core.clock().toISOString();
    return { ...withStatus(project, status, at), updatedAt: at };
  }

  async #save(before: Project, after: Project, change: Change): Promise<ProjectView> {
    const { store, directory } = this.#parts;
    const type = before.status === after.status ? "project.updated" : "project.moved";
    const saved = await store.save(before, after, {
      type,
      subject: { kind: "project", id: after.id },
      change,
      before,
      after,
    });
    if (type === "project.moved") directory.noteWhy(after.id, after.status === "suspended" ? change.why : undefined);
    return directory.view(saved);
  }

  /** The project as its files are now. */
  async #load(id: string, change: Change): Promise<IndexedProject> {
    const { store, directory } = this.#parts;
    directory.assertKnown(id);
    if (!store.isCurrent(id)) await store.settle(id);
    const project = directory.read(id);
    directory.assertVersion(id, change.ifMatch);
    return project;
  }

  #locked<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(projectLock(id), () => untilUndisturbed(work));
  }

  #assertFree(id: string): void {
    const { files, index } = this.#parts.core;
    if (!files.exists(projectRoot(id))) return;
    const taken = index.projects.get(id);
    const what = taken === undefined ? `a folder '${projectRoot(id)}'` : `a project '${id}' (${taken.name})`;
    throw new HallError("already_exists", `There is already ${what}.`);
  }

  #freeId(): string {
    for (let number = 1; ; number++) {
      const id = `project-${number}`;
      if (!this.#parts.core.files.exists(projectRoot(id))) return id;
    }
  }
}

function later(at: string, other: string | undefined): string {
  return other !== undefined && Date.parse(other) > Date.parse(at) ? other : at;
}
