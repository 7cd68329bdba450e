import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { SelectField } from "./field.tsx";

interface FilterProps {
  value: string | undefined;
  /** Undefined: all of them. */
  onChange: (value: string | undefined) => void;
}

/** Narrows a list to one project. */
export function ProjectFilter(props: FilterProps) {
  const { data } = useQuery(queries.projects());
  return <Narrowed label="Project" all="All projects" options={data?.projects} {...props} />;
}

/** Narrows a list to one role. */
export function RoleFilter(props: FilterProps) {
  const { data } = useQuery(queries.roles());
  const options = data?.roles.map(({ id, name, emoji }) => ({ id, name: `${emoji} ${name}` }));
  return <Narrowed label="Role" all="All roles" options={options} {...props} />;
}

interface NarrowedProps extends FilterProps {
  label: string;
  all: string;
  options: readonly { id: string; name: string }[] | undefined;
}

/** What the address names and nobody knows is a choice too: otherwise the list would be narrowed by what is not seen. */
function Narrowed({ label, all, options = [], value = "", onChange }: NarrowedProps) {
  const isUnknown = value !== "" && !options.some(({ id }) => id === value);
  return (
    <SelectField label={label} hideLabel value={value} onChange={({ target }) => onChange(target.value || undefined)}>
      <option value="">{all}</option>
      {isUnknown && <option value={value}>{value}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
