import type { ModelWait } from "../contract/budget.ts";
import type { Config } from "../contract/config.ts";
import type { ChildAnswer } from "../contract/hall-questions.ts";
import type { RecordedEnd, RunEnd } from "../contract/journal.ts";
import type { Delta, ModelSettings } from "../contract/model-call.ts";
import type { FromProcess } from "../contract/protocol.ts";
import type { SearchHit } from "../contract/web.ts";
import type { ModelGate } from "../models/gate.ts";
import type { ProcessCrash } from "../processes/crash-reports.ts";
import type { Asking } from "../processes/hall-questions.ts";
import type { ReflectionPorts } from "../processes/reflections.ts";
import type { Refusal, Whereabouts } from "../processes/whereabouts.ts";
import type { ProcessNotes } from "../store/process-notes.ts";
import type { Engine, Lease } from "./engine.ts";
import type { Wait } from "./live-runs.ts";
import type { Work } from "./place.ts";

/** What a process says of the project's agent. */
export type Talked = Extract<FromProcess, { type: "answering" | "answered" }>;

export interface RunKey {
  runId: string;
  projectId: string;
}

/** Whether a run that was taken up may go on; if not, `cancelled` or `refused` says how it still has to end. */
export interface Leased {
  go: boolean;
  cancelled?: string;
  refused?: Refusal;
  /** Where it works, if not where its project does. */
  workdir?: string | undefined;
}

/** How a run that was taken up still has to end; undefined when it has not. */
export function endOf({ state }: Pick<Work, "state">, { cancelled, refused }: Leased): RunEnd | undefined {
  const reason = state.kind === "cancelling" ? state.reason : cancelled;
  if (reason !== undefined) return { status: "cancelled", cause: "cancelled", error: reason };
  return refused === undefined ? undefined : { status: "failed", ...refused };
}

/** What the scheduler needs of the house. */
export interface SchedulerPorts {
  engine: Engine;
  gate: Pick<ModelGate, "ask">;
  limits: Config["limits"];
  reflections: ReflectionPorts;
  /** How long a process with nothing to do is kept. */
  parkAfterMs: number;
  notes: Pick<ProcessNotes, "add" | "remove">;
  /** The file a project's process runs. */
  entry: string;
  /** Where a project's agents work, or why they cannot. */
  placeOf(projectId: string): Whereabouts | Refusal;
  /** The run's journal, relative to the project's folder, and what was said to it so far. */
  orderOf(runId: string): {
    journal: string;
    messages: { id: string; text: string }[];
    /** It may be looked back on. */
    reflection?: { tokens: number } | undefined;
  };
  /** The run was taken up; durable before its agent starts. */
  onLeased(lease: Lease): Promise<Leased>;
  /** The run is over. Called again for the same run when it failed before. */
  onEnded(lease: Lease, end: RecordedEnd): Promise<void>;
  /** The run's process died, or could not go on with it. Answers how often that has happened to the run. */
  onCrashed(lease: Lease, cause: string): Promise<number>;
  /** A project's process died. Called once for each, after onCrashed of its runs. */
  onProcessCrashed(crash: ProcessCrash): Promise<void>;
  onActivity(
    of: RunKey,
    activity: Pick<Extract<FromProcess, { type: "activity" }>, "activity" | "turn" | "context">,
  ): void;
  onDelta(of: RunKey, delta: Delta): void;
  /** The run waits, and who says so; undefined when it goes on. */
  onWait(of: RunKey, by: Wait["by"], wait: ModelWait | undefined): void;
  /** Durable when it resolves. */
  onNotify(runId: string, note: { callId: string; text: string }): Promise<void>;
  /** What a project's agent says: an answer, what it does, or a question. */
  onTalk(projectId: string, said: Talked): void;
  /** A piece of an answer that the agent of a project is at. */
  onTalkDelta(projectId: string, delta: Delta): void;
  onTalkWait(projectId: string, wait: ModelWait | undefined): void;
  /** The process of a project is gone, whatever for; after onProcessCrashed when it was a crash. */
  onGone(projectId: string): void;
  onHeard(projectId: string, heard: { runId: string; id: string; ok: boolean }): void;
  /** With which settings the agent of a project may ask a model now. Throws when it may not. */
  sessionSettings(projectId: string): ModelSettings;
  /** The model that was planned for a run. */
  modelOf(runId: string): string;
  /** Starts a child run, or finds the one this call started before; then its answer can be waited for. */
  onSpawn(request: Extract<FromProcess, { type: "spawn" }>): Promise<{ answer: Promise<ChildAnswer> }>;
  /** Rejects with a message that an agent may read. */
  onSearch(request: { query: string; count: number }): Promise<SearchHit[]>;
  /** Rejects with a message that an agent may read. */
  onQuestion(question: { what: string; input: unknown }, asking: Asking): Promise<unknown>;
  onTrouble(what: string, error: unknown): void;
}
