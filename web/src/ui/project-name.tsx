import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";

/** What a project is called; its id until that is known. */
export function ProjectName({ id }: { id: string }) {
  const { data } = useQuery(queries.projects());
  return <bdi title={id}>{data?.projects.find((project) => project.id === id)?.name ?? id}</bdi>;
}
