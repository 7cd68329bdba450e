import type { SpecEvolutionProposal, TeamAutonomy } from "../../../contract/documents/teams/team-autonomy.ts";
import type { TeamState } from "../team-state.ts";
import type { Proposal } from "./autonomy-state.ts";
import { usedMs } from "./autonomy-steps.ts";

const MINUTE = 60_000;

export const proposalId = (number: number) => `spec-change-${number}`;

/** Undefined of a team that never worked without a person. */
export function autonomyView({ autonomy, budgetUsd }: TeamState, now: string): TeamAutonomy | undefined {
  if (autonomy === undefined) return undefined;
  const { mode, phase, pauseReason, limits, proposals } = autonomy;
  const pending = proposals.find(({ state }) => state === "pending");
  return {
    mode,
    phase,
    ...(pauseReason === undefined ? {} : { pauseReason }),
    costCapUsd: budgetUsd,
    ...limits,
    usedMinutes: Math.round((usedMs(autonomy, now) / MINUTE) * 100) / 100,
    ...(pending === undefined ? {} : { proposal: proposalId(pending.number) }),
  };
}

export function proposalViews({ autonomy }: TeamState): SpecEvolutionProposal[] {
  return (autonomy?.proposals ?? []).map(proposalView);
}

function proposalView({ number, spec: _, decidedAt, decidedBy, remarks, ...told }: Proposal): SpecEvolutionProposal {
  return {
    id: proposalId(number),
    ...told,
    ...(decidedAt === undefined ? {} : { decidedAt }),
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(remarks === undefined ? {} : { remarks }),
  };
}
