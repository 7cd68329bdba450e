import type { Run } from "../../contract/runs/run.ts";
import type { Turn } from "./engine.ts";

interface Place extends Turn {
  projectId: string;
  /** Who has begun keeps the turn until it is over. */
  hasBegun: boolean;
}

/** Who has the turn on a folder and who waits for it, to be shown; the engine alone decides. */
export class WritingTurns {
  readonly #places = new Map<string, Place>();
  /** By folder, the runs that have begun. */
  readonly #holders = new Map<string, Set<string>>();

  queued(runId: string, place: Place): void {
    this.#places.set(runId, place);
    if (place.hasBegun) this.begun(runId);
  }

  begun(runId: string): void {
    const place = this.#places.get(runId);
    if (place === undefined) return;
    place.hasBegun = true;
    const holders = this.#holders.get(place.on) ?? new Set();
    this.#holders.set(place.on, holders.add(runId));
  }

  /** Those who wait for the turn that a run has. */
  waitingFor(runId: string): { runId: string; projectId: string }[] {
    const on = this.#places.get(runId)?.on;
    const others = [...this.#places].filter(([, place]) => place.on === on && !place.hasBegun);
    return others.map(([id, { projectId }]) => ({ runId: id, projectId }));
  }

  left(runId: string): void {
    const place = this.#places.get(runId);
    this.#places.delete(runId);
    const holders = place && this.#holders.get(place.on);
    holders?.delete(runId);
    if (holders?.size === 0 && place !== undefined) this.#holders.delete(place.on);
  }

  /** What a run waits for that has not begun; nothing when the turn is free, or its own already. */
  waitOf(runId: string): Pick<Run, "waitingFor" | "waitingForRun" | "activity"> {
    const place = this.#places.get(runId);
    if (place === undefined || place.hasBegun) return {};
    const holder = [...(this.#holders.get(place.on) ?? [])].find((other) => !place.line.includes(other));
    if (holder === undefined) return {};
    const activity = { kind: "waiting" as const, for: "turn" as const, run: holder, folder: place.on };
    return { waitingFor: "turn", waitingForRun: holder, activity };
  }
}
