import type { Team } from "../../contract/documents/teams/team.ts";
import { HallError } from "../../contract/errors.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { Call } from "../http/client.ts";
import { exportTeam } from "./team-export.ts";

/** What becomes of the folder of a team that has ended. */
export interface Completion {
  archive?: boolean | undefined;
  keep?: boolean | undefined;
  export?: string | undefined;
}

interface CompletedTeam {
  action: "archive" | "keep" | "export";
  team: Team;
  folder?: string;
  files?: string[];
}

/** An export that fails leaves the team where it is. */
export async function completeTeam(id: string, chosen: Completion, call: Call): Promise<CompletedTeam> {
  const { team } = await call("getTeam", { params: { id } });
  if (!hasEnded(team.status)) throw new HallError("team_refused", `Team '${id}' is ${team.status}. Stop it first.`);
  if (chosen.keep === true) return { action: "keep", team };
  const exported = chosen.export === undefined ? undefined : await exportTeam(id, chosen.export, call);
  const archived = await call("cleanUpTeam", { params: { id } });
  return exported === undefined
    ? { action: "archive", team: archived.team }
    : { action: "export", team: archived.team, ...exported };
}

export function assertOneAction({ archive, keep, export: folder }: Completion): void {
  const given = [archive === true, keep === true, folder !== undefined].filter(Boolean).length;
  if (given !== 1) throw new HallError("usage", "Pass one of --archive, --keep or --export DIR.");
}
