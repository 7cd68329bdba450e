import type { AnswerSource, Asker } from "../../contract/documents/escalation.ts";
import type { AnswerScope } from "../../contract/documents/escalation-status.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";

/** Which asker of an escalation is meant. */
export type AskerKey = Pick<Asker, "kind" | "id" | "callId">;

interface Given {
  resolution?: string | undefined;
  /** The label of a suggested answer. */
  answer?: string | undefined;
}

/** A reviewer that had it, and why it sent it on. */
export interface Passed {
  by: string;
  reason: string;
}

/** What can happen to an escalation. `by`: who did it, as its history names them. */
export type EscalationEvent =
  | { type: "join"; asker: Asker; blocksTask?: string | undefined; priority: EscalationFields["priority"] }
  /** To the person, at once. */
  | { type: "promote"; by: string; reason?: string | undefined; passed?: Passed[] | undefined }
  /** A reviewer had it and sends it on. */
  | ({ type: "pass" } & Passed)
  | ({
      type: "resolve";
      /** Chooses the answer that has this code, whatever its label says; `answer` is for questions without codes. */
      code?: string | undefined;
      scope?: AnswerScope | undefined;
      replaces?: string[] | undefined;
      ruleId?: string | undefined;
    } & Given)
  /** By an agent, from recorded facts. `given`: the ids of those that it was shown. */
  | ({ type: "resolve-sourced"; by: string; sources: AnswerSource[]; given: readonly string[] } & Given)
  /** By an agent that the person handed it to: it gives a reason in place of sources. */
  | ({ type: "resolve-handed"; by: string; reason: string } & Given)
  /** A request for permission whose call is allowed by what the person answered to another one. */
  | { type: "cover"; answer: string; reason: string }
  | { type: "dismiss"; reason: string }
  /** An asker is gone. With the last one, the question is withdrawn. */
  | { type: "leave"; asker: AskerKey; reason: string }
  | { type: "withdraw"; reason: string }
  | { type: "expire" }
  | { type: "undo"; undoMs: number }
  | { type: "snooze"; until: string | null }
  /** The run that takes the answer, for an asker whose own run is over. Recorded before it starts, so that it starts once. */
  | { type: "follow-up"; asker: AskerKey; runId: string }
  | { type: "deliver"; asker: AskerKey }
  /** The run that had the answer as a message ended before its model was sent it. */
  | { type: "unheard"; asker: AskerKey };

/** Why something cannot be done. */
export type Refusal =
  | "resolved"
  | "withdrawn"
  | "not-draft"
  | "not-resolved"
  | "too-many-askers"
  | "unknown-answer"
  | "empty"
  | "unsourced"
  | "person-only"
  | "past"
  | "no-default"
  | "not-yet"
  | "too-late"
  | "acted-on"
  | "unknown-asker";

/** `fields` undefined: it was so already. */
export type Step = { ok: true; fields: EscalationFields | undefined } | { ok: false; refused: Refusal };
