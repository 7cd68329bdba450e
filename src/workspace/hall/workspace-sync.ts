import { setImmediate as nextTurn } from "node:timers/promises";
import { ESCALATION_STATUSES } from "../../contract/documents/escalation-status.ts";
import { TASK_FOLDERS, type TaskFolder } from "../../contract/documents/task-status.ts";
import { codeOf, failureText, isSameStamp } from "../../store/files/regular-file.ts";
import type { EscalationFiles } from "../escalations/escalation-files.ts";
import type { GateSync } from "../gates/gate-sync.ts";
import type { IndexedCore } from "../indexed-core.ts";
import type { DocumentSync } from "../knowledge/document-sync.ts";
import {
  escalationFolder,
  escalationPath,
  gatesFolder,
  idOfEscalationFile,
  idOfTaskFile,
  isFollowed,
  PROJECTS_FOLDER,
  placeOf,
  projectPaths,
  projectRoot,
  STATE_FOLDER,
  taskPath,
  WORKTREES_FOLDER,
} from "../layout.ts";
import { projectLock } from "../projects/project-directory.ts";
import type { ProjectStore } from "../projects/project-store.ts";
import type { RoleSync } from "../roles/role-sync.ts";
import { lockKey } from "../tasks/task-board.ts";
import type { TaskSync } from "../tasks/task-sync.ts";

interface Parts {
  core: IndexedCore;
  roles: RoleSync;
  projects: ProjectStore;
  tasks: TaskSync;
  escalations: EscalationFiles;
  documents: DocumentSync;
  gates: GateSync;
}

const SETTLED_AT_ONCE = 64;

/** Something of the workspace whose files may have changed. */
type Item =
  | { kind: "roles" }
  | { kind: "project"; projectId: string }
  | { kind: "task"; projectId: string; id: string }
  | { kind: "escalation"; id: string }
  | { kind: "stray"; path: string }
  | { kind: "gate"; path: string }
  | { kind: "document"; path: string };

/** What filling the index brought. */
interface Loaded {
  /** Files of tasks and escalations. */
  count: number;
  misplaced: { projectId: string; id: string }[];
  escalations: string[];
  disagreeing: string[];
}

/** Compares files with the index: all of them at a start, single ones as they change. */
export class WorkspaceSync {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Follows changes of single paths. */
  async followPaths(paths: readonly string[]): Promise<void> {
    await this.#settleAll(paths.filter((path) => !this.#isCurrent(path)).flatMap((path) => this.#itemOf(path)));
  }

