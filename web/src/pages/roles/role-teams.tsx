import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";

/** Undefined until every team is known. */
export function useProjectsWith(roleId: string) {
  const projects = useQuery(queries.projects()).data?.projects;
  const teams = useQueries({ queries: (projects ?? []).map(({ id }) => queries.team(id)) });
  if (projects === undefined || teams.some(({ data }) => data === undefined)) return undefined;
  return projects.filter((_, at) => teams[at]?.data?.assignments.some((entry) => entry.roleId === roleId));
}

/** The projects that have a role in their team, where it can be taken out of it. */
export function RoleTeams({ roleId }: { roleId: string }) {
  const having = useProjectsWith(roleId) ?? [];
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
      <p className="font-medium text-bad">It is still on a team. Take it out there first:</p>
      <ul className="mt-1 flex flex-col gap-1">
        {having.map(({ id, name }) => (
          <li key={id}>
            <Link to="/projects/$id/team" params={{ id }} className="text-accent underline">
              The team of <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
