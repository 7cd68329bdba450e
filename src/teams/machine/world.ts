import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { EndCause } from "../../contract/runs/end-cause.ts";
import type { HandedIn } from "../../contract/runs/hand-in.ts";
import type { RunStatus } from "../../contract/runs/run.ts";
import type { UsedRoleSpec } from "./team-facts.ts";

/** What is known of a run. */
export interface SeenRun {
  status: RunStatus;
  /** Whom it asks now. */
  model?: string | undefined;
  cause?: EndCause | undefined;
  error?: string | undefined;
  delivery?: Delivery | undefined;
  /** The offline model only looked around. */
  isRehearsal?: boolean | undefined;
  handIn?: HandedIn | undefined;
  /** The run that continues its result. */
  next?: string | undefined;
}

/** How a person answered a question of the team: a label's code, or words. */
export interface Answer {
  answer: "approve" | "reject" | "retry" | "leave-out" | "stop" | "none";
  remarks: string;
  by: string;
}

/** What a stage found that compares work with its requirements. */
export interface SpecFinding {
  stage: "spec_compliance" | "traceability";
  text: string;
  requirements: string[];
}

/** What a team's machine sees of everything else. Asked as seldom as possible: only what the state has open. */
export interface World {
  run(id: string): SeenRun | undefined;
  /** Tasks of the board that changed since they were last asked about. Those that someone works on are asked about anyway. */
  touched: ReadonlySet<string> | "all";
  /** The status of a task on the board; undefined where it is gone. */
  task(id: string): TaskStatus | undefined;
  check(id: string): Pick<IntegrationCheck, "state" | "verdict" | "reason" | "steps" | "breakers"> | undefined;
  /** The role-spec that a task is done by now; undefined where there is none. */
  roleSpec(key: string): UsedRoleSpec | undefined;
  /** The answer to a question, once there is one. */
  answer(number: number): Answer | undefined;
  isActive: boolean;
  /** Whether worktrees of the project are set up by commands. */
  needsSetup: boolean;
  spentUsd: number;
  /** A call of the team was refused because of its budget as it is now. */
  isCapReached: boolean;
  now: string;
  /** When the daemon started. */
  upSince: string;
  /** Why stages of a gate failed that compare work with its requirements. */
  specFindings(gateId: string): readonly SpecFinding[];
  settings: {
    maxWriters: number;
    maxRounds: number;
    autoEscalationThreshold: number;
    /** Of the rank that takes over where others failed; undefined where none can be asked. */
    escalationModel?: string | undefined;
    /** For domains that always get the best. */
    topModel?: string | undefined;
  };
  /** New ids for runs, in order. */
  nextRunId(): string;
}
