import type { CriterionState, Team, TeamMember, TeamPhase } from "../../../../src/contract/documents/teams/team.ts";
import { CRITERION_WORDS, MEMBER_WORDS, PHASE_WORDS } from "../../../../src/contract/words/teams/team-choices.ts";
import { TEAM_STATUS_WORDS, TEAM_TASK_WORDS } from "../../../../src/contract/words/teams/team-phrases.ts";
import type { TeamStatus, TeamTaskState } from "../../../../src/contract/words/teams/team-words.ts";
import { Badge, type Tone } from "../badge.tsx";

const STATUS_TONES: Record<TeamStatus, Tone> = {
  forming: "info",
  specifying: "info",
  planning: "info",
  "awaiting-approval": "accent",
  working: "info",
  integrating: "info",
  synthesizing: "info",
  delivering: "accent",
  completed: "good",
  failed: "bad",
  stopped: "neutral",
  paused: "warn",
};

/** How a team stands; one that waits for the person says so whatever it is at. */
export function TeamBadge({ team: { status, waitingFor, escalation } }: { team: Team }) {
  if (escalation !== undefined && status !== "awaiting-approval") return <Badge tone="accent">Waiting for you</Badge>;
  const isStuck = waitingFor !== undefined && waitingFor !== "person";
  return <Badge tone={isStuck ? "warn" : STATUS_TONES[status]}>{TEAM_STATUS_WORDS[status]}</Badge>;
}

const TASK_TONES: Record<TeamTaskState, Tone> = {
  waiting: "neutral",
  working: "info",
  review: "accent",
  merged: "good",
  failed: "bad",
  blocked: "warn",
  "left-out": "neutral",
};

export function TeamTaskBadge({ state }: { state: TeamTaskState }) {
  return <Badge tone={TASK_TONES[state]}>{TEAM_TASK_WORDS[state]}</Badge>;
}

const PHASE_TONES: Record<TeamPhase["status"], Tone> = {
  pending: "neutral",
  "in-progress": "info",
  completed: "good",
  blocked: "warn",
};

export function PhaseBadge({ status }: { status: TeamPhase["status"] }) {
  return <Badge tone={PHASE_TONES[status]}>{PHASE_WORDS[status]}</Badge>;
}

const MEMBER_TONES: Record<TeamMember["status"], Tone> = {
  working: "info",
  waiting: "warn",
  idle: "neutral",
  stopped: "neutral",
};

export function MemberBadge({ status }: { status: TeamMember["status"] }) {
  return <Badge tone={MEMBER_TONES[status]}>{MEMBER_WORDS[status]}</Badge>;
}

const CRITERION_TONES: Record<CriterionState["state"], Tone> = {
  open: "neutral",
  met: "good",
  unmet: "bad",
  waived: "warn",
};

export function CriterionBadge({ state }: { state: CriterionState["state"] }) {
  return <Badge tone={CRITERION_TONES[state]}>{CRITERION_WORDS[state]}</Badge>;
}
