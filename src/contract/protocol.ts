import type { Activity } from "./activity.ts";
import type { ModelWait } from "./budget.ts";
import type { Fingerprints } from "./fingerprint.ts";
import type { RecordedEnd } from "./journal.ts";
import type { Message, ModelAnswer, ModelFailureKind, ModelSettings, ToolSpec } from "./model-call.ts";
import type { RunContext } from "./run.ts";
import type { SessionMessage, TurnOutcome } from "./session.ts";
import type { FetchRules } from "./web.ts";

/**
 * What a project's process is ordered to do. Whatever either side says about it carries the id of the order; what is said
 * of an order that the daemon has taken from the process does not count.
 */
export type Order =
  /** `messages`: everything that was said to the run so far; what its journal has already is not said again. */
  | {
      kind: "run";
      id: string;
      runId: string;
      epoch: number;
      journal: string;
      messages: { id: string; text: string }[];
      /** The call at which it was parked: neither it nor those behind it were carried out. */
      parkedAt?: string | undefined;
      /** A `reflect` order may follow when it has completed its task. */
      mayReflect?: true | undefined;
      /** Where this run works, if not in the project's working folder. */
      workdir?: string | undefined;
    }
  /** Open the project's agent, for what is posted to it. */
  | { kind: "session"; id: string }
  /** Look back on the run of that order, which has ended as worth it. */
  | { kind: "reflect"; id: string; on: string; tokens: number };

export type OrderOf<Kind extends Order["kind"]> = Extract<Order, { kind: Kind }>;

/**
 * What the daemon and a project's process say to each other. Neither side ever sends a key. Histories do not travel: a
 * model request names how many messages the daemon already has and brings only the new ones.
 */
export type ToProcess =
  /** `envFiles`: what the project names as its env files; the process reads them itself, to hide what they hold. */
  | {
      type: "init";
      projectPath: string;
      workdir: string;
      toolSlots: number;
      web: FetchRules;
      envFiles: string[];
      /** Of the daemon's own secrets: the process hides them where it meets them, and cannot tell what they are. */
      fingerprints: Fingerprints;
    }
  | { type: "order"; order: Order }
  | { type: "cancel"; orderId: string; reason: string }
  /** Stop working on it and leave it as it is: another process has it. */
  | { type: "let_go"; orderId: string }
  | { type: "message"; orderId: string; id: string; text: string }
  | { type: "llm_response"; requestId: string; answer: ModelAnswer }
  /** A try failed, and there will be another. */
  | { type: "llm_retry"; requestId: string; reason: string }
  /** The request may not be sent for now; without a wait, it may. */
  | { type: "llm_wait"; requestId: string; wait?: ModelWait | undefined }
  | { type: "llm_error"; requestId: string; kind: ModelFailureKind | "resync"; message: string }
  | { type: "reply"; requestId: string; ok: true; value: unknown }
  | { type: "reply"; requestId: string; ok: false; message: string }
  /** Something was said to the project's agent. Saying it again does no harm. */
  | { type: "post"; message: SessionMessage }
  /** End the answer that the project's agent is at. */
  | { type: "stop_answer"; messageId: string; reason: string }
  | { type: "ping" }
  /** There is nothing to do for now: memory that is only kept for speed may go. */
  | { type: "rest" }
  | { type: "shutdown" };

export type FromProcess =
  | { type: "ready"; pid: number }
  | {
      type: "llm_request";
      requestId: string;
      orderId: string;
      settings: ModelSettings;
      /** Sent with the first request of a conversation, and again after a resync. */
      opening?: { system: string; tools: ToolSpec[] } | undefined;
      /** How many messages the daemon should have already. */
      known: number;
      messages: Message[];
      /** Not part of the conversation: neither kept nor shown. */
      aside?: true | undefined;
    }
  | { type: "llm_cancel"; requestId: string }
  /** What an agent is doing, for those who watch; lost without harm. */
  | { type: "activity"; orderId: string; activity: Activity; turn: number; context?: RunContext | undefined }
  /** What a command of an agent says, for those who watch; lost without harm. */
  | { type: "output"; orderId: string; callId: string; text: string }
  /** What the project's agent does for a message, for those who watch; lost without harm. */
  | { type: "answering"; orderId: string; messageId: string; activity: Activity }
  /** The project's agent has dealt with a message, and its session says so. */
  | {
      type: "answered";
      orderId: string;
      messageId: string;
      outcome: TurnOutcome;
      text: string;
      error?: string | undefined;
    }
  /**
   * What the hall is asked, by name; answered with a reply. Without an order it is the process itself that asks. Asking
   * twice with one call id changes nothing more.
   */
  | {
      type: "ask_hall";
      requestId: string;
      orderId?: string | undefined;
      /** The message that the project's own agent answers. */
      messageId?: string | undefined;
      callId?: string | undefined;
      what: string;
      input: unknown;
    }
  /** `worthReflection`: it may be ordered to look back on the run. */
  | { type: "ended"; orderId: string; end: RecordedEnd; worthReflection?: true | undefined }
  /** It has looked back on a run; what of it was written to the memory. */
  | {
      type: "reflected";
      orderId: string;
      rounds: number;
      wrote: string[];
      error?: string | undefined;
    }
  /** The run's journal cannot be written for now; without a wait, it can again. */
  | { type: "disk_wait"; orderId: string; wait?: ModelWait | undefined }
  /** The run could not go on here and now; its journal stands where it stands. `isStorage`: the disk did not let it. */
  | { type: "stumbled"; orderId: string; reason: string; isStorage: boolean }
  /** Whether a message will reach the model; not when the run had just come to its end. */
  | { type: "heard"; orderId: string; id: string; ok: boolean }
  | { type: "pong" }
  | { type: "shutdown-complete" };
