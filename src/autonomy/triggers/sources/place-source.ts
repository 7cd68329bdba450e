import { errorText } from "../../../contract/words/error-text.ts";
import { Watcher } from "../../../store/files/watcher.ts";
import type { Core } from "../../../workspace/core.ts";
import { projectOf } from "../../../workspace/projects/known-project.ts";
import type { TriggerDocument, TriggerFiles } from "../trigger-files.ts";
import { pathScope } from "./path-scope.ts";
import { PlaceLook, type PlaceParts } from "./place-look.ts";

/** Editors write a file in several steps. */
const QUIET_MS = 300;
const RETRY_MS = 5_000;
/** Folders in which a repository keeps what its branches are. */
const REFS = /^(?:\.|refs(?:\/heads(?:\/.+)?)?|reftable)$/;
const REF_FILES = /^(?:HEAD$|packed-refs$|refs\/heads\/|reftable\/)/;

interface Parts extends PlaceParts {
  core: Core;
  files: Pick<TriggerFiles, "all">;
  onTrouble: (what: string, error: unknown) => void;
}

/** One project with triggers that wait for its files or commits. */
interface Place {
  /** Changes with what has to be watched. */
  key: string;
  watchers: Watcher[];
  timer?: NodeJS.Timeout | undefined;
  looking: Promise<void>;
}

/** Fires triggers that wait for commits and files of working folders. Nothing is done while nothing changes there. */
export class PlaceSource {
  readonly #parts: Parts;
  readonly #look: PlaceLook;
  readonly #places = new Map<string, Place>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#look = new PlaceLook(parts);
  }

  /** Why a trigger can't look. */
  problemOf({ name, projectId, on }: Pick<TriggerDocument, "name" | "projectId" | "on">): string | undefined {
    if (!isOfPlace(on)) return undefined;
    return projectId === undefined
      ? "It waits for files or commits, but belongs to no project."
      : this.#look.problemOf(name);
  }

  /** After triggers, projects or their folders changed. */
  sync(): void {
    if (this.#isClosed) return;
    const wanted = new Map<string, TriggerDocument[]>();
    for (const trigger of this.#parts.files.all()) {
      const { projectId, on, problem } = trigger;
      if (projectId === undefined || problem !== undefined || !isOfPlace(on)) continue;
      wanted.set(projectId, [...(wanted.get(projectId) ?? []), trigger]);
    }
    for (const id of this.#places.keys()) if (!wanted.has(id)) this.#drop(id);
    for (const [projectId, triggers] of wanted) this.#watch(projectId, triggers);
  }

  /** Something happened that may have changed a project's files. */
  soon(projectId: string, ms = QUIET_MS): void {
    const place = this.#places.get(projectId);
    if (place === undefined || this.#isClosed) return;
    clearTimeout(place.timer);
    place.timer = setTimeout(() => {
      place.looking = place.looking.then(() => this.#lookAt(projectId));
    }, ms).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const looking = [...this.#places.values()].map((place) => place.looking);
    for (const id of this.#places.keys()) this.#drop(id);
    await Promise.all(looking);
  }

  #drop(projectId: string): void {
    const place = this.#places.get(projectId);
    this.#places.delete(projectId);
    clearTimeout(place?.timer);
    for (const watcher of place?.watchers ?? []) void watcher.close();
  }

  #watch(projectId: string, triggers: readonly TriggerDocument[]): void {
    const { core } = this.#parts;
    const project = projectOf(core, projectId);
    const sight = project && core.workdirRecords.look(project);
    const at = sight !== undefined && "path" in sight ? sight : undefined;
    const folder = triggers.some(({ on }) => on.files !== undefined) ? at?.path : undefined;
    const patterns = triggers.flatMap(({ on }) => on.files ?? []);
    const repository = at !== undefined && "git" in at && at.git.state === "repository" ? at.git.repository : undefined;
    const hasCommits = triggers.some(({ on }) => on.event !== undefined);
    const sources = triggers.map(({ name, source }) => `${name} ${source}`);
    const key = JSON.stringify([folder, patterns, hasCommits ? repository : undefined, sources, sight?.changes]);
    if (this.#places.get(projectId)?.key === key) return;
    this.#drop(projectId);
    const watchers = [
      ...(folder === undefined ? [] : [this.#files(projectId, folder, patterns)]),
      ...(repository === undefined || !hasCommits ? [] : [this.#refs(projectId, repository.path)]),
    ];
    this.#places.set(projectId, { key, watchers, looking: Promise.resolve() });
    this.soon(projectId, 0);
  }

  #files(projectId: string, root: string, patterns: readonly string[]): Watcher {
    const scope = pathScope(patterns);
    // A folder may come or go with everything in it: only its own path is told.
    return this.#watcher(projectId, root, {
      wants: scope.mayHold,
      matters: (path) => scope.has(path) || scope.mayHold(path),
    });
  }

  #refs(projectId: string, root: string): Watcher {
    const wants = (folder: string) => REFS.test(folder);
    return this.#watcher(projectId, root, { wants, matters: (path) => REF_FILES.test(path) });
  }

  #watcher(
    projectId: string,
    root: string,
    { wants, matters }: { wants: (folder: string) => boolean; matters: (path: string) => boolean },
  ): Watcher {
    return new Watcher({
      root,
      wants,
      onChange: async (paths) => {
        if (paths.some(matters)) this.soon(projectId);
      },
      onOverflow: async () => this.soon(projectId),
      onTrouble: (reason) => this.#parts.onTrouble(`changes in '${projectId}' can't be followed`, reason),
    });
  }

  async #lookAt(projectId: string): Promise<void> {
    const { core, files, onTrouble } = this.#parts;
    try {
      const project = projectOf(core, projectId);
      const triggers = files.all().filter((one) => one.projectId === projectId && one.problem === undefined);
      if (project === undefined || this.#isClosed) return;
      await this.#look.at(project, core.workdirRecords.look(project), triggers);
    } catch (error) {
      if (this.#isClosed) return;
      onTrouble(`files and commits of '${projectId}' could not be looked at; retrying`, errorText(error));
      this.soon(projectId, RETRY_MS);
    }
  }
}

function isOfPlace({ files, event }: TriggerDocument["on"]): boolean {
  return files !== undefined || event === "commit.created";
}
