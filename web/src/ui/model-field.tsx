import { useQueries, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useId } from "react";
import type { ModelsReport } from "../../../src/contract/routes/model-routes.ts";
import { queries } from "../api/queries.ts";
import { TextField } from "./field.tsx";

/** A model by name; those that the providers list are proposed, any other may be typed. */
export function ModelField({
  label = "Model",
  ...rest
}: Omit<ComponentProps<typeof TextField>, "label"> & { label?: string }) {
  const id = useId();
  const { data } = useQuery(queries.models());
  const listed = useListed(data?.providers ?? []);
  const names = [...new Set(data === undefined ? [] : [data.default, ...listed, data.offline])];
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

/** A provider that cannot be reached proposes nothing. */
function useListed(providers: ModelsReport["providers"]): string[] {
  const local = providers.flatMap(({ name, models = [] }) => models.map((model) => `${name}/${model}`));
  const others = providers.filter(({ keySource, models }) => keySource !== "missing" && models === undefined);
  const lists = useQueries({ queries: others.map(({ name }) => queries.providerModels(name)) });
  return [...lists.flatMap(({ data }) => data?.models ?? []), ...local];
}
