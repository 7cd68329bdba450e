import { useParams, useSearch } from "@tanstack/react-router";

/** The project of the address; pages below `/projects/…` only. */
export function useProjectId(): string {
  const { id } = useParams({ strict: false });
  return id ?? "";
}

/** What is open on a page that shows a list beside one of its entries. */
export function useOpenEntry(): string | undefined {
  const { view } = useSearch({ strict: false });
  return view;
}
