import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { SelectField } from "./field.tsx";

interface FilterProps {
  value: string | undefined;
  /** Undefined: all of them. */
  onChange: (value: string | undefined) => void;
}

/** Narrows a list to one project. */
export function ProjectFilter({ value = "", onChange }: FilterProps) {
  const { data } = useQuery(queries.projects());
  return (
    <SelectField label="Project" hideLabel value={value} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">All projects</option>
      {data?.projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** Narrows a list to one role. */
export function RoleFilter({ value = "", onChange }: FilterProps) {
  const { data } = useQuery(queries.roles());
  return (
    <SelectField label="Role" hideLabel value={value} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">All roles</option>
      {data?.roles.map(({ id, name, emoji }) => (
        <option key={id} value={id}>
          {emoji} {name}
        </option>
      ))}
    </SelectField>
  );
}
