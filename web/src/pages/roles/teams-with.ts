import type { ProjectSummary } from "../../../../src/contract/documents/project.ts";

/** Each team is a question of its own: of so many projects nobody is asked what only might be of use. */
const MOST_ASKED = 50;

/** Projects whose team has to be asked for; none of those that have no team, or cannot be read. */
export function withTeams<Project extends Pick<ProjectSummary, "teamSize">>(projects: readonly Project[]): Project[] {
  return projects.filter(({ teamSize }) => teamSize > 0);
}

export function areFew(projects: readonly unknown[]): boolean {
  return projects.length <= MOST_ASKED;
}

interface Team {
  isPending: boolean;
  data?: { assignments: readonly { roleId: string }[] } | undefined;
}

/** Undefined until every team was answered; one that could not be told has nobody. */
export function havingRole<Project>(
  roleId: string,
  projects: readonly Project[],
  teams: readonly Team[],
): Project[] | undefined {
  if (teams.some(({ isPending }) => isPending)) return undefined;
  return projects.filter((_, at) => teams[at]?.data?.assignments.some((entry) => entry.roleId === roleId));
}
