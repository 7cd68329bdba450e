import type { Topic } from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Put } from "../../store/changes/change.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Change } from "../change.ts";
import { byChange, type Core, commit } from "../core.ts";
import { placeOf, projectRoot } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Together } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import type { DocumentSync } from "./document-sync.ts";
import { changedFile } from "./document-writes.ts";
import { pagePath, topicsOf } from "./knowledge-pages.ts";
import { keyOf, statementsIn, type Written, withoutStatement, withStatement } from "./knowledge-text.ts";

/** As much of a document as is searched. */
const MOST_BYTES = 200_000;

export interface PageEdit {
  projectId: string | undefined;
  topic: Topic;
  /** The words of the statement that it is about. */
  key: string;
  /** The statement as it is to be; undefined takes it away. */
  becomes: Written | undefined;
}

/** Changes statements of pages and leaves every other byte as it is. */
export class KnowledgeWriting {
  readonly #core: Core;
  readonly #sync: DocumentSync;

  constructor(core: Core, sync: DocumentSync) {
    this.#core = core;
    this.#sync = sync;
  }

  /** Has every page of the places given alone; a person's hand in between begins the work anew. */
  alone<Result>(places: readonly (string | undefined)[], work: () => Promise<Result>): Promise<Result> {
    const paths = places.flatMap((place) => topicsOf(place).map((topic) => `file ${pagePath(place, topic)}`));
    return this.#core.locks.runAll(paths, () => untilUndisturbed(work));
  }

  /** Called inside `alone`. Pages that would stay the same are not written. */
  async write(edits: readonly PageEdit[], change: Change): Promise<void> {
    const part = this.prepare(edits, change);
    if (part !== undefined) await commit(this.#core, part.events, part.apply, part.writes);
  }

  /** The edits as part of a larger change, called inside `alone`; undefined when every page would stay the same. */
  prepare(edits: readonly PageEdit[], { request, ...change }: Change): Together | undefined {
    const paths = [...new Set(edits.map(({ projectId, topic }) => pagePath(projectId, topic)))];
    const writes = paths.flatMap((path) => {
      const own = edits.filter(({ projectId, topic }) => pagePath(projectId, topic) === path);
      return this.#written(path, own) ?? [];
    });
    if (writes.length === 0) return undefined;
    return {
      events: writes.map((write, at) => eventOf(write, at === 0 ? { ...change, request } : change)),
      writes,
      apply: () => {
        for (const { path } of writes) this.#sync.load(path);
      },
    };
  }

  #written(path: string, edits: readonly PageEdit[]): Put | undefined {
    const { files } = this.#core;
    const [first] = edits;
    if (first === undefined) return undefined;
    const { projectId, topic } = first;
    const within = projectId === undefined ? "." : projectRoot(projectId);
    const stamp = files.stamp(path);
    const before = stamp === undefined ? undefined : files.readContained(path, within);
    const page = before === undefined ? `# ${topic.charAt(0).toUpperCase()}${topic.slice(1)}\n` : decodeText(before);
    if (page === undefined) throw new HallError("file_invalid", `'${path}' is not UTF-8 text.`, { file: path });
    const content = edits.reduce(edited, page);
    if (content === page) return undefined;
    for (const edit of edits) assertFits(path, content, edit);
    return changedFile(path, content, before, within);
  }
}

function eventOf({ path, content }: Put, change: Change): EventDraft {
  const place = placeOf(path);
  if (place?.kind !== "document") throw new Error(`${path} is not a knowledge page`);
  return {
    ...byChange(change),
    type: "document.written",
    ...(place.projectId === undefined ? {} : { projectId: place.projectId }),
    subject: { kind: "document", id: place.id },
    file: path,
    etag: etagOf(content),
    after: { size: Buffer.byteLength(content) },
  };
}

function edited(page: string, { key, becomes }: PageEdit): string {
  return becomes === undefined ? withoutStatement(page, key) : withStatement(page, becomes, { key });
}

function assertFits(path: string, content: string, { becomes }: PageEdit): void {
  if (becomes === undefined) return;
  if (Buffer.byteLength(content) > MOST_BYTES)
    throw new HallError("too_large", `'${path}' is full: it would be larger than ${MOST_BYTES / 1_000} KB.`, {
      file: path,
      hint: "Remove outdated statements, or merge several into one.",
    });
  const key = keyOf(becomes.text);
  if (!statementsIn(content).some((found) => found.key === key))
    throw new HallError("file_invalid", `'${path}' has a code block or comment that does not end.`, { file: path });
}