  /** Most changes noticed are the daemon's own, and the index has them already. */
  #isCurrent(path: string): boolean {
    const { files, index } = this.#parts.core;
    const stamp = files.stamp(path);
    if (stamp !== undefined) return index.files.isCurrent(path, stamp);
    // A task that was moved is gone from its old folder, and the index knows.
    const kind = placeOf(path)?.kind;
    return (kind === "task" || kind === "escalation") && index.files.get(path) === undefined;
  }

  /** Looks at every file and follows those that are not as the index knows them. Answers how many there were. */
  async followAll(): Promise<number> {
    const items = [
      ...this.#changedFixedFiles(),
      ...this.#changedEscalations(),
      ...this.#projectIds().flatMap((id) => this.#changedInProject(id)),
      ...this.#goneProjects(),
    ];
    await this.#settleAll(items);
    return items.length;
  }

  /** Fills an empty index from the files, without waiting for anything. */
  loadAll(): Loaded {
    const { core, roles, projects, tasks, documents, gates } = this.#parts;
    const misplaced: { projectId: string; id: string }[] = [];
    const disagreeing: string[] = [];
    const escalations: string[] = [];
    let count = 0;
    const load = () => {
      roles.load();
      for (const path of this.#documentsIn("knowledge")) this.#orNote(path, "document", () => documents.load(path));
      for (const projectId of this.#projectIds()) {
        const file = `${projectRoot(projectId)}/PROJECT.json`;
        if (this.#orNote(file, "project", () => projects.load(projectId))) disagreeing.push(projectId);
        if (core.index.projects.status(projectId) === undefined) continue;
        for (const path of this.#documentsIn(projectRoot(projectId)))
          this.#orNote(path, "document", () => documents.load(path));
        for (const path of this.#gateFiles(projectId)) this.#orNote(path, "gate", () => gates.load(path));
        for (const [id, folders] of this.#taskFiles(projectId)) {
          count++;
          const path = taskPath(projectId, folders[0] ?? "todo", id);
          if (this.#orNote(path, "task", () => tasks.load(projectId, id, folders))) misplaced.push({ projectId, id });
        }
        for (const path of this.#strays(projectId)) this.#noteStray(path);
        tasks.loaded(projectId);
      }
      count += this.#loadEscalations(escalations);
      core.index.files.setMeta("seq", core.events.head());
    };
    core.files.readMany(() => core.index.transaction(load));
    return { count, misplaced, escalations, disagreeing };
  }

  /** Notes those whose files have to be mended. Returns how many there are. */
  #loadEscalations(unsettled: string[]): number {
    const { escalations } = this.#parts;
    const all = escalations.all();
    for (const [id, folders] of all) {
      const path = escalationPath(folders[0] ?? "draft", id);
      if (this.#orNote(path, "escalation", () => escalations.load(id, folders))) unsettled.push(id);
    }
    for (const path of escalations.strays()) this.#noteStray(path);
    escalations.loaded();
    return all.length;
  }

  /** One file that the disk does not give must not keep all others from being shown; it is looked at again before long. */
  #orNote<Result>(file: string, kind: Exclude<Item["kind"], "stray">, load: () => Result): Result | undefined {
    const { core } = this.#parts;
    try {
      return load();
    } catch (error) {
      if (codeOf(error) !== "EIO") throw error;
      core.index.files.putProblem({
        file,
        kind,
        severity: "invalid",
        reason: `it cannot be read: ${failureText(error)}`,
      });
      core.compareSoon();
      return undefined;
    }
  }

  /** Brings files in line that loading found to contradict each other. */
  async settleLoaded({ misplaced, escalations: unsettled, disagreeing }: Loaded): Promise<void> {
    const { core, projects, tasks, escalations } = this.#parts;
    for (const id of unsettled) await escalations.mend(id);
    for (const id of disagreeing) await core.locks.run(projectLock(id), () => projects.mend(id));
    for (const { projectId, id } of misplaced)
      await core.locks.run(lockKey(projectId, id), () => tasks.mend(projectId, id));
    for (const projectId of core.index.projects.ids()) {
      core.overviews.projectChanged(projectId);
      core.overviews.artifactsChanged(projectId);
    }
  }

  /** Removes projects that were being made when the last daemon ended. */
  discardHalfMade(): void {
    const { files } = this.#parts.core;
    for (const name of files.hiddenFolders(PROJECTS_FOLDER))
      if (name.startsWith(".new-")) files.discard(`${PROJECTS_FOLDER}/${name}`);
  }

  /** Removes what writes that were interrupted before that time left behind, between other things that the daemon does. */
  async sweep(before: number, signal: AbortSignal): Promise<void> {
    for (const _ of this.#sweepAll(before)) {
      await nextTurn();
      if (signal.aborted) return;
    }
  }

  *#sweepAll(before: number): Generator<void> {
    const { files } = this.#parts.core;
    yield* files.sweep(".", "here", { before });
    // A worktree is looked after when its run is taken up.
    const without = [WORKTREES_FOLDER];
    for (const folder of [...files.folders("."), STATE_FOLDER])
      yield* files.sweep(folder, "below", { before, without });
  }

  /**
   * Roles and projects first, one by one; then everything in them, many at once, so that their events share a sync.
   * What cannot be settled now does not keep the rest from it; the first failure is told at the end.
   */
  async #settleAll(items: readonly Item[]): Promise<void> {
    const unique = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
    const failures: unknown[] = [];
    const settle = (item: Item) => this.#settle(item).catch((error) => failures.push(error));
    const isOuter = (item: Item) => item.kind === "roles" || item.kind === "project";
    for (const item of unique.filter(isOuter)) await settle(item);
    const inner = unique.filter((item) => !isOuter(item));
    for (let at = 0; at < inner.length; at += SETTLED_AT_ONCE) {
      await Promise.all(inner.slice(at, at + SETTLED_AT_ONCE).map(settle));
    }
    if (failures.length > 0) throw failures[0];
  }

  #settle(item: Item): Promise<void> {
    const { core, roles, projects, tasks, escalations, documents, gates } = this.#parts;
    switch (item.kind) {
      case "roles":
        return core.locks.run("roles", () => roles.settle());
      case "project":
        return core.locks.run(projectLock(item.projectId), async () => {
          const isNew = core.index.projects.get(item.projectId) === undefined;
          if (!projects.isCurrent(item.projectId)) await projects.settle(item.projectId);
          // A folder that was dropped in whole brings its tasks and documents along.
          if (isNew && core.index.projects.get(item.projectId) !== undefined)
            await this.#settleAll(this.#changedInProject(item.projectId).filter((found) => found.kind !== "project"));
        });
      case "task":
        return core.locks.run(lockKey(item.projectId, item.id), async () => {
          const paths = TASK_FOLDERS.map((folder) => taskPath(item.projectId, folder, item.id));
          if (paths.every((path) => this.#isCurrent(path))) return;
          if (core.index.projects.get(item.projectId) !== undefined) await tasks.settle(item.projectId, item.id);
        });
      case "escalation":
        return escalations.settle(item.id, (path) => this.#isCurrent(path));
      case "stray":
        return core.locks.run(`file ${item.path}`, async () => this.#noteStray(item.path));
      case "gate":
        return core.locks.run(`file ${item.path}`, () => gates.settle(item.path));
      case "document":
        return core.locks.run(`file ${item.path}`, () => documents.settle(item.path));
    }
  }

  #itemOf(path: string): Item[] {
    const place = placeOf(path);
    switch (place?.kind) {
      case undefined:
        return this.#itemOfFolder(path);
      case "roles":
        return [{ kind: "roles" }];
      case "project":
        return [{ kind: "project", projectId: place.projectId }];
      case "document":
        // By its path alone it may as well be a folder that went.
        return [{ kind: "document", path }, ...this.#itemOfFolder(path)];
      case "gate":
        return [{ kind: "gate", path }, ...this.#itemOfFolder(path)];
      case "task": {
        const id = idOfTaskFile(place.name);
        return [id === undefined ? { kind: "stray", path } : { kind: "task", projectId: place.projectId, id }];
      }
      case "escalation": {
        const id = idOfEscalationFile(place.name);
        return [id === undefined ? { kind: "stray", path } : { kind: "escalation", id }];
      }
    }
  }

  /** A folder that came or went concerns everything the index knows below it. */
  #itemOfFolder(path: string): Item[] {
    if (!isFollowed(path)) return [];
    const [area, projectId, ...rest] = path.split("/");
    const isProject = area === PROJECTS_FOLDER && rest.length === 0;
    const own: Item[] = projectId !== undefined && isProject ? [{ kind: "project", projectId }] : [];
    const known = [...this.#parts.core.index.files.below(path)].map((file) => file.path);
    return [...own, ...known.flatMap((file) => this.#itemOf(file))];
  }

  #projectIds(): string[] {
    return this.#parts.core.files.folders(PROJECTS_FOLDER);
  }

  #goneProjects(): Item[] {
    const present = new Set(this.#projectIds());
    return this.#parts.core.index.projects
      .ids()
      .flatMap((projectId): Item[] => (present.has(projectId) ? [] : [{ kind: "project", projectId }]));
  }

  #changedFixedFiles(): Item[] {
    const documents = this.#changedBelow("knowledge", this.#documentsIn("knowledge"));
    return [{ kind: "roles" }, ...documents.map((path): Item => ({ kind: "document", path }))];
  }

  #changedEscalations(): Item[] {
    const folders = ESCALATION_STATUSES.map(escalationFolder);
    return folders.flatMap((folder) => this.#changedInFolder(folder, ".json")).flatMap((path) => this.#itemOf(path));
  }

  #changedInProject(projectId: string): Item[] {
    const root = projectRoot(projectId);
    const project: Item[] = this.#parts.projects.isCurrent(projectId) ? [] : [{ kind: "project", projectId }];
    const areas = ["ARTIFACTS", "CONTEXT", "knowledge", "plans"];
    const documents = areas.flatMap((area) =>
      this.#changedBelow(`${root}/${area}`, this.#documentsIn(`${root}/${area}`)),
    );
    const tasks = TASK_FOLDERS.flatMap((folder) =>
      this.#changedInFolder(`${projectPaths(projectId).tasks}/${folder}`, ".md"),
    );
    return [
      ...project,
      ...documents.map((path): Item => ({ kind: "document", path })),
      ...tasks.flatMap((path) => this.#itemOf(path)),
      ...this.#changedBelow(gatesFolder(projectId), this.#gateFiles(projectId)).map(
        (path): Item => ({ kind: "gate", path }),
      ),
    ];
  }

  #changedBelow(folder: string, present: readonly string[]): string[] {
    const { index } = this.#parts.core;
    const here = new Set(present);
    const gone = [...index.files.below(folder)]
      .map((file) => file.path)
      .filter((path) => !here.has(path) && isSingleFile(path));
    return [...gone, ...present.filter((path) => !this.#isCurrent(path))];
  }

  /** Walks the names on disk and those in the index side by side, both sorted: 100,000 files cost one stat each. */
  #changedInFolder(path: string, extension: string): string[] {
    const { files, index } = this.#parts.core;
    const changed: string[] = [];
    const known = index.files.below(path)[Symbol.iterator]();
    let next = known.next();
    for (const name of files.names(path)) {
      if (!name.endsWith(extension)) continue;
      const here = `${path}/${name}`;
      for (; !next.done && next.value.path < here; next = known.next()) changed.push(next.value.path);
      const isKnown = !next.done && next.value.path === here;
      if (!isKnown || !isSameStamp(next.value, files.stamp(here))) changed.push(here);
      if (isKnown) next = known.next();
    }
    for (; !next.done; next = known.next()) changed.push(next.value.path);
    return changed;
  }

  /** Ids on a board with the folders they stand in, in the order of their numbers. */
  #taskFiles(projectId: string): [string, TaskFolder[]][] {
    const found = new Map<string, TaskFolder[]>();
    for (const folder of TASK_FOLDERS) {
      for (const name of this.#parts.core.files.names(`${projectPaths(projectId).tasks}/${folder}`)) {
        const id = idOfTaskFile(name);
        if (id !== undefined) found.set(id, [...(found.get(id) ?? []), folder]);
      }
    }
    return [...found].sort(([left], [right]) => Number(left.slice(5)) - Number(right.slice(5)));
  }

  #strays(projectId: string): string[] {
    return TASK_FOLDERS.flatMap((folder) => {
      const path = `${projectPaths(projectId).tasks}/${folder}`;
      return this.#parts.core.files
        .names(path)
        .filter((name) => name.endsWith(".md") && idOfTaskFile(name) === undefined)
        .map((name) => `${path}/${name}`);
    });
  }

  #gateFiles(projectId: string): string[] {
    const { files } = this.#parts.core;
    const folder = gatesFolder(projectId);
    return files
      .folders(folder)
      .filter((day) => isFollowed(`${folder}/${day}`))
      .flatMap((day) => files.names(`${folder}/${day}`).map((name) => `${folder}/${day}/${name}`))
      .filter((path) => placeOf(path)?.kind === "gate");
  }

  #noteStray(path: string): void {
    const { files, index } = this.#parts.core;
    const stamp = files.stamp(path);
    index.files.remove(path);
    if (stamp === undefined) return;
    index.files.put(path, stamp, "");
    const place = placeOf(path);
    const about =
      place?.kind === "task"
        ? { kind: "task" as const, projectId: place.projectId, named: "a task id, like TASK-001.md" }
        : { kind: "escalation" as const, named: "an escalation id, like esc-001.json" };
    const { named, ...rest } = about;
    const reason = `the file's name must be ${named}`;
    index.files.putProblem({ ...rest, file: path, line: 1, severity: "invalid", reason });
  }

  #documentsIn(folder: string): string[] {
    const { files } = this.#parts.core;
    const { names, folders } = files.namesAndFolders(folder);
    const here = names.map((name) => `${folder}/${name}`).filter((path) => placeOf(path)?.kind === "document");
    const deeper = folders
      .map((name) => `${folder}/${name}`)
      .filter((path) => isFollowed(path) && !path.endsWith("/TASKS"));
    return [...here, ...deeper.flatMap((path) => this.#documentsIn(path))];
  }
}

/** A document that is one file, wherever it is. */
function isSingleFile(path: string): boolean {
  const kind = placeOf(path)?.kind;
  return kind === "document" || kind === "gate";
}
