import type { PauseReason } from "../../../contract/words/teams/autonomy-words.ts";
import { type FactSteps, settleQuestion } from "../steps/fact-steps.ts";
import { handedIn, leaves, takeSpec } from "../steps/spec-steps.ts";
import type { TeamState } from "../team-state.ts";
import { autonomyOf } from "./autonomy-phase.ts";
import type { AutonomyState } from "./autonomy-state.ts";

/** Pauses that end with the answer to a question. */
const ASKED: readonly (PauseReason | undefined)[] = ["approval-required", "all-teammates-error", "max-remediation"];

export function waitsForAnswer({ pauseReason }: AutonomyState): boolean {
  return ASKED.includes(pauseReason);
}

export const autonomySteps: Pick<
  FactSteps,
  | "autonomy-set"
  | "autonomy-phase"
  | "autonomy-continued"
  | "spec-gap"
  | "evolution-declined"
  | "evolution-proposed"
  | "evolution-decided"
> = {
  "autonomy-set": (state, { mode, limits, by }) => {
    const known = autonomyOf(state);
    const before = state.autonomy ?? { phase: "idle" as const, proposals: [], gapsSeen: new Set<string>() };
    const since = state.status === "paused" ? {} : { since: state.updatedAt };
    const fresh = { ...before, usedMs: 0, gaps: [], pausedFor: 0, pauseReason: undefined, ...since };
    state.autonomy = { ...(known ?? fresh), mode, limits, by };
    if (mode === "off") Object.assign(state.autonomy, { since: undefined, pauseReason: undefined });
    if (mode !== "smart") supersede(state, by);
  },

  "autonomy-phase": (state, { phase }) => {
    if (state.autonomy !== undefined) state.autonomy.phase = phase;
  },

  "autonomy-continued": (state, { usedMs }) => {
    if (state.autonomy !== undefined) Object.assign(state.autonomy, { usedMs, since: state.updatedAt });
  },

  "spec-gap": ({ autonomy }, { key, gap }) => {
    autonomy?.gapsSeen.add(key);
    autonomy?.gaps.push(gap);
  },

  "evolution-declined": (state) => {
    leaves(state);
    forgetGaps(state);
  },

  "evolution-proposed": (state, { type: _, ...proposed }) => {
    handedIn(state);
    const { autonomy, updatedAt } = state;
    autonomy?.proposals.push({ ...proposed, evidence: autonomy.gaps, state: "pending", proposedAt: updatedAt });
    forgetGaps(state);
  },

  "evolution-decided": (state, { number, outcome, by, remarks }) => {
    const proposal = state.autonomy?.proposals.find((one) => one.number === number);
    settleQuestion(state, (question) => question.proposal === number);
    if (proposal?.state !== "pending") return;
    Object.assign(proposal, { state: outcome, decidedAt: state.updatedAt, decidedBy: by, remarks });
    if (by !== "hall") state.roundsAlone = 0;
    if (outcome !== "applied") return;
    takeSpec(state, proposal.spec);
    state.isSpecEdited = true;
  },
};

/** What nobody looks at any more. */
export function forgetGaps({ autonomy }: TeamState): void {
  if (autonomy !== undefined) autonomy.gaps = [];
}

/** A proposal for a spec that is not the team's any more. */
export function supersede(state: TeamState, by: string): void {
  forgetGaps(state);
  const proposal = state.autonomy?.proposals.find((one) => one.state === "pending");
  if (proposal === undefined) return;
  Object.assign(proposal, { state: "superseded", decidedAt: state.updatedAt, decidedBy: by });
  settleQuestion(state, (question) => question.proposal === proposal.number);
}

/** Time does not count while a team is paused. */
export function pauseAutonomy(state: TeamState, code: PauseReason = "user-requested"): void {
  const autonomy = autonomyOf(state);
  if (autonomy === undefined) return;
  autonomy.usedMs = usedMs(autonomy, state.updatedAt);
  autonomy.since = undefined;
  autonomy.pauseReason = code;
  if (waitsForAnswer(autonomy)) autonomy.pausedFor = state.question?.number ?? autonomy.pausedFor;
}

/** After a timeout the person grants the same time again. */
export function resumeAutonomy(state: TeamState): void {
  const autonomy = autonomyOf(state);
  if (autonomy === undefined) return;
  if (autonomy.pauseReason === "timeout") autonomy.usedMs = 0;
  autonomy.pauseReason = undefined;
  autonomy.since = state.updatedAt;
}

/** What counts toward the time limit at a moment. */
export function usedMs({ since, usedMs: before }: AutonomyState, now: string): number {
  return before + (since === undefined ? 0 : Math.max(0, Date.parse(now) - Date.parse(since)));
}
