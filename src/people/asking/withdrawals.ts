import type { Asker } from "../../contract/documents/escalation.ts";
import type { HallEvent } from "../../contract/event.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Core } from "../../workspace/core.ts";
import type { Escalations, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { EscalationChanges } from "./escalation-changes.ts";

interface Parts {
  core: Pick<Core, "runs" | "tasks" | "projects">;
  escalations: Pick<Escalations, "open">;
  changes: EscalationChanges;
  /** Whether an initiative of the project is there. */
  hasPlan: (projectId: string, slug: string) => boolean;
}

/** Events after which a question may have nobody left who asks it. */
const ENDS: readonly HallEvent["type"][] = [
  "document.removed",
  "run.ended",
  "task.moved",
  "task.removed",
  "project.moved",
  "project.removed",
];

export function mayWithdraw({ type }: HallEvent): boolean {
  return ENDS.includes(type);
}

/** Withdraws questions whose project, plan, task or waiting run is gone. Doing it again changes nothing. */
export class Withdrawals {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of one project, or of all. */
  async look(projectId?: string): Promise<void> {
    const { escalations, changes } = this.#parts;
    for (const escalation of escalations.open()) {
      if (projectId !== undefined && escalation.projectId !== projectId) continue;
      const { id, askers } = escalation;
      const reason = this.#goneWhole(escalation);
      if (reason !== undefined) {
        await changes.step(id, { type: "withdraw", reason });
        continue;
      }
      for (const asker of askers) {
        const why = this.#goneFor(escalation, asker);
        if (why !== undefined) await changes.step(id, { type: "leave", asker, reason: why });
      }
    }
  }

  #goneWhole(escalation: StoredEscalation): string | undefined {
    const { projectId, blocksTask, initiative } = escalation;
    if (projectId === undefined) return undefined;
    const status = this.#parts.core.projects.status(projectId);
    if (status === undefined) return `Project '${projectId}' was removed.`;
    if (status === "archived") return `Project '${projectId}' was archived.`;
    // What a person or a program wrote may name a plan of elsewhere.
    const isOfAgent = escalation.askers.some(({ kind }) => kind !== "person" && kind !== "client");
    if (initiative !== undefined && isOfAgent && !this.#parts.hasPlan(projectId, initiative))
      return `Initiative '${initiative}' was removed.`;
    return blocksTask === null ? undefined : this.#goneTask(projectId, blocksTask);
  }

  #goneFor({ projectId }: StoredEscalation, asker: Asker): string | undefined {
    if (asker.kind !== "run" || projectId === undefined) return undefined;
    const run = this.#parts.core.runs.get(asker.id ?? "")?.run;
    if (run === undefined) return `Run '${asker.id}' is gone.`;
    // One that did not wait may continue its task with the answer later.
    if (asker.waits && isOver(run)) return `Run '${run.id}' was ${run.status === "failed" ? "ended" : "stopped"}.`;
    return asker.taskId === undefined ? undefined : this.#goneTask(projectId, asker.taskId);
  }

  #goneTask(projectId: string, taskId: string): string | undefined {
    const task = this.#parts.core.tasks.record(projectId, taskId);
    if (task === undefined) return `${taskId} was deleted.`;
    return task.status === "cancelled" ? `${taskId} was cancelled.` : undefined;
  }
}
