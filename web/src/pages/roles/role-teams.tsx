import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { areFew, havingRole, withTeams } from "./teams-with.ts";

/** Undefined until every team is known, and where for a mere offer (`isOffer`) too many would have to be asked. */
export function useProjectsWith(roleId: string, { isOffer = false } = {}) {
  const projects = useQuery(queries.projects()).data?.projects;
  const manned = withTeams(projects ?? []);
  const isAsked = !isOffer || areFew(manned);
  const teams = useQueries({ queries: isAsked ? manned.map(({ id }) => queries.assignments(id)) : [] });
  return projects === undefined || !isAsked ? undefined : havingRole(roleId, manned, teams);
}

/** The projects that have a role in their team, where it can be taken out of it. */
export function RoleTeams({ roleId }: { roleId: string }) {
  const having = useProjectsWith(roleId) ?? [];
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
      <p className="font-medium text-bad">This role is still on a team. Remove it there first:</p>
      <ul className="mt-1 flex flex-col gap-1">
        {having.map(({ id, name }) => (
          <li key={id}>
            <Link to="/projects/$id/settings/roles" params={{ id }} className="text-accent underline">
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
