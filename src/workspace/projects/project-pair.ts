import type { Project } from "../../contract/documents/project.ts";
import type { Put } from "../../store/changes/change.ts";
import type { Files } from "../../store/files/files.ts";
import { failureText, isPassing, type Stamp } from "../../store/files/regular-file.ts";
import { type Core, keep } from "../core.ts";
import { newFile, unlessTaken } from "../knowledge/document-writes.ts";
import { projectRoot } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Placed } from "../together.ts";
import {
  editProjectFrontmatter,
  type ProjectReading,
  readProject,
  renderProjectJson,
  type Shared,
} from "./project-file.ts";
import { editProjectMarkdown, type RoleName, renderProjectMarkdown } from "./project-text.ts";

/** In the order in which they are written: PROJECT.md speaks first after a crash. */
export const HALVES = ["PROJECT.md", "PROJECT.json"] as const;
type Half = (typeof HALVES)[number];

/** The state of each file that a reading or a write was about. */
export type Stamps = Partial<Record<Half, Stamp | undefined>>;
/** `bases`: the hash of each file as it was read; null where there is none. */
export type Found = ProjectReading & { stamps: Stamps; bases: Bases };
type Bases = Partial<Record<Half, string | null>>;
type Texts = Partial<Record<Half, string>>;

/** PROJECT.md and PROJECT.json on disk. */
export class ProjectPair {
  readonly #files: Files;
  readonly #keep: (writes: readonly Put[]) => Promise<unknown>;
  readonly #roleName: RoleName;

  constructor(core: Core, roleName: RoleName) {
    this.#files = core.files;
    this.#keep = (writes) => keep(core, writes);
    this.#roleName = roleName;
  }

  /** Whether a project lies there, readable or not. */
  isThere(id: string): boolean {
    if (this.#files.stat(projectRoot(id))?.isDirectory() !== true) return false;
    return HALVES.some((name) => this.#files.exists(pathOf(id, name)));
  }

  /** Stamps are taken before the files are read, so that a change in between still shows as one. */
  read(id: string, known: Shared | undefined): Found {
    const stamps: Stamps = Object.fromEntries(HALVES.map((name) => [name, this.#files.stamp(pathOf(id, name))]));
    let file = pathOf(id, "PROJECT.md");
    try {
      const markdown = this.#content(file);
      file = pathOf(id, "PROJECT.json");
      const json = this.#content(file);
      const bases = { "PROJECT.md": baseOf(markdown), "PROJECT.json": baseOf(json) };
      return { ...readProject(id, { markdown, json }, known), stamps, bases };
    } catch (error) {
      if (isPassing(error)) throw error;
      return { ok: false, file, line: 1, reason: failureText(error), stamps, bases: {} };
    }
  }

  /** What the files have to hold after a change; what a person wrote in them stays. */
  texts(reading: ProjectReading & { ok: true }, before: Project, after: Project): Required<Texts> {
    const { markdown, kept } = reading;
    const page =
      markdown === ""
        ? renderProjectMarkdown(after, {}, this.#roleName)
        : editProjectMarkdown(markdown, before, after, this.#roleName);
    return { "PROJECT.md": editProjectFrontmatter(page, after), "PROJECT.json": renderProjectJson(after, kept) };
  }

  /** `bases` is what the texts were made from; files that a person changed since are left alone (ChangedMeanwhile). */
  writes(id: string, texts: Texts, bases: Bases): Put[] {
    return HALVES.flatMap((name): Put[] => {
      const content = texts[name];
      return content === undefined ? [] : [{ kind: "put", path: pathOf(id, name), content, base: bases[name] ?? null }];
    });
  }

  /** The state of both files after `writes`. */
  placed(id: string, { stamps }: Placed): Stamps {
    return Object.fromEntries(HALVES.map((name) => [name, stamps.get(pathOf(id, name))]));
  }

  /** PROJECT.json holds settings that PROJECT.md does not; when it is deleted, what the hall still knows is written again. */
  async restoreJson({ etag, ...project }: Project & { etag: string }): Promise<void> {
    const path = pathOf(project.id, "PROJECT.json");
    if (!this.#files.exists(path)) await unlessTaken(this.#keep([newFile(path, renderProjectJson(project))]));
  }

  /** Which of the two files would have to change so that both tell the same. */
  unsettled(reading: Found & { ok: true }): Half[] {
    const { project, front, json, stamps } = reading;
    const shared = (from: { status: string; model?: unknown; workdir?: unknown }) =>
      JSON.stringify([from.status, from.model ?? null, from.workdir ?? null]);
    const told = { "PROJECT.md": front, "PROJECT.json": json };
    return HALVES.filter((name) => stamps[name] === undefined || shared(told[name]) !== shared(project));
  }

  /** Makes both files tell the same and answers them as they are then. A file that needs no change is not touched. */
  async heal(id: string, reading: Found): Promise<Found> {
    const unsettled = reading.ok ? this.unsettled(reading) : [];
    if (!reading.ok || unsettled.length === 0) return reading;
    const { etag, ...project } = reading.project;
    const texts = this.texts(reading, project, project);
    await this.#keep(this.writes(id, Object.fromEntries(unsettled.map((name) => [name, texts[name]])), reading.bases));
    return this.read(id, project);
  }

  #content(path: string): Buffer | undefined {
    return this.#files.exists(path) ? this.#files.read(path) : undefined;
  }
}

function baseOf(content: Buffer | undefined): string | null {
  return content === undefined ? null : etagOf(content);
}

function pathOf(id: string, name: Half): string {
  return `${projectRoot(id)}/${name}`;
}
