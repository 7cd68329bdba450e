import type { ModelWait } from "../contract/documents/budget.ts";
import type { Activity } from "../contract/runs/activity.ts";
import type { Remark } from "../contract/runs/guarding.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { Message, ModelAnswer, ModelSettings, ToolSpec } from "../contract/runs/model-call.ts";
import type { SessionMessage } from "../contract/runs/session.ts";
import type { Clock } from "../store/ids.ts";
import type { CallGuard } from "./call-guard.ts";
import type { TurnEnd } from "./session-tail.ts";
import type { IsShown } from "./session-talk.ts";
import type { Tool } from "./tool.ts";

/** What an agent has for the answer to one message. */
export interface Brief {
  system: string;
  settings: ModelSettings;
  contextWindow: number;
  /** How often the model may be asked. */
  turns: number;
  tools: Tool[];
}

export interface ResidentQuestion {
  system: string;
  settings: ModelSettings;
  messages: Message[];
  tools: ToolSpec[];
  /** Beside the conversation: it leaves no trace there. */
  aside?: boolean | undefined;
  /** Another number than in the last question: the messages are not those of then with more behind them. */
  history: number;
  signal: AbortSignal;
  onWait: (wait: ModelWait | undefined) => void;
  onRetry: (reason: string) => void;
}

/** What is known when a turn is about to end. */
export interface EndingTurn {
  message: SessionMessage;
  /** What it would answer. */
  output: string;
  /** How often it was asked in this turn. */
  round: number;
  /** The end of the turn before; of the first one, when its message was sent. */
  since: string;
}

/** Asks about calls of one answer. Each call's id is its own in the whole session. */
export type TurnGuard = Pick<CallGuard, "guards" | "permit" | "called">;

export interface ResidentPorts {
  /** For refusals: "the project agent". */
  who: string;
  /** Asked for before each message. When it rejects, the answer fails with its reason. */
  brief(message: SessionMessage): Promise<Brief>;
  /** Which earlier turns the model is told of while it answers a message; undefined: all of them. Must be pure. */
  shownTo?: ((message: SessionMessage) => IsShown | undefined) | undefined;
  /** Rejects with ModelFailure only. */
  ask(question: ResidentQuestion): Promise<ModelAnswer>;
  withToolSlot<Result>(work: () => Promise<Result>): Promise<Result>;
  /** An entry without secrets: so it is taken down, and so the model is told of it. */
  redact(entry: JournalEntry): JournalEntry;
  onActivity(activity: Activity, turn: number): void;
  /** Who is asked about the calls of an answer. */
  guardOf(message: SessionMessage): TurnGuard;
  /** Whether a message brings a result that has to be dealt with. */
  bringsResult?: ((message: SessionMessage) => boolean) | undefined;
  /** Before a turn ends that brought a result, or in which something was changed. What it answers, the agent is told, and it continues. */
  onEnding?: ((turn: EndingTurn) => Promise<Remark>) | undefined;
  /**
   * A message was dealt with, and that is on disk; a quiet one as soon as it is taken down, with no text. It is called
   * again, also after a restart, for a message that is delivered again: whoever implements it goes by the message's id.
   */
  onAnswered(message: SessionMessage, end: TurnEnd): Promise<void>;
  /** The session cannot be written any more. The resident does nothing from now on; open the session again. */
  onTrouble(error: unknown): void;
  clock: Clock;
  /** How long what is under way may take when the resident leaves. */
  leaveMs?: { model: number; tool: number } | undefined;
}
