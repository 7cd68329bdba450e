import type { Asker } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { FollowUps, WaitingCall } from "../../runs/follow-ups.ts";
import { BY_DAEMON } from "../../workspace/core.ts";
import type { Escalations, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { answerText } from "./answer-text.ts";
import type { EscalationChanges } from "./escalation-changes.ts";

interface Parts {
  escalations: Pick<Escalations, "get" | "isUnreadable" | "open" | "undelivered">;
  changes: EscalationChanges;
  followUps: Pick<FollowUps, "bring" | "waiting">;
}

const GONE = "The question was removed without an answer. Nothing was decided; ask again if you need it.";
const change = { actor: BY_DAEMON };

/**
 * Compares what runs wait for with the questions: an edit of a file may have dropped a run from its askers, and a file may be gone
 * that nothing else is known of. Questions that are known end with their files, in the workspace. Doing it again changes nothing.
 */
export class WaitingRuns {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async look(): Promise<void> {
    const { escalations, followUps } = this.#parts;
    const askers = [...escalations.open(), ...escalations.undelivered()].flatMap((escalation) => escalation.askers);
    for (const wait of followUps.waiting()) {
      const { run, callId, escalationId } = wait;
      if (askers.some((asker) => asker.id === run.id && asker.callId === callId)) continue;
      // Until its file is repaired or deleted, nobody knows what came of it.
      if (escalationId !== undefined && escalations.isUnreadable(escalationId)) continue;
      await this.#settle(wait, await this.#find(escalationId));
    }
  }

  async #settle(wait: WaitingCall, escalation: StoredEscalation | undefined): Promise<void> {
    const { changes, followUps } = this.#parts;
    const { run, callId } = wait;
    if (escalation !== undefined && escalation.status !== "resolved") {
      const { id, priority } = escalation;
      await changes.step(id, { type: "join", asker: askerOf(wait), priority, blocksTask: undefined }, change);
      return;
    }
    const text = escalation === undefined ? GONE : answerText(escalation);
    await followUps.bring(run.id, { id: `${run.id}/${callId}`, text, callId }, change);
  }

  async #find(id: string | undefined): Promise<StoredEscalation | undefined> {
    try {
      return id === undefined ? undefined : await this.#parts.escalations.get(id);
    } catch (error) {
      if (error instanceof HallError && error.code === "escalation_not_found") return undefined;
      throw error;
    }
  }
}

function askerOf({ run, callId, since }: WaitingCall): Asker {
  const { id, projectId, taskId } = run;
  return { kind: "run", id, projectId, taskId, callId, waits: true, askedAt: since };
}
