import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { BUILT_IN_ROLE_NAMES } from "../../../../src/contract/words/teams/built-in-role-names.ts";
import { queries } from "../../api/queries.ts";

/** How roles are shown, by their ids: the built-in ones, and those of the workspace, which come before them. */
export function useRoleNames(): ReadonlyMap<string, { name: string; emoji: string }> {
  const { data } = useQuery(queries.roles());
  return useMemo(() => {
    const own = data?.roles.map((role) => [role.id, role] as const) ?? [];
    return new Map([...Object.entries(BUILT_IN_ROLE_NAMES), ...own]);
  }, [data]);
}

/** Who a role is, in a sign and a name; the id until it is known. */
export function RoleName({ id }: { id: string }) {
  const role = useRoleNames().get(id);
  return (
    <span className="whitespace-nowrap">
      {role !== undefined && <span aria-hidden>{role.emoji} </span>}
      <bdi>{role?.name ?? id}</bdi>
    </span>
  );
}
