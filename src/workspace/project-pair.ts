import type { Project } from "../contract/project.ts";
import type { Files } from "../store/files.ts";
import { failureText, isPassing, type Stamp } from "../store/regular-file.ts";
import { projectRoot } from "./layout.ts";
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
export type Found = ProjectReading & { stamps: Stamps };
type Texts = Partial<Record<Half, string>>;

/** PROJECT.md and PROJECT.json on disk. */
export class ProjectPair {
  readonly #files: Files;
  readonly #roleName: RoleName;

  constructor(files: Files, roleName: RoleName) {
    this.#files = files;
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
      return { ...readProject(id, { markdown, json }, known), stamps };
    } catch (error) {
      if (isPassing(error)) throw error;
      return { ok: false, file, line: 1, reason: failureText(error), stamps };
    }
  }

  /** What the files have to hold after a change; what a person wrote in them stays. */
  texts(reading: ProjectReading & { ok: true }, before: Project, after: Project): Required<Texts> {
    const { markdown, kept } = reading;
    const page =
      markdown === ""
        ? renderProjectMarkdown(after, "", this.#roleName)
        : editProjectMarkdown(markdown, before, after, this.#roleName);
    return { "PROJECT.md": editProjectFrontmatter(page, after), "PROJECT.json": renderProjectJson(after, kept) };
  }

  /** `from` is what the texts were made from; files that a person changed since are left alone (ChangedMeanwhile). */
  async write(id: string, texts: Texts, from: Stamps): Promise<Stamps> {
    const names = HALVES.filter((name) => texts[name] !== undefined);
    const placed = await this.#files.replaceTogether(
      names.map((name) => ({ path: pathOf(id, name), content: texts[name] ?? "", from: { stamp: from[name] } })),
    );
    return Object.fromEntries(names.map((name, at) => [name, placed[at]]));
  }

  /** How to bring both files back to what they are now. */
  undo(id: string): () => Promise<void> {
    const now = HALVES.map((name) => pathOf(id, name)).map((path) => ({ path, content: this.#content(path) }));
    return async () => {
      for (const { path, content } of now) await this.#files.restore(path, content);
    };
  }

  /** PROJECT.json holds settings that PROJECT.md does not; when it is deleted, what the hall still knows is written again. */
  async restoreJson({ etag, ...project }: Project & { etag: string }): Promise<void> {
    const path = pathOf(project.id, "PROJECT.json");
    if (!this.#files.exists(path)) await this.#files.create(path, renderProjectJson(project));
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
    await this.write(id, Object.fromEntries(unsettled.map((name) => [name, texts[name]])), reading.stamps);
    return this.read(id, project);
  }

  #content(path: string): Buffer | undefined {
    return this.#files.exists(path) ? this.#files.read(path) : undefined;
  }
}

function pathOf(id: string, name: Half): string {
  return `${projectRoot(id)}/${name}`;
}
