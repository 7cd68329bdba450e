import type { Project } from "../../contract/documents/project.ts";
import { type FolderState, type RepositoryIdentity, WorkdirRecord } from "../../contract/documents/workdir.ts";
import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Put } from "../../store/changes/change.ts";
import type { Files } from "../../store/files/files.ts";
import { realPlaceOf } from "../../store/files/folders.ts";
import { folderIdentity } from "../../store/files/path-identity.ts";
import { isSameStamp, type Stamp } from "../../store/files/regular-file.ts";
import { gitAround } from "../../store/git/git-checkout.ts";
import type { Clock } from "../../store/ids.ts";
import { Momentary } from "../../store/momentary.ts";
import { projectRoot } from "../layout.ts";
import { compareWorkdir, type WorkdirSight } from "./workdir-sight.ts";

const MOST_EARLIER = 20;
/** Recorded for a project whose folder was taken away: naming the same one later records it again. */
export const NO_FOLDER = "";

type Named = Pick<Project, "id" | "workdir">;
/** `broken`: why the file cannot be read. */
type Reading = { record: WorkdirRecord } | { broken: string } | undefined;

export function workdirFile(projectId: string): string {
  return `${projectRoot(projectId)}/workdir.json`;
}

interface Parts {
  files: Files;
  clock: Clock;
  /** The person's home folder, as a real path. */
  home: string;
}

/** What each project's working folder was when a person named it. Only the daemon writes these files. */
export class WorkdirRecords {
  readonly #parts: Parts;
  readonly #known = new Map<string, { stamp: Stamp; reading: Reading }>();
  /** Planning a run alone asks six times. */
  readonly #ownPlaces = new Momentary(() => new Map<string, string>());

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The folder as it is now; undefined when there is none. */
  stateOf(workdir: string): FolderState | undefined {
    const folder = folderIdentity(workdir);
    return folder === undefined ? undefined : { folder, git: gitAround(folder.path, this.#parts.home) };
  }

  /** The text to store for a folder that a person names or confirms now. */
  textFor(workdir: string, known: { before?: WorkdirRecord | undefined; now?: FolderState | undefined } = {}): string {
    const { before, now = this.stateOf(workdir) } = known;
    const record: WorkdirRecord = {
      version: 1,
      workdir,
      recordedAt: this.#parts.clock().toISOString(),
      ...(now === undefined ? { git: { state: "none" } } : now),
      earlier: earlierOf(workdir, before),
    };
    return `${JSON.stringify(record, null, 2)}\n`;
  }

  read(projectId: string): Reading {
    const { files } = this.#parts;
    const path = workdirFile(projectId);
    const stamp = files.stamp(path);
    if (stamp === undefined) {
      this.#known.delete(projectId);
      return undefined;
    }
    const known = this.#known.get(projectId);
    if (known !== undefined && isSameStamp(known.stamp, stamp)) return known.reading;
    const reading = parse(() => files.text(path));
    this.#known.set(projectId, { stamp, reading });
    return reading;
  }

  recordOf(projectId: string): WorkdirRecord | undefined {
    const reading = this.read(projectId);
    return reading !== undefined && "record" in reading ? reading.record : undefined;
  }

  /**
   * Whether a person named a folder, or took it away, and that is not recorded yet. A record that cannot be read stays until
   * the person names another folder or confirms this one.
   */
  isDue({ id, workdir = NO_FOLDER }: Named): boolean {
    const reading = this.read(id);
    if (reading === undefined) return workdir !== NO_FOLDER;
    return "record" in reading && reading.record.workdir !== workdir;
  }

  /** To be written with the change that it belongs to. */
  write(projectId: string, text: string): Put {
    return { kind: "put", path: workdirFile(projectId), content: text };
  }

  /** Undefined for a project that works in its own folder. */
  look({ id, workdir }: Named): WorkdirSight | undefined {
    if (workdir === undefined) return undefined;
    const reading = this.read(id);
    if (reading === undefined || "broken" in reading || reading.record.workdir !== workdir) {
      const why = reading !== undefined && "broken" in reading ? `cannot be read: ${reading.broken}` : "is missing";
      return { state: "unrecorded", changes: [`The record of the folder, ${workdirFile(id)}, ${why}.`] };
    }
    return compareWorkdir(reading.record, this.stateOf(workdir));
  }

  /** The real path of the working folder, or why nothing may be run or read there now. */
  placeOf(project: Named): string | HallError {
    const sight = this.look(project);
    if (sight === undefined) return this.#ownPlace(project.id);
    if ("path" in sight) return sight.path;
    const where = `the working folder '${project.workdir}' of project '${project.id}'`;
    if (sight.state === "missing")
      return new HallError(
        "workdir_missing",
        `There is no folder '${project.workdir}', the working folder of project '${project.id}'.`,
      );
    return changedError(project.id, `Agents can't use ${where}. ${sight.changes.join(" ")}`);
  }

  #ownPlace(projectId: string): string {
    const known = this.#ownPlaces.now();
    const place = known.get(projectId) ?? realPlaceOf(`${this.#parts.files.root}/${projectRoot(projectId)}`);
    known.set(projectId, place);
    return place;
  }
}

/** Says how the person looks at it and confirms it. */
export function changedError(projectId: string, message: string): HallError {
  return new HallError("workdir_changed", message, {
    hint: hint("project-folder", { project: projectId }),
  });
}

function parse(read: () => string): Reading {
  try {
    const outcome = WorkdirRecord.safeParse(JSON.parse(read()));
    if (outcome.success) return { record: outcome.data };
    const [issue] = outcome.error.issues;
    return { broken: `${issue?.path.map(String).join(".") || "document"}: ${issue?.message ?? "invalid"}` };
  } catch (error) {
    return { broken: errorText(error) };
  }
}

/** A repository that was confirmed as another one at the same path is not trusted any more. */
function earlierOf(workdir: string, before: WorkdirRecord | undefined): RepositoryIdentity[] {
  if (before === undefined) return [];
  const isMoved = before.workdir !== workdir;
  const left = isMoved && before.git.state === "repository" ? [before.git] : [];
  return [...left, ...before.earlier].slice(0, MOST_EARLIER);
}
