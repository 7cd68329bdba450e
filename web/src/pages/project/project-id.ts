import { useParams, useSearch } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";

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

const wide = matchMedia("(min-width: 48rem)");

function watchWidth(onChange: () => void): () => void {
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}

/** What is shown beside a list: what is open, or the first where there is room for both. */
export function useShownEntry(first: string | undefined): string | undefined {
  const open = useOpenEntry();
  const isWide = useSyncExternalStore(watchWidth, () => wide.matches);
  return open ?? (isWide ? first : undefined);
}
