import type { Activity } from "./activity.ts";
import type { ModelWait } from "./budget.ts";
import type { Fingerprints } from "./fingerprint.ts";
import type { RecordedEnd } from "./journal.ts";
import type { Message, ModelAnswer, ModelFailureKind, ModelSettings, ToolSpec } from "./model-call.ts";
import type { RunContext } from "./run.ts";
import type { SessionMessage, TurnOutcome } from "./session.ts";
import type { FetchRules } from "./web.ts";

/** Under this name the model calls of the project's agent go, beside those of its runs. */
export const SESSION = "session";

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
  /** `messages`: everything that was said to the run so far; what its journal has already is not said again. */
  | {
      type: "run";
      runId: string;
      epoch: number;
      journal: string;
      messages: { id: string; text: string }[];
      /** It may be looked back on when it has completed its task; `reflected` follows its end then. */
      reflection?: { tokens: number } | undefined;
      /** Where this run works, if not in the project's working folder. */
      workdir?: string | undefined;
    }
  | { type: "cancel"; runId: string; reason: string }
  /** Stop working on the run and leave it as it is: another process has it. */
  | { type: "let_go"; runId: string }
  | { type: "message"; runId: string; id: string; text: string }
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
      runId: string;
      epoch: number;
      settings: ModelSettings;
      /** Sent with the first request of a conversation, and again after a resync. */
      opening?: { system: string; tools: ToolSpec[] } | undefined;
      /** How many messages the daemon should have already. */
      known: number;
      messages: Message[];
      /** Not part of the conversation: neither kept nor shown. */
      aside?: true | undefined;
      /** It looks back on a run that has ended: it is refused where others wait. */
      reflection?: true | undefined;
    }
  | { type: "llm_cancel"; requestId: string }
  /** What an agent is doing, for those who watch; lost without harm. */
  | { type: "activity"; runId: string; activity: Activity; turn: number; context?: RunContext | undefined }
  /** What a command of an agent says, for those who watch; lost without harm. */
  | { type: "output"; runId: string; callId: string; text: string }
  /** Answered when the person is sure to be told; asking twice with one call id tells them once. */
  | { type: "notify"; requestId: string; runId: string; callId: string; epoch: number; text: string }
  | {
      type: "spawn";
      requestId: string;
      runId: string;
      callId: string;
      epoch: number;
      roleId: string;
      title: string;
      description: string;
    }
  /** What the project's agent does for a message, for those who watch; lost without harm. */
  | { type: "answering"; messageId: string; activity: Activity }
  /** The project's agent has dealt with a message, and its session says so. */
  | { type: "answered"; messageId: string; outcome: TurnOutcome; text: string; error?: string | undefined }
  /** Answered with a SearchHit[]. The key of the search is the daemon's. */
  | { type: "web_search"; requestId: string; runId: string; epoch: number; query: string; count: number }
  /**
   * Anything else that the hall is asked, by name; answered with a reply. Of a run, or of the project's own agent where
   * none is named. Asking twice with one call id changes nothing more.
   */
  | {
      type: "ask_hall";
      requestId: string;
      runId?: string | undefined;
      epoch?: number | undefined;
      /** The message that the project's own agent answers. */
      messageId?: string | undefined;
      callId?: string | undefined;
      what: string;
      input: unknown;
    }
  | { type: "ended"; runId: string; epoch: number; end: RecordedEnd }
  /** Nothing more comes of a run that has ended; what of it was written to the memory. */
  | {
      type: "reflected";
      runId: string;
      epoch: number;
      rounds: number;
      wrote: string[];
      error?: string | undefined;
    }
  /** The run's journal cannot be written for now; without a wait, it can again. */
  | { type: "disk_wait"; runId: string; epoch: number; wait?: ModelWait | undefined }
  /** The run could not go on here and now; its journal stands where it stands. `isStorage`: the disk did not let it. */
  | { type: "stumbled"; runId: string; epoch: number; reason: string; isStorage: boolean }
  /** Whether a message will reach the model; not when the run had just come to its end. */
  | { type: "heard"; runId: string; id: string; ok: boolean }
  | { type: "pong" }
  | { type: "shutdown-complete" };
