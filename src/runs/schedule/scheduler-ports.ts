import type { ModelWait } from "../../contract/documents/budget.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { WorktreeOutfit } from "../../contract/documents/worktree.ts";
import type { Guards } from "../../contract/runs/guarding.ts";
import type { RecordedEnd, RunEnd } from "../../contract/runs/journal.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import type { Place, Work } from "../../processes/place.ts";
import type { Processes } from "../../processes/processes.ts";
import type { Refusal } from "../../processes/project-folders.ts";
import type { Reflections } from "../../processes/reflections.ts";
import type { Wait } from "../record/live-runs.ts";
import type { SaidToRun } from "../team-mail.ts";
import type { Engine, Lease } from "./engine.ts";

/** Who starts runs, and can stop one that is at work. */
export interface Stopper {
  /** True when the run is at work and was told; its end follows. False: nobody works on it, and nobody will. */
  cancel(runId: string, reason: string): Promise<boolean>;
  isAtWork(runId: string): boolean;
}

export interface RunKey {
  runId: string;
  projectId: string;
}

/** A run that a process has. */
export interface RunWork extends Work {
  readonly kind: "run";
  readonly runId: string;
  readonly lease: Lease;
  /**
   * `preparing`: its process gets ready for it, and it is not created yet. `starting`: leased, not yet handed over. `cancelling`: its end is on the way, whatever happens to the process.
   * `ending`: it is over and is being settled.
   */
  state: { kind: "preparing" | "starting" | "working" | "ending" } | { kind: "cancelling"; reason: string };
  /** The one that was planned; known from when it is handed over, as is whether it may be looked back on. */
  model: string;
  reflection?: { tokens: number } | undefined;
  /** How many children it waits for, and calls that may not be sent. */
  waitsFor: number;
  /** Its model call may not be sent for now. */
  isHeldUp: boolean;
  /** How often what the hall is asked about had changed when its process got ready for it. */
  guarded?: number;
}

/** The epoch is part of its order's id: what a process says of an older lease is not heard. */
export function workOf(lease: Lease, place: Place): RunWork {
  const { runId, epoch } = lease;
  const order = { id: `${runId}.${epoch}`, kind: "run" as const, place, runId, isBusy: true };
  return { ...order, lease, state: { kind: "starting" }, model: "", waitsFor: 0, isHeldUp: false };
}

/** Whether a run that was taken up may go on; if not, `cancelled` or `refused` says how it still has to end. */
export interface Leased {
  go: boolean;
  cancelled?: string;
  refused?: Refusal;
  /** Where it works, if not where its project does. */
  workdir?: string | undefined;
  /** What its commands have there besides. */
  outfit?: WorktreeOutfit | undefined;
}

/** How a run that was taken up still has to end; undefined when it has not. */
export function endOf({ state }: Pick<RunWork, "state">, { cancelled, refused }: Leased): RunEnd | undefined {
  const reason = state.kind === "cancelling" ? state.reason : cancelled;
  if (reason !== undefined) return { status: "cancelled", cause: "cancelled", error: reason };
  return refused === undefined ? undefined : { status: "failed", ...refused };
}

/** What a process has to know to take a run up. */
export interface RunOrder {
  /** The run's journal, relative to the project's folder. */
  journal: string;
  /** What was said to it so far. */
  messages: SaidToRun[];
  /** The call at which it was parked, when this is its first lease since; it and those behind it were never carried out. */
  parkedAt?: string | undefined;
  /** What the hall is asked about while it works. */
  guards?: Guards | undefined;
  /** The model that was planned for it. */
  model: string;
  /** It may be looked back on. */
  reflection?: { tokens: number } | undefined;
}

/** What a process has to know to get ready for a run that is about to be created. */
export interface NewRunOrder extends Pick<RunOrder, "journal" | "guards" | "model" | "reflection"> {
  plan: RunPlan;
}

/** What the scheduler needs of the house. */
export interface SchedulerPorts {
  engine: Engine;
  limits: Pick<Config["limits"], "runs" | "runsPerProject">;
  processes: Processes;
  reflections: Pick<Reflections, "begin">;
  orderOf(lease: Lease): RunOrder;
  /** What may have come up since a process got ready for the run. */
  newsOf(lease: Lease): Pick<RunOrder, "messages" | "model">;
  guardsOf(lease: Lease): Guards | undefined;
  /** The run was taken up; durable before its agent starts. */
  onLeased(lease: Lease): Promise<Leased>;
  /** The run is over, and its journal is about to be durable: nothing may come of it before `onEnded` follows. */
  onEnding(lease: Lease, end: RecordedEnd): void;
  /** The run is over. Called again for the same run when it failed before. `stopper` stops what it has started. */
  onEnded(lease: Lease, end: RecordedEnd, stopper: Stopper): Promise<void>;
  /** The run's process died, or could not go on with it. Answers how often that has happened to the run. */
  onCrashed(lease: Lease, cause: string): Promise<number>;
  /** The run waits, and who says so; undefined when it goes on. */
  onWait(of: RunKey, by: Wait["by"], wait: ModelWait | undefined): void;
  onTrouble(what: string, error: unknown): void;
}
