import type { AutonomyLimits, SpecGap } from "../../../contract/documents/teams/team-autonomy.ts";
import type { TeamSpec } from "../../../contract/documents/teams/team-spec.ts";
import type {
  AutonomyMode,
  AutonomyPhase,
  PauseReason,
  ProposalState,
} from "../../../contract/words/teams/autonomy-words.ts";

export interface Proposal {
  number: number;
  runId: string;
  reason: string;
  evidence: SpecGap[];
  spec: TeamSpec;
  diff: string;
  added: string[];
  changed: string[];
  removed: string[];
  state: ProposalState;
  proposedAt: string;
  decidedAt?: string | undefined;
  decidedBy?: string | undefined;
  remarks?: string | undefined;
}

/** How a team works without a person. Each team has its own. */
export interface AutonomyState {
  mode: AutonomyMode;
  limits: AutonomyLimits;
  /** Who switched it on: the plan is approved in their name. */
  by: string;
  phase: AutonomyPhase;
  pauseReason?: PauseReason | undefined;
  /** The newest question that the team was paused for: resumed, it is not paused for it again. */
  pausedFor: number;
  /** Since when time counts; absent while the team is paused. */
  since?: string | undefined;
  /** Counted before that. */
  usedMs: number;
  /** Not looked at by the lead yet. */
  gaps: SpecGap[];
  /** Keys of all gaps there were. */
  gapsSeen: Set<string>;
  proposals: Proposal[];
}
