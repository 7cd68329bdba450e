import { HallError } from "../contract/errors.ts";
import type { Problem } from "../contract/problem.ts";
import { hint, toldHint } from "../contract/words/hint.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { projectRoot } from "../workspace/layout.ts";

export interface ProcessCrash {
  projectId: string;
  cause: string;
  /** The runs it had. */
  runs: string[];
  /** How often that has happened lately. */
  crashes: number;
  tooMany: boolean;
}

/** Tells of every death of a project's process once, and suspends a project whose process dies again and again. */
export class CrashReports {
  readonly #core: Core;
  readonly #hall: Hall;
  readonly #suspended = new Map<string, string>();

  constructor(core: Core, hall: Hall) {
    this.#core = core;
    this.#hall = hall;
  }

  async crashed({ projectId, cause, runs, crashes, tooMany }: ProcessCrash): Promise<void> {
    const about = { projectId, subject: { kind: "project" as const, id: projectId } };
    const after = { cause, runs, crashes };
    await commit(this.#core, { type: "project.crashed", actor: BY_DAEMON, ...about, after }, () => undefined);
    if (!tooMany) return;
    const why = `Its process crashed ${crashes} times within a minute. Last cause: ${cause}`;
    try {
      await this.#hall.projects.move(projectId, "suspended", { actor: BY_DAEMON, why });
      this.#suspended.set(projectId, why);
    } catch (error) {
      // Someone closed, suspended or removed it in the meantime.
      if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
    }
  }

  /** Until it is resumed. */
  problems(): Problem[] {
    const { projects } = this.#core;
    for (const id of [...this.#suspended.keys()]) if (projects.status(id) !== "suspended") this.#suspended.delete(id);
    return [...this.#suspended].map(([id, why]) => ({
      file: `${projectRoot(id)}/PROJECT.json`,
      kind: "project",
      projectId: id,
      id,
      severity: "warning",
      reason: `was suspended. ${why}`,
      ...toldHint(hint("project-resume", { project: id })),
    }));
  }
}
