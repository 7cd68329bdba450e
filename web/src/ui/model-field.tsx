import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import { queries } from "../api/queries.ts";
import { TextField } from "./field.tsx";

/** A model by name; those that were found are proposed, any other may be typed. */
export function ModelField({
  label = "Model",
  ...rest
}: Omit<ComponentProps<typeof TextField>, "label"> & { label?: string }) {
  const id = useId();
  const { data } = useQuery(queries.models());
  const found = data?.providers.flatMap(({ models }) => models ?? []) ?? [];
  const names = [...new Set(data === undefined ? [] : [data.default, data.offline, ...found])];
  return (
    <>
      <TextField label={label} list={id} placeholder={data?.default} autoComplete="off" spellCheck={false} {...rest} />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
