import type { Project } from "../../contract/documents/project.ts";
import type { EventDraft, EventType } from "../../contract/event.ts";
import type { Found, Put } from "../../store/changes/change.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import type { IndexedProject, ProjectRow } from "../../store/index/project-table.ts";
import type { Change } from "../change.ts";
import { BY_HAND, byChange, commit, difference, invalidEvent, keep } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { foundFiles } from "../knowledge/document-writes.ts";
import { projectRoot } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Placed } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { cannotBeRead, invalidRow, lastKnown, problemOf } from "./invalid-project.ts";
import { HALVES, ProjectPair, type Found as Reading, type Stamps } from "./project-pair.ts";
import { NO_FOLDER } from "./workdir-records.ts";

interface Told {
  type: EventType;
  subject: EventDraft["subject"];
  change: Change;
  before: object;
  after: object;
  /** Of the text of PROJECT.md, beside what follows from settings. */
  edit?: (markdown: string) => string;
}

/** The two files of a project as one document. The caller holds the project's lock. */
export class ProjectStore {
  readonly #core: IndexedCore;
  readonly #pair: ProjectPair;
  readonly #gone: (projectId: string) => void;

  /** `gone` is called when a project's folder is gone from its place. */
  constructor(core: IndexedCore, gone: (projectId: string) => void) {
    this.#core = core;
    this.#gone = gone;
    this.#pair = new ProjectPair(core, this.roleName);
  }

  roleName = (roleId: string): string => this.#core.index.roles.get(roleId)?.name ?? roleId;

