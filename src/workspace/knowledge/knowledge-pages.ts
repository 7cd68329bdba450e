import { createHash } from "node:crypto";
import { HALL_TOPICS, PROJECT_TOPICS, type Statement, type Topic } from "../../contract/documents/knowledge.ts";
import { HallError } from "../../contract/errors.ts";
import { isPassing, isSameStamp, type Stamp } from "../../store/files/regular-file.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import type { Core } from "../core.ts";
import { placeOf, projectRoot } from "../layout.ts";
import { etagOf } from "../tasks/task-file.ts";
import { type RankedPage, termIndexOf } from "./knowledge-rank.ts";
import { type Found, statementsIn } from "./knowledge-text.ts";

/** A statement with the words by which it is known. */
export interface Known extends Statement {
  key: string;
}

export interface KnowledgePage extends RankedPage<Known> {
  file: string;
}

const MOST_KEPT = 4_000;

/** Reads the pages of knowledge, each again when its file has changed. */
export class KnowledgePages {
  readonly #core: Pick<Core, "files">;
  readonly #kept = new Map<string, { stamp: Stamp; page: KnowledgePage }>();

  constructor(core: Pick<Core, "files">) {
    this.#core = core;
  }

  /** All pages of a project, or of the hall. */
  of(projectId: string | undefined): KnowledgePage[] {
    return topicsOf(projectId).map((topic) => this.read(pagePath(projectId, topic)));
  }

  /** One that is not there, or not text, has no statements. */
  read(path: string): KnowledgePage {
    const stamp = this.#core.files.stamp(path);
    const place = pageOf(path);
    if (stamp === undefined || place === undefined) return { file: path, items: [], terms: new Map() };
    const kept = this.#kept.get(path);
    if (kept !== undefined && isSameStamp(kept.stamp, stamp)) return kept.page;
    const text = this.#text(path) ?? "";
    const items = statementsIn(text).map((found) => knownOf(found, { ...place, file: path }));
    const page = { file: path, items, terms: termIndexOf(items) };
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(path, { stamp, page });
    return page;
  }

  #text(path: string): string | undefined {
    try {
      return decodeText(this.#core.files.readContained(path, "."));
    } catch (error) {
      if (isPassing(error) || !(error instanceof HallError)) throw error;
      return undefined;
    }
  }
}

function knownOf(found: Found, place: Pick<Known, "projectId" | "topic" | "file">): Known {
  const { key, text, date, origins, promoted, status, replacedBy, lines, raw } = found;
  return {
    id: statementIdOf(place.topic, key),
    ...place,
    text,
    ...(date === undefined ? {} : { date }),
    origins: [...origins],
    ...(promoted ? { promoted: true } : {}),
    status,
    ...(replacedBy === undefined ? {} : { replacedBy }),
    line: (lines[0] ?? 0) + 1,
    etag: etagOf(raw),
    key,
  };
}

/** Follows from the words alone. */
export function statementIdOf(topic: Topic, key: string): string {
  return `${topic}-${createHash("sha256").update(key).digest("hex").slice(0, 10)}`;
}

export function topicsOf(projectId: string | undefined): readonly Topic[] {
  return projectId === undefined ? HALL_TOPICS : PROJECT_TOPICS;
}

export function pagePath(projectId: string | undefined, topic: Topic): string {
  const folder = projectId === undefined ? "knowledge" : `${projectRoot(projectId)}/knowledge`;
  return `${folder}/${topic}.md`;
}

/** Undefined for other documents, and for pages of other names, which are only searched as a whole. */
function pageOf(path: string): { projectId?: string; topic: Topic } | undefined {
  const place = placeOf(path);
  if (place?.kind !== "document" || place.document !== "knowledge") return undefined;
  const { projectId } = place;
  const topic = topicsOf(projectId).find((one) => pagePath(projectId, one) === path);
  return topic === undefined ? undefined : { ...(projectId === undefined ? {} : { projectId }), topic };
}
