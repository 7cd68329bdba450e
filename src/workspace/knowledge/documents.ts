import type { FileEntry } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Artifact, ArtifactCreate } from "../../contract/routes/document-routes.ts";
import type { Put } from "../../store/changes/change.ts";
import { checkPath } from "../../store/files/paths.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Change } from "../change.ts";
import { byChange, commit } from "../core.ts";
import { decodeTextCursor, encodeCursor } from "../cursor.ts";
import type { FileView } from "../hall/hall.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { placeOf, projectPaths, projectRoot } from "../layout.ts";
import type { ProjectDirectory } from "../projects/project-directory.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Placed } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import type { DocumentSync } from "./document-sync.ts";
import { documentTitle } from "./document-sync.ts";
import { changedFile, newFile, stampIn, unlessTaken } from "./document-writes.ts";

interface Parts {
  core: IndexedCore;
  projects: ProjectDirectory;
  sync: DocumentSync;
}

/** Artifacts in dated folders, context files, and the text of any file of a project. */
export class Documents {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  artifacts(
    projectId: string,
    page: { limit: number; cursor?: string | undefined },
  ): { artifacts: Artifact[]; nextCursor?: string } {
    this.#parts.projects.assertKnown(projectId);
    const found = this.#parts.core.index.documents.list({
      projectId,
      kind: "artifact",
      limit: page.limit + 1,
      before: decodeTextCursor(page.cursor),
    });
    const shown = found.slice(0, page.limit);
    const artifacts = shown.map((document) => artifactOf({ ...document, path: document.id }));
    const last = shown.at(-1);
    return found.length > page.limit && last !== undefined
      ? { artifacts, nextCursor: encodeCursor([last.path]) }
      : { artifacts };
  }

  /** Saves into today's folder. A taken name gets a number, so that nothing is overwritten. */
  createArtifact(projectId: string, body: ArtifactCreate, change: Change): Promise<Artifact> {
    return this.#parts.projects.working(projectId, () => this.#saveArtifact(projectId, body, change));
  }

  async #saveArtifact(projectId: string, body: ArtifactCreate, change: Change): Promise<Artifact> {
    const name = checkPath(body.name, "write");
    if (name.includes("/")) throw new HallError("path_refused", "name: an artifact's name has no folders.");
    const { core } = this.#parts;
    const folder = `${projectPaths(projectId).artifacts}/${core.clock().toISOString().slice(0, 10)}`;
    let path: string;
    do path = core.files.freeName(folder, name);
    while (!(await this.#createFile(projectId, { path, content: body.content }, change)));
    core.overviews.artifactsChanged(projectId);
    const entry = this.#entry(projectId, path);
    return artifactOf({ ...entry, title: documentTitle(body.content, path) });
  }

  /** False when the name was taken meanwhile. */
  #createFile(projectId: string, file: { path: string; content: string }, change: Change): Promise<boolean> {
    const { core } = this.#parts;
    const { path, content } = file;
    const write = newFile(path, content, projectRoot(projectId));
    return core.locks.run(`file ${path}`, () => unlessTaken(this.#save(projectId, { ...file, write }, change)));
  }

  context(projectId: string): FileEntry[] {
    this.#parts.projects.assertKnown(projectId);
    return this.#parts.core.index.documents
      .list({ projectId, kind: "context", limit: 1_000 })
      .map(
        (document): FileEntry => ({
          path: document.id,
          kind: "context",
          size: document.size,
          updatedAt: document.updatedAt,
        }),
      )
      .reverse();
  }

  writeContext(projectId: string, path: string, content: string, change: Change): Promise<FileEntry> {
    return this.#parts.projects.working(projectId, () => this.#saveContext(projectId, { path, content }, change));
  }

  async #saveContext(
    projectId: string,
    { path, content }: { path: string; content: string },
    change: Change,
  ): Promise<FileEntry> {
    const { core } = this.#parts;
    const target = `${projectPaths(projectId).context}/${checkPath(path.replace(/^CONTEXT\//, ""), "write", "context")}`;
    const work = async () => {
      const before = core.files.exists(target) ? core.files.readContained(target, projectRoot(projectId)) : undefined;
      if (change.ifMatch !== undefined && (before === undefined || etagOf(before) !== change.ifMatch)) {
        throw new HallError("version_mismatch", `'${path}' was changed since you read it.`, { file: target });
      }
      const write = changedFile(target, content, before, projectRoot(projectId));
      await this.#save(projectId, { path: target, content, write }, change);
      return this.#entry(projectId, target);
    };
    return core.locks.run(`file ${target}`, () => untilUndisturbed(work));
  }

  async read(projectId: string, path: string): Promise<FileView> {
    this.#parts.projects.assertKnown(projectId);
    const target = `${projectRoot(projectId)}/${checkPath(path, "read")}`;
    const bytes = this.#parts.core.files.readContained(target, projectRoot(projectId));
    const content = decodeText(bytes);
    if (content === undefined) throw new HallError("invalid", `'${path}' is not UTF-8 text.`, { file: target });
    return { ...this.#entry(projectId, target), content, etag: etagOf(bytes) };
  }

  async #save(projectId: string, saved: { path: string; content: string; write: Put }, change: Change): Promise<void> {
    const event = writtenEvent(projectId, saved, change);
    const { core, sync } = this.#parts;
    const { path, content, write } = saved;
    const show = ({ stamps }: Placed) => sync.show(path, { stamp: stampIn(stamps, path), content });
    await commit(core, event, show, [write], change.gathered);
  }

  #entry(projectId: string, path: string): FileEntry {
    const place = placeOf(path);
    const stamp = this.#parts.core.files.stamp(path);
    const kind = place?.kind === "document" ? place.document : "document";
    return {
      path: path.slice(projectRoot(projectId).length + 1),
      kind,
      size: stamp?.size ?? 0,
      updatedAt: new Date(stamp?.mtime ?? 0).toISOString(),
    };
  }
}

function writtenEvent(projectId: string, file: { path: string; content: string }, change: Change): EventDraft {
  const { path, content } = file;
  return {
    ...byChange(change),
    type: "document.written",
    projectId,
    subject: { kind: "document", id: path.slice(projectRoot(projectId).length + 1) },
    file: path,
    etag: etagOf(content),
    after: { size: Buffer.byteLength(content) },
  };
}

function artifactOf({ path, title, size, updatedAt }: Omit<Artifact, "date" | "name">): Artifact {
  const [, date = "", ...rest] = path.split("/");
  return { path, date, name: rest.join("/"), title, size, updatedAt };
}
