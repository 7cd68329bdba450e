import type { CriterionReport } from "../contract/runs/criterion-report.ts";
import type { Remark } from "../contract/runs/guarding.ts";
import { Attachment } from "../workspace/attachments.ts";
import type { LeadTurn } from "./leading.ts";

/** A project's agent is about to end a turn in which it did something. */
export interface IdleTurn {
  projectId: string;
  messageId: string;
  output: string;
  /** How often it was asked in this turn. */
  round: number;
  /** The end of its turn before. */
  since: string;
  /** Whether a person or an agent waits for its answer. */
  isAwaited: boolean;
  /** Whether it sent the main agent or the person a message in this turn. */
  hasTold: boolean;
  /** Where the turn is about an initiative. */
  lead?: LeadTurn | undefined;
}

/** An agent or a client is about to complete a task. */
export interface Completing {
  projectId: string;
  taskId: string;
  summary: string;
  criteria: readonly CriterionReport[];
}

/** A project is about to be suspended or completed; `idle`: because nothing happened in it. */
export interface Shutdown {
  projectId: string;
  reason: "idle" | "suspended" | "completed";
}

/** What speaks against it. `isReminder`: built-in checks found something open; otherwise a hook refuses it. */
export interface Objection {
  text: string;
  isReminder: boolean;
}

/** Moments at which hooks have a say, and agents are told what they forgot. */
export interface Moments {
  idle(turn: IdleTurn): Promise<Remark>;
  /** Why the task is not completed; undefined: it is. Durable when it resolves: what is missing is said once. */
  completing(asked: Completing): Promise<string | undefined>;
  /** Undefined: nothing speaks against it. Of an idle project, durable when it resolves: what is open is said once. */
  shutdown(asked: Shutdown): Promise<Objection | undefined>;
}

/** Where the moments are told of. A floor above answers. */
export class HookMoments extends Attachment<Moments> implements Moments {
  idle(turn: IdleTurn): Promise<Remark> {
    return this.part.idle(turn);
  }

  completing(asked: Completing): Promise<string | undefined> {
    return this.part.completing(asked);
  }

  shutdown(asked: Shutdown): Promise<Objection | undefined> {
    return this.part.shutdown(asked);
  }
}
