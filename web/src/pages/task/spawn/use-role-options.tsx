import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "../../../api/queries.ts";

interface Choosing {
  projectId: string;
  fitting?: readonly string[];
  /** Is among them although there is no such role any more. */
  chosen?: string | undefined;
}

/**
 * The roles to choose from: first those that fit, then the team, then everybody. A hook, and no component: the select must be
 * drawn again when they come, or it does not show what is chosen.
 */
export function useRoleOptions({ projectId, fitting = [], chosen }: Choosing): ReactNode {
  const roles = useQuery(queries.roles()).data?.roles ?? [];
  const team = new Set(useQuery(queries.assignments(projectId)).data?.assignments.map(({ roleId }) => roleId));
  const fits = fitting.flatMap((id) => roles.filter((role) => role.id === id));
  const rest = roles.filter(({ id }) => !fitting.includes(id));
  const groups = [
    { label: "Suggested", members: fits },
    { label: "Team", members: rest.filter(({ id }) => team.has(id)) },
    { label: fits.length + team.size === 0 ? "Roles" : "Other roles", members: rest.filter(({ id }) => !team.has(id)) },
  ];
  const isGone = chosen !== undefined && !roles.some(({ id }) => id === chosen);
  const options = groups.map(
    ({ label, members }) =>
      members.length > 0 && (
        <optgroup key={label} label={label}>
          {members.map(({ id, emoji, name }) => (
            <option key={id} value={id}>
              {emoji} {name}
              {team.has(id) ? " (on the team)" : ""}
            </option>
          ))}
        </optgroup>
      ),
  );
  return (
    <>
      {isGone && <option value={chosen}>{chosen}</option>}
      {options}
    </>
  );
}
