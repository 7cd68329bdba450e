import type { Activity } from "../contract/runs/activity.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { Message, ModelAnswer, ToolSpec } from "../contract/runs/model-call.ts";
import type { RunLimits } from "../contract/runs/run.ts";
import type { LineUse } from "../store/logs/log.ts";
import type { CallGuard } from "./call-guard.ts";
import type { Tool } from "./tool.ts";
import type { Transcript } from "./transcript.ts";

export interface AgentContext {
  /** Whose tools they are, for a refusal: "role 'coder'", "the project agent". */
  who: string;
  /** What the limits are of, as the agent and people are told: "The run", "The answer". */
  what: string;
  /** Somebody waits for its last words: they are told, also where hooks refused every call. */
  isAnswer?: boolean | undefined;
  model: string;
  limits: Pick<RunLimits, "turns" | "tokens" | "repeats" | "toolCalls">;
  contextWindow: number;
  /** What was said so far; the agent goes on from there. */
  transcript: Transcript;
  /** The open call at which it was left to wait: neither it nor those behind it were carried out. */
  parkedAt?: string | undefined;
}

export interface AgentPorts {
  /** Rejects with ModelFailure only. `aside`: not a part of the conversation. */
  ask(request: { messages: Message[]; tools: ToolSpec[]; aside?: boolean }): Promise<ModelAnswer>;
  tools: Tool[];
  /** Takes an entry down; the promise resolves when it is on disk, which takes longer where nobody waits for it. */
  journal(entry: JournalEntry, use?: LineUse): Promise<void>;
  /** Runs a tool when there is a place for it. */
  withToolSlot<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Absent: nothing is asked before calls. */
  guard?: CallGuard | undefined;
  /** Messages that came since the last time. */
  takeMessages(): Extract<JournalEntry, { type: "message" }>[];
  /** With whatever it holds: `shownActivity` makes it fit to be seen. */
  onActivity(activity: Activity, turn: number): void;
  /** Rejects when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** An entry without secrets: so it is taken down, and so the model is told of it. */
  redact(entry: JournalEntry): JournalEntry;
  signal: AbortSignal;
  clock: () => Date;
  /** Milliseconds of a clock that never jumps. */
  uptime: () => number;
}

/** An agent at work. */
export interface Work extends AgentContext {
  ports: AgentPorts;
  /** Whether the answer was cut off, so that its last call may be half a one. */
  isCut?: boolean;
  /** Resolves when it is on disk. */
  take(entry: JournalEntry, use?: LineUse): Promise<void>;
}
