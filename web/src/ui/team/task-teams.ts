import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { queries } from "../../api/queries.ts";

/** The team that a task of the board belongs to. */
export type TaskTeam = Pick<Team, "id" | "name">;

/** So many of the newest teams of a project are looked at. */
const NEWEST = 50;

/** The team of each task of a project: of the one that is its goal, and of those that it planned. */
export function useTaskTeams(projectId: string): ReadonlyMap<string, TaskTeam> {
  const teams = useQuery(queries.teams({ project: projectId, limit: NEWEST })).data?.teams;
  return useMemo(() => taskTeams(teams ?? []), [teams]);
}

/** The newest first: a task that a second team works on is that team's. */
export function taskTeams(teams: readonly Team[]): Map<string, TaskTeam> {
  const found = new Map<string, TaskTeam>();
  for (const { id, name, taskId, phases } of teams)
    for (const task of [taskId, ...phases.flatMap(({ taskIds }) => taskIds)])
      if (!found.has(task)) found.set(task, { id, name });
  return found;
}
