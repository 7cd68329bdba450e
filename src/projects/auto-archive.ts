import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProjectStatus } from "../contract/documents/project.ts";
import { HallError } from "../contract/errors.ts";
import type { Clock } from "../store/ids.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { projectsWith } from "./active-projects.ts";

const DAY_MS = 86_400_000;

export interface AutoArchiveParts {
  core: Pick<Core, "projects" | "runs">;
  projects: Pick<Hall["projects"], "get" | "move">;
  clock: Clock;
  /** 0: never. */
  afterDays: number;
}

interface Standing {
  status: ProjectStatus;
  completedAt: string | undefined;
  /** Runs at work, or results that wait for a person. */
  hasOpenRuns: boolean;
}

/** Why a project is archived now; undefined: it stays as it is. */
export function archivedWhy({ status, completedAt, hasOpenRuns }: Standing, afterDays: number, now: Date) {
  if (afterDays === 0 || status !== "completed" || completedAt === undefined || hasOpenRuns) return undefined;
  if (now.getTime() - Date.parse(completedAt) < afterDays * DAY_MS) return undefined;
  return `Completed for ${afterDays} ${afterDays === 1 ? "day" : "days"}, since ${completedAt.slice(0, 10)}`;
}

/** Archives projects that have been completed for so many days. Every file stays. */
export class AutoArchive {
  readonly #parts: AutoArchiveParts;

  constructor(parts: AutoArchiveParts) {
    this.#parts = parts;
  }

  /** Answers those that it archived; leaves the rest for another time when it is told to stop. */
  async check(signal?: AbortSignal): Promise<string[]> {
    const { core, afterDays } = this.#parts;
    if (afterDays === 0) return [];
    const archived: string[] = [];
    for (const id of [...projectsWith("completed", core)]) {
      // Requests come first: with many projects this takes its time.
      await nextTurn();
      if (signal?.aborted) break;
      if (await this.#archive(id)) archived.push(id);
    }
    return archived;
  }

  /** False when it is not due, or somebody moved or removed it meanwhile, or its files cannot be read. */
  async #archive(id: string): Promise<boolean> {
    const { core, projects, clock, afterDays } = this.#parts;
    try {
      const { status, completedAt, etag } = projects.get(id);
      const hasOpenRuns =
        core.runs.unsettled(id).length > 0 || core.runs.list({ projectId: id, review: true, limit: 1 }).length > 0;
      const why = archivedWhy({ status, completedAt, hasOpenRuns }, afterDays, clock());
      if (why === undefined) return false;
      await projects.move(id, "archived", { actor: BY_DAEMON, why, ifMatch: etag });
      return true;
    } catch (error) {
      if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
      return false;
    }
  }
}
