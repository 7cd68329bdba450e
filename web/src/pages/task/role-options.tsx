import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";

/** The roles to choose from: first those that fit, then the team, then everybody. */
export function RoleOptions({ projectId, fitting = [] }: { projectId: string; fitting?: readonly string[] }) {
  const roles = useQuery(queries.roles()).data?.roles ?? [];
  const team = new Set(useQuery(queries.team(projectId)).data?.assignments.map(({ roleId }) => roleId));
  const fits = fitting.flatMap((id) => roles.filter((role) => role.id === id));
  const rest = roles.filter(({ id }) => !fitting.includes(id));
  const groups = [
    { label: "Fits the task", members: fits },
    { label: "The team", members: rest.filter(({ id }) => team.has(id)) },
    { label: fits.length + team.size === 0 ? "Roles" : "Other roles", members: rest.filter(({ id }) => !team.has(id)) },
  ];
  return groups.map(
    ({ label, members }) =>
      members.length > 0 && (
        <optgroup key={label} label={label}>
          {members.map(({ id, emoji, name }) => (
            <option key={id} value={id}>
              {emoji} {name}
              {team.has(id) ? " (in the team)" : ""}
            </option>
          ))}
        </optgroup>
      ),
  );
}
