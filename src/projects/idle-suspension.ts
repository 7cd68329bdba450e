import { setImmediate as nextTurn } from "node:timers/promises";
import { HallError } from "../contract/errors.ts";
import type { Clock } from "../store/ids.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { activeProjects } from "./active-projects.ts";

const DAY_MS = 86_400_000;

export interface IdleSuspensionParts {
  core: Pick<Core, "projects" | "runs">;
  projects: Pick<Hall["projects"], "move">;
  clock: Clock;
  /** 0: never. */
  afterDays: number;
  /** When something last happened in a project, in milliseconds since 1970. */
  lastActivityOf(projectId: string): number;
  /** Somebody said something to its agent, and it is not dealt with. */
  isSpokenTo(projectId: string): boolean;
  /** What keeps it from being suspended now; undefined: nothing. */
  openIn(projectId: string): Promise<string | undefined>;
  /** Says something to a project's agent. The same id again says it once. */
  tell(projectId: string, text: string, id: string): Promise<boolean>;
}

/** Suspends active projects in which nothing happened for days, and says so; never one that has something to do. */
export class IdleSuspension {
  readonly #parts: IdleSuspensionParts;

  constructor(parts: IdleSuspensionParts) {
    this.#parts = parts;
  }

  /** Answers those that it suspended; leaves the rest for another time when it is told to stop. */
  async check(signal?: AbortSignal): Promise<string[]> {
    const { core, afterDays } = this.#parts;
    if (afterDays === 0) return [];
    const suspended: string[] = [];
    for (const id of [...activeProjects(core)]) {
      // Requests come first: with many projects this takes its time.
      await nextTurn();
      if (signal?.aborted) break;
      if (await this.#suspendIdle(id)) suspended.push(id);
    }
    return suspended;
  }

  async #suspendIdle(id: string): Promise<boolean> {
    const { clock, afterDays, lastActivityOf } = this.#parts;
    if (this.#hasWork(id)) return false;
    const last = lastActivityOf(id);
    if (clock().getTime() - last < afterDays * DAY_MS) return false;
    if (await this.#isHeldBack(id, last)) return false;
    const days = `${afterDays} ${afterDays === 1 ? "day" : "days"}`;
    const why = `No activity for ${days}, since ${new Date(last).toISOString().slice(0, 10)}`;
    if (!(await this.#move(id, "suspended", why))) return false;
    // Asked for while it was being suspended: whoever did so found it active, and it must go on.
    if (this.#hasWork(id))
      return !(await this.#move(id, "active", "New work arrived while it was suspended for inactivity"));
    return true;
  }

  /** Its agent is told what is open; what it does about that is activity. */
  async #isHeldBack(id: string, last: number): Promise<boolean> {
    const { openIn, tell } = this.#parts;
    const open = await openIn(id);
    if (open === undefined) return false;
    await tell(id, `This project is about to be suspended for inactivity, but:\n${open}`, `suspending-${id}-${last}`);
    return true;
  }

  #hasWork(id: string): boolean {
    const { runs } = this.#parts.core;
    if (runs.unsettled(id).length > 0 || this.#parts.isSpokenTo(id)) return true;
    return runs.list({ projectId: id, review: true, limit: 1 }).length > 0;
  }

  /** False when somebody moved or removed it meanwhile, or its files cannot be read. */
  async #move(id: string, to: "suspended" | "active", why: string): Promise<boolean> {
    try {
      await this.#parts.projects.move(id, to, { actor: BY_DAEMON, why });
      return true;
    } catch (error) {
      if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
      return false;
    }
  }
}
