import type { Guards } from "../contract/runs/guarding.ts";
import type { ToProcess } from "../contract/runs/protocol.ts";
import type { Said } from "../processes/party.ts";
import type { Processes } from "../processes/processes.ts";

/** Every process has one session at most. */
const SESSION_ORDER = "session";

/** What a process says of the project's agent. */
export type Talked = Extract<Said, { type: "answering" | "answered" }>;

/** The agents of projects, in their processes. */
export class Sessions {
  readonly #processes: Processes;

  constructor(processes: Processes) {
    this.#processes = processes;
  }

  /**
   * Wakes the project's process for its agent and keeps it awake until `rest`. Resolves when it can be spoken to; a text
   * says why there is none.
   */
  async talk(projectId: string): Promise<{ send: (message: ToProcess) => void } | string> {
    const processes = this.#processes;
    await processes.calm(projectId);
    // Two processes would write the same session.
    const left = () => processes.left(projectId, SESSION_ORDER);
    for (let leaving = left(); leaving !== undefined; leaving = left()) await leaving;
    if (processes.closing.aborted) return "Guildhall is stopping.";
    const place = processes.wake(projectId);
    if (place instanceof Error) return place.message;
    if ("error" in place) return place.error;
    const known = place.works.get(SESSION_ORDER);
    place.take(known ?? { id: SESSION_ORDER, kind: "session", place, isBusy: true });
    await place.process.ready();
    if (known === undefined) place.send({ type: "order", order: { kind: "session", id: SESSION_ORDER } });
    return { send: (message) => place.send(message) };
  }

  /** The project's agent has nothing to do for now, and what it did shows that its process works. */
  rest(projectId: string): void {
    this.#processes.proven(projectId);
    const work = this.#processes.find(projectId, SESSION_ORDER);
    if (work !== undefined) this.#processes.rest(work);
  }

  /** Tells the project's agent what the hall is asked about from now on. */
  guard(projectId: string, guards: Guards): void {
    this.tell(projectId, { type: "guards", orderId: SESSION_ORDER, guards });
  }

  /** Says something to the project's agent, if it is awake. */
  tell(projectId: string, message: ToProcess): void {
    this.#processes.find(projectId, SESSION_ORDER)?.place.send(message);
  }
}
