import { HallError } from "../../contract/errors.ts";
import type { MemoryFile, MemoryText } from "../../contract/routes/memory-routes.ts";
import { hint } from "../../contract/words/hint.ts";
import type { Put } from "../../store/changes/change.ts";
import { isPassing, type Stamp } from "../../store/files/regular-file.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Change } from "../change.ts";
import { byChange, type Core, commit } from "../core.ts";
import { projectRoot } from "../layout.ts";
import type { ProjectDirectory } from "../projects/project-directory.ts";
import { etagOf } from "../tasks/task-file.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { changedFile } from "./document-writes.ts";
import { assertRoomForFact, isEpisode, isFact, keptText, MEMORY_FOLDER, memoryPath } from "./memory-rules.ts";
import { summaryOf } from "./memory-text.ts";

interface Standing {
  bytes: Buffer;
  stamp: Stamp | undefined;
}

interface Told {
  type: "document.written" | "document.removed";
  path: string;
  etag?: string;
  after: Record<string, unknown>;
  write: Put;
}

/**
 * What agents remember, for people to look at and correct. A project's process writes the same files: whoever comes
 * second finds another state than the one the change was made from, and is refused or does it anew.
 */
export class Memories {
  readonly #core: Core;
  readonly #projects: ProjectDirectory;

  constructor(core: Core, projects: ProjectDirectory) {
    this.#core = core;
    this.#projects = projects;
  }

  /** Of a project, or else of the main agent: facts, newest first, then episodes. */
  list(projectId: string | undefined): MemoryFile[] {
    if (projectId !== undefined) this.#projects.assertKnown(projectId);
    const root = rootOf(projectId);
    const files = ["facts", "episodes"].flatMap((folder) =>
      this.#core.files
        .names(`${root}/${folder}`)
        .map((name) => `${folder}/${name}`)
        .filter((path) => isFact(path) || isEpisode(path))
        .flatMap((path) => this.#listed(root, path)),
    );
    const isOlder = (left: MemoryFile, right: MemoryFile) => right.updatedAt.localeCompare(left.updatedAt);
    return [
      ...files.filter(({ kind }) => kind === "fact").sort(isOlder),
      ...files.filter(({ kind }) => kind === "episodes").reverse(),
    ];
  }

  read(projectId: string | undefined, given: string): MemoryText {
    if (projectId !== undefined) this.#projects.assertKnown(projectId);
    return this.#text(rootOf(projectId), memoryPath(given));
  }

  write(projectId: string | undefined, body: { path: string; content: string }, change: Change): Promise<MemoryText> {
    const path = memoryPath(body.path);
    const root = rootOf(projectId);
    const place = `${root}/${path}`;
    const content = keptText(path, body.content);
    return this.#changing(projectId, place, async () => {
      const { files } = this.#core;
      const before = this.#standing(root, path);
      assertVersion(path, before, change);
      if (before === undefined && isFact(path)) assertRoomForFact(files.names(`${root}/facts`).length);
      files.makeFolder(place.slice(0, place.lastIndexOf("/")), root.slice(0, -MEMORY_FOLDER.length - 1) || ".");
      const write: Put = { ...changedFile(place, content, before?.bytes, root), shared: true };
      const after = { size: Buffer.byteLength(content) };
      await this.#save(projectId, { type: "document.written", path, etag: etagOf(content), after, write }, change);
      return this.#text(root, path);
    });
  }

  /** Answers where in the trash it went. */
  remove(projectId: string | undefined, given: string, change: Change): Promise<string> {
    const path = memoryPath(given);
    const root = rootOf(projectId);
    const place = `${root}/${path}`;
    return this.#changing(projectId, place, async () => {
      const { files, clock } = this.#core;
      const before = this.#standing(root, path);
      if (before === undefined) throw missing(path);
      assertVersion(path, before, change);
      const name = place.slice(place.lastIndexOf("/") + 1);
      const trash = files.freeName("trash", `${clock().toISOString().replaceAll(":", "-")}-${name}`);
      const write: Put = { ...changedFile(place, before.bytes, before.bytes, root), shared: true, to: trash };
      await this.#save(projectId, { type: "document.removed", path, after: { trash }, write }, change);
      return trash;
    });
  }

  /** Whoever named the version it starts from is refused when there is another; all others do it on what is there then. */
  #changing<Result>(projectId: string | undefined, place: string, work: () => Promise<Result>): Promise<Result> {
    const inTurn = () => this.#core.locks.run(`file ${place}`, () => untilUndisturbed(work));
    return projectId === undefined ? inTurn() : this.#projects.working(projectId, inTurn);
  }

  async #save(projectId: string | undefined, { path, write, ...told }: Told, change: Change): Promise<void> {
    const draft = {
      ...byChange(change),
      ...told,
      ...(projectId === undefined ? {} : { projectId }),
      subject: { kind: "document" as const, id: `${MEMORY_FOLDER}/${path}` },
      file: `${rootOf(projectId)}/${path}`,
    };
    await commit(this.#core, draft, () => undefined, [write]);
  }

  #standing(root: string, path: string): Standing | undefined {
    const { files } = this.#core;
    const place = `${root}/${path}`;
    const stamp = files.stamp(place);
    return files.exists(place) ? { stamp, bytes: files.readContained(place, root) } : undefined;
  }

  #text(root: string, path: string): MemoryText {
    const standing = this.#standing(root, path);
    if (standing === undefined) throw missing(path);
    const content = decodeText(standing.bytes);
    if (content === undefined)
      throw new HallError("invalid", `'${path}' is not UTF-8 text.`, { file: `${root}/${path}` });
    return { ...entryOf(path, content, standing), content, etag: etagOf(standing.bytes) };
  }

  /** Links, special and oversized files are not shown. */
  #listed(root: string, path: string): MemoryFile[] {
    try {
      const standing = this.#standing(root, path);
      return standing === undefined ? [] : [entryOf(path, decodeText(standing.bytes), standing)];
    } catch (error) {
      if (isPassing(error)) throw error;
      return [];
    }
  }
}

function entryOf(path: string, text: string | undefined, { bytes, stamp }: Standing): MemoryFile {
  const summary = text === undefined || !isFact(path) ? undefined : summaryOf(text);
  return {
    path,
    kind: isFact(path) ? "fact" : "episodes",
    ...(summary === undefined ? {} : { summary }),
    size: bytes.length,
    updatedAt: new Date(stamp?.mtime ?? 0).toISOString(),
  };
}

function assertVersion(path: string, before: Standing | undefined, { ifMatch }: Change): void {
  if (ifMatch === undefined || (before !== undefined && etagOf(before.bytes) === ifMatch)) return;
  throw new HallError("version_mismatch", `'${path}' was changed since you read it.`);
}

function missing(path: string): HallError {
  return new HallError("file_not_found", `There is no file '${path}' in this memory.`, {
    hint: hint("memory-list"),
  });
}

function rootOf(projectId: string | undefined): string {
  return projectId === undefined ? MEMORY_FOLDER : `${projectRoot(projectId)}/${MEMORY_FOLDER}`;
}