  /** Reads the files and lets the index catch up with what a person changed in them. */
  async settle(id: string): Promise<void> {
    const known = this.#core.index.projects.get(id);
    if (!this.#pair.isThere(id)) return this.#forget(id, known);
    if (known !== undefined && known.status !== "invalid") await this.#pair.restoreJson(known as IndexedProject);
    await untilUndisturbed(() => this.#take(id, known, this.#pair.read(id, lastKnown(known))));
  }

  /** Makes the files of a project tell the same that disagreed when the index was built anew and nothing was known. */
  async mend(id: string): Promise<void> {
    const known = this.#core.index.projects.get(id);
    await untilUndisturbed(() => this.#take(id, known, this.#pair.read(id, undefined)));
  }

  async #take(id: string, known: ProjectRow | undefined, found: Reading): Promise<void> {
    const reading = await this.#pair.heal(id, found);
    if (!reading.ok) return this.#showProblem(id, reading);
    const draft = this.#eventFor(known, reading);
    // Whoever edits the files by hand names the folder.
    const folder = this.#folderRecord(reading.project);
    const apply = () => this.#apply(reading.project, reading.stamps);
    if (draft !== undefined) await commit(this.#core, draft, apply, [...folder, ...this.#found(id, known)]);
    else {
      if (folder.length > 0) await keep(this.#core, folder);
      this.#core.index.transaction(apply);
    }
    this.#core.overviews.projectChanged(id);
  }

  /** Fills the index while it is built anew. Answers whether the two files disagree and have to be mended. */
  load(id: string): boolean {
    if (!this.#pair.isThere(id)) return false;
    const reading = this.#pair.read(id, undefined);
    if (!reading.ok) {
      this.#applyProblem(id, reading);
      return false;
    }
    this.#apply(reading.project, reading.stamps);
    return this.#pair.unsettled(reading).length > 0;
  }

  /** Writes a changed project. Throws ChangedMeanwhile when its files are no longer those that it was read from. */
  async save(before: Project, after: Project, told: Told): Promise<IndexedProject> {
    const reading = this.#pair.read(before.id, before);
    if (!reading.ok) throw cannotBeRead(before.id, reading);
    if (reading.project.etag !== this.#core.index.projects.get(before.id)?.etag) {
      await this.settle(before.id);
      throw new ChangedMeanwhile(`project ${before.id} was changed in the meantime`);
    }
    const made = this.#pair.texts(reading, before, after);
    const texts = { ...made, "PROJECT.md": told.edit?.(made["PROJECT.md"]) ?? made["PROJECT.md"] };
    const writes = [...this.#pair.writes(before.id, texts, reading.bases), ...this.#folderRecord(after, before)];
    const project = { ...after, etag: etagOf(texts["PROJECT.md"] + texts["PROJECT.json"]) };
    const changes = difference(told.before, told.after);
    const draft: EventDraft = {
      ...byChange(told.change),
      type: told.type,
      projectId: after.id,
      subject: told.subject,
      ...fileOf(project),
      ...changes,
    };
    const apply = (placed: Placed) => this.#apply(project, this.#pair.placed(before.id, placed));
    await commit(this.#core, draft, apply, writes);
    this.#core.overviews.projectChanged(after.id);
    return project;
  }

  /** Written with the change that names the folder. */
  #folderRecord({ id, workdir = NO_FOLDER }: Project, before?: Project): Put[] {
    const { workdirRecords: workdirs } = this.#core;
    const isNamed = before !== undefined && (before.workdir ?? NO_FOLDER) !== workdir;
    if (!isNamed && !workdirs.isDue({ id, workdir })) return [];
    return [workdirs.write(id, workdirs.textFor(workdir, { before: workdirs.recordOf(id) }))];
  }

  #found(id: string, known: ProjectRow | undefined): Found[] {
    const paths = HALVES.map((name) => `${projectRoot(id)}/${name}`);
    return foundFiles(this.#core.files, paths, () => (known === undefined ? undefined : known.etag));
  }

  /** PROJECT.md as it is now. */
  markdown(id: string): string {
    const reading = this.#pair.read(id, lastKnown(this.#core.index.projects.get(id)));
    if (!reading.ok) throw cannotBeRead(id, reading);
    return reading.markdown;
  }

  isCurrent(id: string): boolean {
    return HALVES.every((name) => {
      const path = `${projectRoot(id)}/${name}`;
      const stamp = this.#core.files.stamp(path);
      return stamp !== undefined && this.#core.index.files.isCurrent(path, stamp);
    });
  }

  #eventFor(known: ProjectRow | undefined, reading: Reading & { ok: true }): EventDraft | undefined {
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

  #apply(project: IndexedProject, stamps: Stamps): void {
    this.#noteFiles(project.id, stamps, project.etag);
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

  #noteFiles(id: string, stamps: Stamps, etag: string): void {
    for (const name of HALVES) {
      const path = `${projectRoot(id)}/${name}`;
      const stamp = stamps[name];
      this.#core.index.files.remove(path);
      if (stamp !== undefined) this.#core.index.files.put(path, stamp, etag);
    }
  }

  async #showProblem(id: string, reading: Reading & { ok: false }): Promise<void> {
    const apply = () => this.#applyProblem(id, reading);
    const draft = invalidEvent(problemOf(id, reading), this.#core.index.files.problemsOf(reading.file)[0]);
    if (draft === undefined) this.#core.index.transaction(apply);
    else await commit(this.#core, draft, apply, this.#found(id, this.#core.index.projects.get(id)));
  }

  #applyProblem(id: string, reading: Reading & { ok: false }): void {
    const { index } = this.#core;
    this.#noteFiles(id, reading.stamps, "");
    index.files.putProblem(problemOf(id, reading));
    index.projects.put(invalidRow(id, lastKnown(index.projects.get(id))));
    index.documents.remove(projectRoot(id));
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
    this.#gone(id);
    index.projects.remove(id);
    index.tasks.removeProject(id);
    index.runs.removeProject(id);
    index.gates.removeProject(id);
    index.documents.removeProject(id);
    index.files.removeBelow(projectRoot(id));
  }
}

function fileOf(project: IndexedProject): { file: string; etag: string } {
  return { file: `${projectRoot(project.id)}/PROJECT.json`, etag: project.etag };
}
