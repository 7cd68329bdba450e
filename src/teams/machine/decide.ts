import { hasEnded } from "../../contract/words/teams/team-words.ts";
import { continued, held } from "./autonomy/pausing.ts";
import { nextSteps } from "./next-steps.ts";
import { observe } from "./observing/observe.ts";
import type { TeamFact } from "./team-facts.ts";
import type { TeamState } from "./team-state.ts";
import type { World } from "./world.ts";

/**
 * What happened by the world, or, where nothing did, what is to be done next. To be asked again with the facts applied, until
 * there are none. Any first part of the facts is a state to continue from.
 */
export function decide(state: TeamState, world: World): TeamFact[] {
  if (hasEnded(state.status)) return [];
  const back = continued(state, world);
  if (back.length > 0) return back;
  const seen = observe(state, world);
  if (seen.length > 0) return seen;
  if (state.status === "paused" || !world.isActive) return [];
  const paused = held(state, world);
  return paused.length > 0 ? paused : nextSteps(state, world);
}
