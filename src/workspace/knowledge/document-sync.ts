import type { EventDraft } from "../../contract/event.ts";
import type { Write } from "../../store/changes/change.ts";
import { isPassing, type Stamp } from "../../store/files/regular-file.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { BY_HAND, commit } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { placeOf } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";

/** Longest text of a document that is searched; what comes after it is still there to read. */
const SEARCHED = 200_000;

/** Keeps knowledge, plans, context files and artifacts findable. */
export class DocumentSync {
  readonly #core: IndexedCore;

  constructor(core: IndexedCore) {
    this.#core = core;
  }

  /** Brings one document up to date with its file and tells of what a person changed. */
  async settle(path: string): Promise<void> {
    const place = placeOf(path);
    if (place?.kind !== "document" || !this.#isOfKnownProject(place.projectId)) return;
    const known = this.#core.index.files.get(path);
    const found = this.#read(path);
    if (found === undefined && known === undefined) return;
    const etag = found === undefined ? undefined : etagOf(found);
    const draft: EventDraft = {
      actor: BY_HAND,
      type: found === undefined ? "document.removed" : "document.written",
      projectId: place.projectId,
      subject: { kind: "document", id: place.id },
      file: path,
      etag,
    };
    const told = etag !== undefined && (known?.etag === etag || this.#core.recovered.get(path)?.has(etag));
    if (told) this.#core.index.transaction(() => this.load(path));
    else {
      const writes: Write[] = [{ kind: "found", path, content: found, base: known?.etag ?? null }];
      await commit(this.#core, draft, () => (found === undefined ? this.#remove(path) : this.load(path)), writes);
    }
    if (place.document === "artifact" && place.projectId !== undefined)
      this.#core.overviews.artifactsChanged(place.projectId);
  }

  /** Puts one document into the index as it is now. */
  load(path: string): void {
    const stamp = this.#core.files.stamp(path);
    const bytes = this.#read(path);
    if (stamp === undefined || bytes === undefined) this.#remove(path);
    else this.show(path, { stamp, content: bytes });
  }

  /** Puts one document into the index that was written a moment ago. */
  show(path: string, { stamp, content }: { stamp: Stamp; content: Buffer | string }): void {
    const place = placeOf(path);
    if (place?.kind !== "document") {
      this.#remove(path);
      return;
    }
    const text = (typeof content === "string" ? content : (decodeText(content) ?? "")).slice(0, SEARCHED);
    const { index } = this.#core;
    index.files.put(path, stamp, etagOf(content));
    index.documents.put({
      path,
      kind: place.document,
      projectId: place.projectId,
      id: place.id,
      title: documentTitle(text, path),
      body: text.includes("\0") ? "" : text,
      size: stamp.size,
      updatedAt: new Date(stamp.mtime).toISOString(),
    });
  }

  /** A folder without a project's files is nobody's; when they come, everything below it is looked at. */
  #isOfKnownProject(projectId: string | undefined): boolean {
    return projectId === undefined || this.#core.index.projects.status(projectId) !== undefined;
  }

  #remove(path: string): void {
    this.#core.index.files.remove(path);
    this.#core.index.documents.remove(path);
  }

  /** Links, second names of a file, special and oversized files are not documents; they are simply not shown. */
  #read(path: string): Buffer | undefined {
    try {
      return this.#core.files.exists(path) ? this.#core.files.readContained(path, ".") : undefined;
    } catch (error) {
      if (isPassing(error)) throw error;
      return undefined;
    }
  }
}

/** The first heading, or the name of the file. */
export function documentTitle(text: string, path: string): string {
  return /^# +(.+)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() || (path.split("/").at(-1) ?? path);
}
