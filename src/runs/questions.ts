import type { ChannelAddress } from "../contract/documents/channel.ts";
import type { Question } from "../contract/documents/escalation.ts";
import type { EscalationOrigin } from "../contract/documents/escalation-status.ts";
import type { Run } from "../contract/runs/run.ts";
import { Attachment } from "../workspace/attachments.ts";

/** Why a run asks, where it is not its agent's own question. */
export type AskedOrigin = Extract<EscalationOrigin, "consensus">;

/** The agent that asks, as the daemon knows it. Asking again with the same call changes nothing. */
export type AskingAgent = { callId: string } & (
  | { kind: "run"; run: Run; origin?: AskedOrigin | undefined }
  | { kind: "project"; projectId: string; initiative?: string | undefined }
  | { kind: "main"; channel: ChannelAddress; projectId?: string | undefined }
);

/** `waits`: the answer comes later, and the call with it. */
export type AskedOutcome = { state: "told"; text: string } | { state: "waits"; id: string };

export interface Asking {
  /** Durable when it resolves. Rejects with HallError when it is refused. */
  ask(question: Question, by: AskingAgent): Promise<AskedOutcome>;
}

/** Where agents ask what they may not decide. A floor above answers. */
export class Questions extends Attachment<Asking> implements Asking {
  ask(question: Question, by: AskingAgent): Promise<AskedOutcome> {
    return this.part.ask(question, by);
  }
}
