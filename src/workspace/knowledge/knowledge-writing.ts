import type { Topic } from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import type { Put } from "../../store/changes/change.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Change } from "../change.ts";
import { byChange, type Core, commit } from "../core.ts";
import { placeOf, projectRoot } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
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

/** Changes one statement of a page and leaves every other byte as it is. */
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

  /** Called while the page is had alone. A page that would stay the same is not written. */
  async write(edit: PageEdit, change: Change): Promise<void> {
    const { files } = this.#core;
    const { projectId, topic } = edit;
    const path = pagePath(projectId, topic);
    const within = projectId === undefined ? "." : projectRoot(projectId);
    const stamp = files.stamp(path);
    const before = stamp === undefined ? undefined : files.readContained(path, within);
    const page = before === undefined ? `# ${topic.charAt(0).toUpperCase()}${topic.slice(1)}\n` : decodeText(before);
    if (page === undefined) throw new HallError("file_invalid", `'${path}' is not UTF-8 text.`, { file: path });
    const content = edited(page, edit);
    if (content === page) return;
    assertFits(path, content, edit);
    await this.#save(changedFile(path, content, before, within), change);
  }

  async #save(write: Put, change: Change): Promise<void> {
    const { path, content } = write;
    const place = placeOf(path);
    if (place?.kind !== "document") throw new Error(`${path} is not a knowledge page`);
    const draft = {
      ...byChange(change),
      type: "document.written" as const,
      ...(place.projectId === undefined ? {} : { projectId: place.projectId }),
      subject: { kind: "document" as const, id: place.id },
      file: path,
      etag: etagOf(content),
      after: { size: Buffer.byteLength(content) },
    };
    await commit(this.#core, draft, () => this.#sync.load(path), [write]);
  }
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
