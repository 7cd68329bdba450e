import type { Team } from "../../contract/documents/teams/team.ts";
import { HallError } from "../../contract/errors.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { type Context, chosenProject } from "../context.ts";
import { fitsId, onlyId } from "../references.ts";
import { project } from "../shared-options.ts";

const NEWEST = 1_000;
const WHOLE_ID = /^team-[0-9a-z]{22}$/;

/** The argument of commands about one team, and the option that goes with it. */
export const teamArgument = {
  kind: "maybe-rest",
  help: "Team id, its first or last characters, or its name (default: the active team)",
} as const satisfies ArgumentSpec;
export const ofProject = {
  ...project,
  help: "Look for the team in this project (default: $GUILDHALL_PROJECT or all)",
} as const;

interface TeamInput {
  team: string;
  project?: string | undefined;
}

/** A team by its id, a part of it or its name. Without any: the only active one, or the newest where none is active. */
export async function teamIdOf({ team: given, project: option }: TeamInput, context: Context): Promise<string> {
  const part = given.trim();
  if (WHOLE_ID.test(part.toLowerCase())) return part.toLowerCase();
  const { teams } = await context.call("listTeams", {
    query: { limit: NEWEST, project: chosenProject(option, context) },
  });
  if (part === "") return onlyOne(teams);
  const wanted = part.toLowerCase();
  const fitting = teams.filter(({ id, name }) => fitsId(id, wanted) || name.toLowerCase() === wanted);
  if (fitting.length === 0) throw new HallError("team_not_found", `No team id or name matches '${given}'.`);
  return onlyId(fitting, given, "teams");
}

function onlyOne(teams: readonly Team[]): string {
  const active = teams.filter(({ status }) => !hasEnded(status));
  if (active.length > 1) {
    const ids = active.map(({ id }) => id).join(", ");
    throw new HallError("usage", `${active.length} teams are active: ${ids}.`, { hint: "Pass the id of one." });
  }
  const [team] = active.length === 1 ? active : teams;
  if (team === undefined) throw new HallError("team_not_found", "There are no teams.");
  return team.id;
}
