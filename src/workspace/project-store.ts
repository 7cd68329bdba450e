import type { EventDraft, EventType } from "../contract/event.ts";
import type { Project } from "../contract/project.ts";
import type { Problem } from "../contract/routes.ts";
import type { IndexedProject, ProjectRow } from "../store/project-table.ts";
import { BY_HAND, byChange, type Core, commit, difference, invalidEvent } from "./core.ts";
import type { Change } from "./hall.ts";
import { projectPaths, projectRoot } from "./layout.ts";
import { editProjectFrontmatter, type ProjectReading, readProject, renderProjectJson } from "./project-file.ts";
import { editProjectMarkdown, renderProjectMarkdown } from "./project-text.ts";
import { etagOf } from "./task-file.ts";

const HALVES = ["PROJECT.md", "PROJECT.json"] as const;

interface Told {
  type: EventType;
  subject: EventDraft["subject"];
  change: Change;
  before: object;
  after: object;
}

/** The two files of a project as one document. The caller holds the project's lock. */
export class ProjectStore {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  roleName = (roleId: string): string => this.#core.index.roles.get(roleId)?.name ?? roleId;

  /** Reads the files and lets the index catch up with what a person changed in them. */
  async settle(id: string): Promise<void> {
    const known = this.#core.index.projects.get(id);
    if (this.#core.files.stat(projectRoot(id))?.isDirectory() !== true) return this.#forget(id, known);
    const reading = await this.#heal(id, this.#read(id, known));
    if (!reading.ok) return this.#showProblem(id, reading);
    const draft = this.#eventFor(known, reading);
    const apply = () => this.#apply(reading.project);
    if (draft === undefined) this.#core.index.transaction(apply);
    else await commit(this.#core, draft, apply);
    this.#core.overviews.teamChanged(id);
  }

  /** Fills the index while it is built anew. Answers whether the two files disagree and `settle` has to mend that. */
  load(id: string): boolean {
    const reading = this.#read(id, undefined);
    if (!reading.ok) {
      if (this.#isProject(id)) this.#applyProblem(id, reading);
      return false;
    }
    this.#apply(reading.project);
    return this.#wanted(id, reading).length > 0;
  }

  /** Writes a changed project: PROJECT.md first, which speaks first after a crash, then PROJECT.json. */
  async save(before: Project, after: Project, told: Told): Promise<IndexedProject> {
    const reading = this.#read(before.id, before);
    const markdown = reading.ok ? reading.markdown : "";
    const texts = this.#texts(markdown, before, after, reading.ok ? reading.json : {});
    await this.#write(before.id, texts);
    const project = { ...after, etag: etagOf(texts.markdown + texts.json) };
    const changes = difference(told.before, told.after);
    const draft: EventDraft = {
      ...byChange(told.change),
      type: told.type,
      projectId: after.id,
      subject: told.subject,
      ...fileOf(project),
      ...changes,
    };
    await commit(this.#core, draft, () => this.#apply(project));
    this.#core.overviews.teamChanged(after.id);
    return project;
  }

  /** Where the project stands and which version that is, for the log. */
  fileState(id: string): { file: string; etag: string } {
    const reading = this.#read(id, undefined);
    return { file: `${projectRoot(id)}/PROJECT.json`, etag: reading.ok ? reading.project.etag : "" };
  }

  isCurrent(id: string): boolean {
    return HALVES.every((name) => {
      const path = `${projectRoot(id)}/${name}`;
      const stamp = this.#core.files.stamp(path);
      return stamp !== undefined && this.#core.index.files.isCurrent(path, stamp);
    });
  }

  #isProject(id: string): boolean {
    return HALVES.some((name) => this.#core.files.exists(`${projectRoot(id)}/${name}`));
  }

  #read(id: string, known: Partial<ProjectRow> | undefined): ProjectReading {
    const half = (name: string) =>
      this.#core.files.exists(`${projectRoot(id)}/${name}`)
        ? this.#core.files.read(`${projectRoot(id)}/${name}`)
        : undefined;
    try {
      return readProject(id, { markdown: half("PROJECT.md"), json: half("PROJECT.json") }, known);
    } catch (error) {
      return {
        ok: false,
        file: `${projectRoot(id)}/PROJECT.md`,
        line: 1,
        reason: error instanceof Error ? error.message : String(error),
      };
    }
  }

  #texts(
    markdown: string,
    before: Project,
    after: Project,
    kept: Record<string, unknown>,
  ): { markdown: string; json: string } {
    const base =
      markdown === ""
        ? renderProjectMarkdown(after, "", this.roleName)
        : editProjectMarkdown(markdown, before, after, this.roleName);
    return { markdown: editProjectFrontmatter(base, after), json: renderProjectJson(after, kept) };
  }

  async #write(id: string, texts: { markdown: string; json: string }): Promise<void> {
    await this.#core.files.replace(`${projectRoot(id)}/PROJECT.md`, texts.markdown);
    await this.#core.files.replace(`${projectRoot(id)}/PROJECT.json`, texts.json);
  }

  /** Which of the two files would have to change so that both tell the same. */
  #wanted(id: string, reading: ProjectReading & { ok: true }): string[] {
    const { project, front, json } = reading;
    const shared = (from: { status: string; model?: unknown; workdir?: unknown }) =>
      JSON.stringify([from.status, from.model ?? null, from.workdir ?? null]);
    const missing = HALVES.filter((name) => !this.#core.files.exists(`${projectRoot(id)}/${name}`));
    const stale = shared(front) === shared(project) && shared(json) === shared(project) ? [] : [...HALVES];
    return [...new Set([...missing, ...stale])];
  }

  async #heal(id: string, reading: ProjectReading): Promise<ProjectReading> {
    if (!reading.ok || this.#wanted(id, reading).length === 0) return reading;
    const { etag, ...project } = reading.project;
    await this.#write(id, this.#texts(reading.markdown, project, project, reading.json));
    return this.#read(id, project);
  }

  #eventFor(known: ProjectRow | undefined, reading: ProjectReading & { ok: true }): EventDraft | undefined {
    const { project, json } = reading;
    if (known?.etag === project.etag || this.#core.recovered.get(fileOf(project).file)?.has(project.etag))
      return undefined;
    const draft = {
      actor: BY_HAND,
      projectId: project.id,
      subject: { kind: "project" as const, id: project.id },
      ...fileOf(project),
    };
    const asked =
      typeof json.request === "string" && known === undefined
        ? { request: { key: json.request, fingerprint: "" } }
        : {};
    if (known?.status === "invalid")
      return { ...draft, type: "file.mended", after: { name: project.name, status: project.status } };
    if (known === undefined)
      return { ...draft, type: "project.created", after: { name: project.name, status: project.status }, ...asked };
    return {
      ...draft,
      type: known.status === project.status ? "project.updated" : "project.moved",
      ...difference(known, project, ["etag"]),
    };
  }

  #apply(project: IndexedProject): void {
    this.#noteFiles(project.id, project.etag);
    this.#core.index.projects.put(project);
    this.#core.index.documents.put({
      path: projectRoot(project.id),
      kind: "project",
      projectId: project.id,
      id: project.id,
      title: project.name,
      body: [project.id, project.description, ...project.config.goals].join("\n"),
      size: 0,
      updatedAt: project.updatedAt,
    });
  }

  #noteFiles(id: string, etag: string): void {
    for (const name of HALVES) {
      const path = `${projectRoot(id)}/${name}`;
      const stamp = this.#core.files.stamp(path);
      this.#core.index.files.remove(path);
      if (stamp !== undefined) this.#core.index.files.put(path, stamp, etag);
    }
  }

  async #showProblem(id: string, reading: ProjectReading & { ok: false }): Promise<void> {
    if (!this.#isProject(id)) return;
    const apply = () => this.#applyProblem(id, reading);
    const draft = invalidEvent(problemOf(id, reading), this.#core.index.files.problemsOf(reading.file)[0]);
    if (draft === undefined) this.#core.index.transaction(apply);
    else await commit(this.#core, draft, apply);
  }

  #applyProblem(id: string, reading: ProjectReading & { ok: false }): void {
    this.#noteFiles(id, "");
    this.#core.index.files.putProblem(problemOf(id, reading));
    const config = {
      techStack: { languages: [], frameworks: [], tools: [] },
      goals: [],
      scope: { in: [], out: [] },
      constraints: {},
    };
    const blank = {
      name: id,
      description: "",
      config,
      paths: projectPaths(id),
      team: [],
      createdAt: "",
      updatedAt: "",
      etag: "",
    };
    this.#core.index.projects.put({ ...blank, id, status: "invalid" });
    this.#core.index.documents.remove(projectRoot(id));
  }

  async #forget(id: string, known: ProjectRow | undefined): Promise<void> {
    if (known === undefined) return;
    const draft: EventDraft = {
      actor: BY_HAND,
      type: "project.removed",
      projectId: id,
      subject: { kind: "project", id },
      before: { name: known.name },
    };
    await commit(this.#core, draft, () => this.drop(id));
  }

  /** Takes everything about a project out of the index. */
  drop(id: string): void {
    const { index } = this.#core;
    index.projects.remove(id);
    index.tasks.removeProject(id);
    index.documents.removeProject(id);
    index.files.removeBelow(projectRoot(id));
  }
}

function fileOf(project: IndexedProject): { file: string; etag: string } {
  return { file: `${projectRoot(project.id)}/PROJECT.json`, etag: project.etag };
}

function problemOf(id: string, { file, line, reason }: ProjectReading & { ok: false }): Problem {
  return { file, line, kind: "project", projectId: id, id, severity: "invalid", reason };
}
