import type { ModelWait } from "../contract/documents/budget.ts";
import type { Delta, ModelSettings } from "../contract/runs/model-call.ts";
import type { ProcessCrash } from "../processes/crash-reports.ts";
import type { HallQuestions } from "../processes/hall-questions.ts";
import type { Party, Said } from "../processes/party.ts";
import type { Work } from "../processes/place.ts";
import type { HallDesk } from "./hall-desk.ts";
import type { HallVoice } from "./hall-voice.ts";
import type { ProjectAgents } from "./project-agents.ts";

interface Parts {
  agents: Pick<ProjectAgents, "hear" | "hearDelta" | "hearWait" | "gone">;
  desk: Pick<HallDesk, "questions" | "settingsFor" | "gone">;
  voice: Pick<HallVoice, "tellCrash">;
}

/** Takes what processes say of the projects' agents to where they are known. */
export class SessionParty implements Party {
  readonly kind = "session";
  readonly isPatient = () => true;
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
    this.#parts.desk.gone(projectId);
    this.#parts.agents.gone(projectId);
  }
}
