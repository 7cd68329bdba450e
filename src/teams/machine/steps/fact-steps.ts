import type { TeamStatus } from "../../../contract/words/teams/team-words.ts";
import type { TeamFact } from "../team-facts.ts";
import type { OpenQuestion, TeamState } from "../team-state.ts";

type FactType = TeamFact["type"];

/** What each kind of fact changes in a state. */
export type FactSteps = { [Type in FactType]: (state: TeamState, fact: Extract<TeamFact, { type: Type }>) => void };

/** Where the team is now; a paused one continues there. */
export function become(state: TeamState, status: TeamStatus): void {
  if (state.status === "paused") state.pausedFrom = status;
  else state.status = status;
}

/** Where the team is, also while it is paused. */
export function stageOf({ status, pausedFrom }: TeamState): TeamStatus {
  return status === "paused" ? (pausedFrom ?? "forming") : status;
}

/** The open question needs no answer any more, or has one, if it is what `concerns` it. */
export function settleQuestion(state: TeamState, concerns: (question: OpenQuestion) => boolean): void {
  const { question } = state;
  if (question === undefined || !concerns(question)) return;
  state.settledQuestions.push(question);
  state.question = undefined;
}
