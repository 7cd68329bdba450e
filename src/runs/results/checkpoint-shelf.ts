import type { Config } from "../../contract/documents/config.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { ProjectFolders, Refusal } from "../../processes/project-folders.ts";
import { CheckpointStore } from "../../store/snapshots/checkpoint-store.ts";
import type { Core } from "../../workspace/core.ts";
import { projectRoot, STATE_FOLDER } from "../../workspace/layout.ts";

const MIB = 1_024 * 1_024;
const DAY_MS = 86_400_000;
/** Tidying looks at every content that is kept: not before each run. */
const TIDY_EVERY = 10;

/** What the hall itself writes into a project's own folder; no agent can. */
const PROJECTS_OWN = ["PROJECT.md", "PROJECT.json", "TEAM.md", "TASKS", "channel.jsonl", "knowledge", "skills"].concat([
  "workdir.json",
  "runs",
  "session",
  "sessions",
  "events",
  "teams",
  "escalations",
]);
const NOTHING: ReadonlySet<string> = new Set();
const OWN: ReadonlySet<string> = new Set(PROJECTS_OWN);

/** A project's working folder. */
export interface Spot {
  projectId: string;
  /** A real path. */
  workdir: string;
  /** Names at its top that no checkpoint looks at. */
  without: ReadonlySet<string>;
}

interface Parts {
  core: Core;
  config: Config["checkpoints"];
  placeOf: (projectId: string) => Pick<ProjectFolders, "projectPath" | "workdir"> | Refusal;
}

/** Where the checkpoints of each project are, and for how long. */
export class CheckpointShelf {
  readonly #parts: Parts;
  readonly #stores = new Map<string, CheckpointStore>();
  readonly #untidied = new Map<string, number>();
  readonly limits: { longestFile: number; mostFiles: number };

  constructor(parts: Parts) {
    this.#parts = parts;
    this.limits = { longestFile: parts.config.fileMb * MIB, mostFiles: parts.config.files };
  }

  storeOf(projectId: string): CheckpointStore {
    const store =
      this.#stores.get(projectId) ?? new CheckpointStore(`${this.#parts.core.files.root}/${folderOf(projectId)}`);
    this.#stores.set(projectId, store);
    return store;
  }

  /** Undefined while the project has no folder to work in. */
  spotOf(projectId: string): Spot | undefined {
    const where = this.#parts.placeOf(projectId);
    if ("error" in where) return undefined;
    const { workdir } = where;
    return { projectId, workdir, without: this.isOwnFolder(projectId, workdir) ? OWN : NOTHING };
  }

  isOwnFolder(projectId: string, workdir: string): boolean {
    return workdir === `${this.#parts.core.files.root}/${projectRoot(projectId)}`;
  }

  /** Every so often removes what is too old, in the name of whoever has the project's checkpoints to themselves. */
  tidy(projectId: string): void {
    const untidied = (this.#untidied.get(projectId) ?? TIDY_EVERY) + 1;
    this.#untidied.set(projectId, untidied % TIDY_EVERY);
    if (untidied < TIDY_EVERY) return;
    const old = this.#outdated(projectId);
    if (old.length > 0) this.storeOf(projectId).prune(old);
  }

  /** Neither among the last ones nor young, and of no run that is under way or waits for a person's word. */
  #outdated(projectId: string): string[] {
    const { core, config } = this.#parts;
    const oldest = new Date(core.clock().getTime() - config.days * DAY_MS).toISOString();
    const isNeeded = (runId: string) => {
      const run = core.runs.get(runId)?.run;
      return run !== undefined && (!isOver(run) || core.tasks.record(projectId, run.taskId)?.status === "review");
    };
    const records = this.storeOf(projectId).records().slice(0, -config.keep);
    return records.filter(({ at, runId }) => at < oldest && !(runId && isNeeded(runId))).map(({ id }) => id);
  }

  discard(projectId: string): void {
    this.#stores.delete(projectId);
    this.#parts.core.files.discard(folderOf(projectId));
  }
}

function folderOf(projectId: string): string {
  return `${STATE_FOLDER}/checkpoints/${projectId}`;
}
