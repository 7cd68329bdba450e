import type { TeamDocument } from "../../contract/documents/teams/team.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import { autonomySteps } from "./autonomy/autonomy-steps.ts";
import type { FactSteps } from "./steps/fact-steps.ts";
import { healthSteps } from "./steps/health-steps.ts";
import { leadSteps } from "./steps/lead-steps.ts";
import { orders } from "./steps/order-steps.ts";
import { taskSteps } from "./steps/task-steps.ts";
import { wholeSteps } from "./steps/whole-steps.ts";
import { emptyIndex } from "./task-index.ts";
import type { TeamFact, TeamLine } from "./team-facts.ts";
import type { TeamState } from "./team-state.ts";

/** A team before the first line of its log. */
export function formed(document: TeamDocument, at: string): TeamState {
  return {
    document,
    seq: 0,
    status: "forming",
    leadFailures: 0,
    specVersion: 0,
    isSpecEdited: false,
    approved: { spec: false, plan: false },
    phases: [],
    tasks: new Map(),
    members: new Map(),
    explorations: new Map(),
    criteria: new Map(),
    questions: 0,
    settledQuestions: [],
    checkersStarted: 0,
    rounds: 0,
    roundsAlone: 0,
    leftRuns: new Set(),
    budgetUsd: document.budgetUsd,
    health: { last: 0, members: new Map(), open: new Map() },
    warnedOfCost: false,
    notedEvent: 0,
    updatedAt: at,
    index: emptyIndex(),
  };
}

/** What may still be written after the end of a team. */
export const AFTER_END: readonly TeamFact["type"][] = ["question-filed", "question-withdrawn", "autonomy-phase"];

const STEPS: FactSteps = { ...leadSteps, ...taskSteps, ...wholeSteps, ...healthSteps, ...autonomySteps, ...orders };

/**
 * The state after a line. It takes the place of the state given, which is used up: a team of thousands of tasks is not copied
 * for each fact. A line that was applied already changes nothing, and neither does one after the end.
 */
export function apply(state: TeamState, { seq, at, fact }: TeamLine): TeamState {
  if (seq <= state.seq) return state;
  state.seq = seq;
  state.updatedAt = at;
  if (hasEnded(state.status) && !AFTER_END.includes(fact.type)) return state;
  step(state, fact);
  if (hasEnded(state.status)) state.endedAt ??= at;
  return state;
}

function step<Type extends TeamFact["type"]>(state: TeamState, fact: Extract<TeamFact, { type: Type }>): void {
  const take = STEPS[fact.type as Type] as (state: TeamState, fact: Extract<TeamFact, { type: Type }>) => void;
  take(state, fact);
}
