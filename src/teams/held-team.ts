import type { TeamActivity, TeamDocument } from "../contract/documents/teams/team.ts";
import { TEAM_LIMITS } from "../contract/words/teams/team-words.ts";
import { activityOf } from "./machine/activity.ts";
import { apply, formed } from "./machine/apply.ts";
import type { TeamLine } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";

/** What is known of a team, in memory. */
export interface Held {
  state: TeamState;
  /** The newest, the oldest first. */
  activity: TeamActivity[];
  /** Tasks of the board that changed since the machine last looked at them. */
  touched: Set<string> | "all";
}

export function newlyHeld(document: TeamDocument): Held {
  return { state: formed(document, document.createdAt), activity: [], touched: "all" };
}

/** Answers what the feed gets. */
export function fold(held: Held, line: TeamLine): TeamActivity[] {
  held.state = apply(held.state, line);
  // What it says of requirements concerns tasks that nobody touched.
  if (line.fact.type === "spec-edited" || line.fact.type === "evolution-decided") held.touched = "all";
  const seen = activityOf(held.state, line);
  held.activity.push(...seen);
  if (held.activity.length > TEAM_LIMITS.activity) held.activity.splice(0, held.activity.length - TEAM_LIMITS.activity);
  return seen;
}
