import type { RunWait } from "../../contract/documents/budget.ts";
import type { Parked } from "../../contract/runs/waiting.ts";
import type { CallBudget } from "../../models/budget/call-budget.ts";
import type { ProviderPauses } from "../../models/provider-pauses.ts";
import type { Processes } from "../../processes/processes.ts";
import type { Core } from "../../workspace/core.ts";
import type { LiveRuns } from "../record/live-runs.ts";
import type { RunProgress } from "../record/run-progress.ts";
import type { Waits } from "./waits.ts";

const LOOK_MS = 1_000;
/** Most waits are over sooner; starting a run again costs a process and three lines on disk. */
const PARK_AFTER_MS = 30_000;

interface Parts {
  core: Pick<Core, "clock" | "projects">;
  live: Pick<LiveRuns, "held">;
  progress: Pick<RunProgress, "find">;
  waits: Pick<Waits, "park" | "resume">;
  budget: Pick<CallBudget, "neededBy" | "hasRoom">;
  pauses: Pick<ProviderPauses, "stateOf">;
  processes: Pick<Processes, "closing" | "track">;
  /** How long a model call may wait before its run is parked. */
  parkAfterMs?: number | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/**
 * Parks runs whose model call waits for budget or quota for long, and resumes them when there is room again. It looks once a
 * second, because room also comes from a changed config.yml, a new day or a computer that was asleep.
 */
class ParkedCalls {
  readonly #parts: Parts;
  readonly #parkAfterMs: number;
  /** When a parked run was last resumed to find out whether a provider's pause is over. */
  readonly #triedAt = new Map<string, number>();
  #isLooking = false;
  #notBefore = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#parkAfterMs = parts.parkAfterMs ?? PARK_AFTER_MS;
  }

  async look(): Promise<void> {
    const now = performance.now();
    if (this.#isLooking || now < this.#notBefore) return;
    this.#isLooking = true;
    try {
      await this.#resumeThoseWithRoom();
      await this.#parkThoseThatWait();
    } catch (error) {
      // The book cannot be written, perhaps for long.
      this.#notBefore = now + PARK_AFTER_MS;
      this.#parts.onTrouble("a run that waits could not be parked or resumed", error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #parkThoseThatWait(): Promise<void> {
    const { core, live, waits, processes } = this.#parts;
    const since = core.clock().getTime() - this.#parkAfterMs;
    for (const held of live.held("model")) {
      if (processes.closing.aborted) return;
      if (isLong(held.wait) && held.since.getTime() <= since)
        await waits.park(held.runId, this.#parkedBy(held.runId, held.wait));
    }
  }

  #parkedBy(runId: string, wait: RunWait): Parked {
    const needs = wait.reason === "budget" ? this.#parts.budget.neededBy(runId) : undefined;
    return { ...wait, ...(needs === undefined ? {} : { needs }) };
  }

  async #resumeThoseWithRoom(): Promise<void> {
    const { live, waits, processes } = this.#parts;
    for (const { runId, wait } of live.held("parked")) {
      if (processes.closing.aborted) return;
      if (isLong(wait) && this.#hasRoom(runId)) await waits.resume(runId);
    }
  }

  #hasRoom(runId: string): boolean {
    const { core, progress, budget, pauses } = this.#parts;
    const { run, waiting } = progress.find(runId);
    const { projectId, model } = run;
    if (waiting === undefined || core.projects.status(projectId) !== "active") return false;
    if (waiting.reason === "budget")
      return waiting.needs === undefined || budget.hasRoom({ projectId, runId, model }, waiting.needs);
    const provider = model.slice(0, model.indexOf("/"));
    const state = pauses.stateOf(provider);
    return state === "due" ? this.#mayTry(provider) : state === "open";
  }

  /** One run finds out whether the pause is over; the others would only wait for what comes of it. */
  #mayTry(provider: string): boolean {
    const now = performance.now();
    if (now - (this.#triedAt.get(provider) ?? Number.NEGATIVE_INFINITY) < this.#parkAfterMs) return false;
    this.#triedAt.set(provider, now);
    return true;
  }
}

/** Looks until the processes are to stop. */
export function openParkedCalls(parts: Parts): void {
  const { processes } = parts;
  const parked = new ParkedCalls(parts);
  const looking = setInterval(() => processes.track("", parked.look()), LOOK_MS).unref();
  processes.closing.addEventListener("abort", () => clearInterval(looking), { once: true });
}

/** What a person or another day ends. A network or a disk is mostly back sooner. */
function isLong({ reason }: RunWait): boolean {
  return reason === "budget" || reason === "quota";
}
