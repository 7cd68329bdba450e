import type { ModelWait } from "../contract/budget.ts";
import type { Delta, ModelSettings } from "../contract/model-call.ts";
import type { ToProcess } from "../contract/protocol.ts";
import type { ProcessCrash } from "../processes/crash-reports.ts";
import type { HallQuestions } from "../processes/hall-questions.ts";
import type { Party, Said, Work } from "../processes/party.ts";
import type { Processes } from "../processes/processes.ts";
import type { HallDesk } from "./hall-desk.ts";
import type { HallVoice } from "./hall-voice.ts";
import type { ProjectAgents } from "./project-agents.ts";

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
    if (processes.closing.aborted) return "The hall is stopping.";
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

  /** Says something to the project's agent, if it is awake. */
  tell(projectId: string, message: ToProcess): void {
    this.#processes.find(projectId, SESSION_ORDER)?.place.send(message);
  }
}

interface Parts {
  agents: Pick<ProjectAgents, "hear" | "hearDelta" | "hearWait" | "gone">;
  desk: Pick<HallDesk, "questions" | "settingsFor">;
  voice: Pick<HallVoice, "tellCrash">;
}

/** Takes what processes say of the projects' agents to where they are known. */
export class SessionParty implements Party {
  readonly kind = "session";
  readonly isPatient = true;
  readonly questions: HallQuestions;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.questions = parts.desk.questions();
  }

  settings({ place }: Work): ModelSettings {
    return this.#parts.desk.settingsFor(place.projectId);
  }

  onDelta({ place }: Work, delta: Delta): void {
    this.#parts.agents.hearDelta(place.projectId, delta);
  }

  onWait({ place }: Work, wait: ModelWait | undefined): void {
    this.#parts.agents.hearWait(place.projectId, wait);
  }

  hear({ place }: Work, said: Said): void {
    if (said.type === "answering" || said.type === "answered") this.#parts.agents.hear(place.projectId, said);
  }

  /** What was said to it is told to the next process, when this one is gone. */
  lost(): Promise<void>[] {
    return [];
  }

  crashed(crash: ProcessCrash): Promise<void> {
    return this.#parts.voice.tellCrash(crash);
  }

  gone(projectId: string): void {
    this.#parts.agents.gone(projectId);
  }
}
