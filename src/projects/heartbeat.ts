import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../store/ids.ts";
import type { Core } from "../workspace/core.ts";
import { HEARTBEATS_FILE, projectRoot } from "../workspace/layout.ts";
import { activeProjects } from "./active-projects.ts";

const WATCHED = ["TASKS/", "knowledge/"];
const WORDS =
  "Regular check: the board, knowledge or memory of your project changed since the last one. See what moved, what is waiting and what is stuck. Do your part, notify the main agent of what the person should know, and end right away if there is nothing to do.";

interface Beat {
  fingerprint: string;
  messageId: string;
  at: number;
}

export interface HeartbeatParts {
  core: Pick<Core, "files" | "followed" | "projects">;
  clock: Clock;
  /** 0: never. */
  everyMinutes: number;
  /** Says something to a project's agent in the hall's name. The same id again says it once. False: it was not taken. */
  tell(projectId: string, text: string, id: string): Promise<boolean>;
  /** The agent has not dealt with the message yet. */
  isUnread(projectId: string, messageId: string): boolean;
}

/**
 * Asks the agents of active projects to look around, those in whose project something changed since they were last asked.
 * Where nothing did, and while the last word was not heard, nobody is asked and no model is called.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #beats: Map<string, Beat>;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#beats = loadBeats(parts.core);
  }

  /** Answers whom it asked; leaves the rest for another time when it is told to stop. */
  async beat(signal?: AbortSignal): Promise<string[]> {
    const { core, everyMinutes } = this.#parts;
    if (everyMinutes === 0) return [];
    const active = [...activeProjects(core)];
    const asked: string[] = [];
    for (const id of active) {
      // Requests come first: with many projects this takes its time.
      await nextTurn();
      if (signal?.aborted) break;
      if (await this.#ask(id)) asked.push(id);
    }
    if (asked.length > 0) await this.#save(new Set(active));
    return asked;
  }

  async #ask(projectId: string): Promise<boolean> {
    const { core, clock, everyMinutes, tell, isUnread } = this.#parts;
    const last = this.#beats.get(projectId);
    const now = clock().getTime();
    if (last !== undefined && now - last.at < everyMinutes * 60_000) return false;
    if (last !== undefined && isUnread(projectId, last.messageId)) return false;
    const fingerprint = fingerprintOf(core, projectId);
    if (fingerprint === last?.fingerprint) return false;
    // Until it is noted that it was taken, the same words have the same id.
    const messageId = `heartbeat-${fingerprint.slice(0, 16)}-${last?.at ?? 0}`;
    if (!(await tell(projectId, WORDS, messageId))) return false;
    this.#beats.set(projectId, { fingerprint, messageId, at: now });
    return true;
  }

  /** Those of projects that are not active are dropped: when such a one comes back, it is asked anew. */
  async #save(active: ReadonlySet<string>): Promise<void> {
    for (const id of [...this.#beats.keys()]) if (!active.has(id)) this.#beats.delete(id);
    await this.#parts.core.files.replace(HEARTBEATS_FILE, JSON.stringify(Object.fromEntries(this.#beats)));
  }
}

/** What a project's agent would see: its board, its knowledge, and the memory that people edit. */
function fingerprintOf({ files, followed }: HeartbeatParts["core"], projectId: string): string {
  const root = projectRoot(projectId);
  const hash = createHash("sha256");
  for (const { path, etag } of followed.below(root))
    if (WATCHED.some((folder) => path.startsWith(`${root}/${folder}`))) hash.update(`${path}\0${etag}\n`);
  const memory = `${root}/MEMORY.md`;
  if (files.exists(memory)) hash.update(files.read(memory));
  return hash.digest("hex");
}

/** Notes that cannot be read are as good as none: everybody is asked once more. */
function loadBeats({ files }: HeartbeatParts["core"]): Map<string, Beat> {
  if (!files.exists(HEARTBEATS_FILE)) return new Map();
  try {
    const noted = JSON.parse(Buffer.from(files.read(HEARTBEATS_FILE)).toString("utf8")) as Record<string, Beat>;
    return new Map(Object.entries(noted).filter(([, beat]) => typeof beat?.fingerprint === "string"));
  } catch {
    return new Map();
  }
}
