import type { Problem } from "../../contract/problem.ts";
import { errorText } from "../../contract/words/error-text.ts";
import type { Core } from "../../workspace/core.ts";
import { bookPath, PROJECTS_FOLDER } from "../../workspace/layout.ts";
import { migrateCopiedProject } from "../../workspace/migrations/copied-project.ts";
import type { LoadedBook, RunBook } from "./run-book.ts";

interface Parts {
  core: Core;
  book: Pick<RunBook, "load" | "isOpen">;
}

/** Loads run books. One in a folder that was copied from an older workspace is migrated first, and unused until then. */
export class BookLoading {
  readonly #parts: Parts;
  readonly #notices = new Map<string, Problem>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async load(projectId: string): Promise<LoadedBook> {
    const { core, book } = this.#parts;
    const loaded = book.load(projectId);
    if (!loaded.isOld) return loaded;
    try {
      if (book.isOpen(projectId)) throw new Error("a run of the project is being recorded");
      this.#notices.set(projectId, await migrateCopiedProject(core, projectId));
    } catch (error) {
      this.#notices.set(projectId, unmigrated(projectId, error));
      return { ...loaded, seen: () => undefined };
    }
    return book.load(projectId);
  }

  async loadAll(): Promise<LoadedBook[]> {
    const loaded: LoadedBook[] = [];
    for (const projectId of this.#parts.core.files.folders(PROJECTS_FOLDER)) loaded.push(await this.load(projectId));
    return loaded;
  }

  problems(): Problem[] {
    const { files } = this.#parts.core;
    return [...this.#notices.values()].filter(({ file }) => files.exists(file));
  }
}

function unmigrated(projectId: string, error: unknown): Problem {
  const reason = `the runs of project '${projectId}' have format 1, could not be migrated and are not shown: ${errorText(error)}; restart the daemon to try again`;
  return { file: bookPath(projectId), kind: "format", projectId, severity: "invalid", reason };
}
