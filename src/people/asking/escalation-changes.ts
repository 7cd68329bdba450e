import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { EscalationChange, Escalations, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Together } from "../../workspace/together.ts";
import type { EscalationEvent } from "../rules/escalation-events.ts";
import { escalationStep } from "../rules/escalation-steps.ts";
import { refusalError } from "../rules/refusals.ts";

const EVENT_OF: Record<EscalationEvent["type"], EscalationChange["type"]> = {
  join: "escalation.joined",
  promote: "escalation.promoted",
  pass: "escalation.updated",
  resolve: "escalation.resolved",
  "resolve-sourced": "escalation.resolved",
  "resolve-handed": "escalation.resolved",
  cover: "escalation.resolved",
  dismiss: "escalation.resolved",
  withdraw: "escalation.resolved",
  expire: "escalation.resolved",
  leave: "escalation.updated",
  undo: "escalation.reopened",
  snooze: "escalation.updated",
  "follow-up": "escalation.updated",
  deliver: "escalation.delivered",
  unheard: "escalation.updated",
};

/** Carries out what the rules decide about an escalation, one change at a time. */
export class EscalationChanges {
  readonly #escalations: Pick<Escalations, "change">;
  readonly #clock: Core["clock"];

  constructor(escalations: Pick<Escalations, "change">, clock: Core["clock"]) {
    this.#escalations = escalations;
    this.#clock = clock;
  }

  /** Durable when it resolves. Throws what a person or an agent can read when it is refused. */
  step(
    id: string,
    event: EscalationEvent,
    change: Change = { actor: BY_DAEMON },
    together?: Together,
  ): Promise<StoredEscalation> {
    const what: EscalationChange = { type: EVENT_OF[event.type], ...(together === undefined ? {} : { together }) };
    const edit = (current: StoredEscalation) => {
      const step = escalationStep(current, event, this.#clock());
      if (!step.ok) throw refusalError(step.refused, id, current);
      // The last asker that leaves ends it.
      if (event.type === "leave" && step.fields?.status === "resolved") what.type = "escalation.resolved";
      return step.fields;
    };
    return this.#escalations.change(id, edit, what, change);
  }
}
