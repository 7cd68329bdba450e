import type { ModelWait } from "../contract/documents/budget.ts";
import type { Delta, ModelSettings } from "../contract/runs/model-call.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";
import type { HallQuestions } from "../processes/hall-questions.ts";
import type { Party, Said } from "../processes/party.ts";
import type { ProcessExit } from "../processes/process-exit.ts";
import type { Scheduler } from "./schedule/scheduler.ts";
import type { RunKey, RunWork, SchedulerPorts } from "./schedule/scheduler-ports.ts";

interface Ports {
  scheduler: Pick<Scheduler, "heldUp" | "ending" | "ended" | "stumbled" | "lost">;
  questions: HallQuestions;
  onActivity(
    of: RunKey,
    activity: Pick<Extract<FromProcess, { type: "activity" }>, "activity" | "turn" | "context">,
  ): void;
  onDelta(of: RunKey, delta: Delta): void;
  onWait: SchedulerPorts["onWait"];
  onHeard(heard: { runId: string; id: string; ok: boolean }): void;
  isPatient(runId: string): boolean;
}

/** Takes what processes say of runs to the scheduler, and to those who watch. */
export class RunParty implements Party {
  readonly kind = "run";
  readonly questions: HallQuestions;
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.questions = ports.questions;
  }

  isPatient({ runId }: RunWork): boolean {
    return this.#ports.isPatient(runId);
  }

  /** A run asks the model that was planned for it. */
  settings({ model }: RunWork, asked: ModelSettings): ModelSettings {
    return { ...asked, model };
  }

  onDelta({ lease: { runId, projectId } }: RunWork, delta: Delta): void {
    this.#ports.onDelta({ runId, projectId }, delta);
  }

  onWait(work: RunWork, wait: ModelWait | undefined): void {
    this.#ports.scheduler.heldUp(work, wait);
  }

  lost(works: RunWork[], exit: ProcessExit): Promise<void>[] {
    return this.#ports.scheduler.lost(works, exit);
  }

  hear(work: RunWork, said: Said): void {
    const { scheduler, onActivity, onWait, onHeard } = this.#ports;
    switch (said.type) {
      case "activity":
        onActivity(work.lease, said);
        break;
      case "output":
        this.onDelta(work, { kind: "output", id: said.callId, text: said.text });
        break;
      case "disk_wait":
        onWait(work.lease, "journal", said.wait);
        break;
      case "heard":
        onHeard({ runId: work.runId, id: said.id, ok: said.ok });
        break;
      case "ending":
        scheduler.ending(work, said.end);
        break;
      case "ended":
        scheduler.ended(work, said.end, { worthReflection: said.worthReflection === true });
        break;
      case "stumbled":
        scheduler.stumbled(work, said);
        break;
    }
  }
}
