import type { Statement } from "../../contract/documents/knowledge.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { pagePath, topicsOf } from "../../workspace/knowledge/knowledge-pages.ts";
import { type AnswerRecord, recordOfStatement } from "./answer-records.ts";

/** Parts of the workspace that statements are read from. */
export interface StatementParts {
  core: { files: Pick<Core["files"], "stamp">; projects: Pick<Core["projects"], "get" | "status"> };
  knowledge: Pick<Hall["knowledge"], "list">;
}

interface Place {
  /** As the files were when they were read. */
  stamps: string;
  keys: Set<string>;
}

const MOST_STATEMENTS = 20_000;

/** What a person or the daemon wrote as knowledge. Agents' own conclusions are not among it until a person accepts them. */
export class AcceptedStatements {
  readonly #parts: StatementParts;
  readonly #places = new Map<string | undefined, Place>();

  constructor(parts: StatementParts) {
    this.#parts = parts;
  }

  /** Reads the pages of a project, or of the hall, again where they changed, and says what is new and what is gone. */
  refresh(projectId: string | undefined): { put: AnswerRecord[]; gone: string[] } {
    const stamps = this.#stampsOf(projectId);
    const known = this.#places.get(projectId);
    if (known?.stamps === stamps) return { put: [], gone: [] };
    const records = this.#read(projectId).map(recordOfStatement);
    const keys = new Set(records.map(({ key }) => key));
    this.#places.set(projectId, { stamps, keys });
    return { put: records, gone: [...(known?.keys ?? [])].filter((key) => !keys.has(key)) };
  }

  #read(projectId: string | undefined): Statement[] {
    if (projectId !== undefined && this.#parts.core.projects.status(projectId) === undefined) return [];
    const scope = projectId === undefined ? "hall" : "project";
    return this.#parts.knowledge.list({ project: projectId, scope, status: "accepted", limit: MOST_STATEMENTS })
      .statements;
  }

  #stampsOf(projectId: string | undefined): string {
    const { files, projects } = this.#parts.core;
    const stamps = topicsOf(projectId).map((topic) => {
      const stamp = files.stamp(pagePath(projectId, topic));
      return stamp === undefined ? "-" : `${stamp.mtime} ${stamp.size} ${stamp.inode}`;
    });
    return `${projectId === undefined ? "" : projects.status(projectId)} ${stamps.join("|")}`;
  }
}
