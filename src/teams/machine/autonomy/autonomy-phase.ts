import type { AutonomyPhase } from "../../../contract/words/teams/autonomy-words.ts";
import type { TeamFact } from "../team-facts.ts";
import type { TeamState } from "../team-state.ts";
import type { AutonomyState } from "./autonomy-state.ts";

/** How a team works without a person; undefined of one that does not. */
export function autonomyOf({ autonomy }: Pick<TeamState, "autonomy">): AutonomyState | undefined {
  return autonomy === undefined || autonomy.mode === "off" ? undefined : autonomy;
}

/** What follows from any fact: the log names each phase that an autonomous team comes to, with the fact that brought it there. */
export function following(state: TeamState): TeamFact[] {
  if (state.autonomy === undefined) return [];
  const phase = autonomyPhaseOf(state);
  return phase === state.autonomy.phase ? [] : [{ type: "autonomy-phase", phase }];
}

function autonomyPhaseOf(state: TeamState): AutonomyPhase {
  if (autonomyOf(state) === undefined) return "aborted";
  switch (state.status) {
    case "forming":
      return "idle";
    case "specifying":
      return "spec-generation";
    case "planning":
    case "awaiting-approval":
      return "task-decomposition";
    case "working":
      return workPhase(state);
    case "integrating":
      return "integration-check";
    case "synthesizing":
    case "delivering":
      return "synthesizing";
    case "failed":
    case "stopped":
      return "aborted";
    case "completed":
    case "paused":
      return state.status;
  }
}

function workPhase({ index: { counts }, phases, rounds, tasks }: TeamState): AutonomyPhase {
  const current = phases.find(({ status }) => status !== "completed");
  if (rounds > 0 && current?.status === "pending") return "remediating";
  const isDone = counts.working + counts.waiting + counts.blocked === 0;
  return tasks.size > 0 && isDone ? "reviewing" : "executing";
}
