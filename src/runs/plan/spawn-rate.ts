import type { Clock } from "../../store/ids.ts";

const MINUTE_MS = 60_000;

/** How many agents were started by agents of a project within the last minute. */
export class SpawnRate {
  readonly #clock: Clock;
  readonly #starts = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts the start, if there may be one. */
  mayStart(projectId: string, most: number): boolean {
    const now = this.#clock().getTime();
    // A clock that was set back must not keep anybody waiting.
    const recent = (this.#starts.get(projectId) ?? []).filter((at) => at <= now && now - at < MINUTE_MS);
    const may = recent.length < most;
    this.#starts.set(projectId, may ? [...recent, now] : recent);
    return may;
  }
}
