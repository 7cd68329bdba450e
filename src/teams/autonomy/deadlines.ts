import { hasEnded } from "../../contract/words/teams/team-words.ts";
import { deadlineOf } from "../machine/autonomy/pausing.ts";
import type { TeamState } from "../machine/team-state.ts";

/** Longer ones are set again when they are due. */
const LONGEST_MS = 3_600_000;

/** Has teams looked at when their time is over. */
export class Deadlines {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #look: (id: string) => void;
  readonly #clock: () => Date;
  #isClosed = false;

  constructor(clock: () => Date, look: (id: string) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Whenever a team has nothing to do for now. */
  set(state: TeamState): void {
    const { id } = state.document;
    this.clear(id);
    const due = hasEnded(state.status) || state.status === "paused" ? undefined : deadlineOf(state);
    if (due === undefined || this.#isClosed) return;
    const wait = Math.min(LONGEST_MS, Math.max(1, due - this.#clock().getTime()));
    const timer = setTimeout(() => {
      this.#timers.delete(id);
      this.#look(id);
    }, wait);
    this.#timers.set(id, timer.unref());
  }

  clear(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#timers.keys()]) this.clear(id);
  }
}
