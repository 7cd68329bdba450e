import { useParams, useSearch } from "@tanstack/react-router";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";

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

/** What is shown beside a list: what is open, or the first where there is room for both. */
export function useShownEntry(first: string | undefined): string | undefined {
  const open = useOpenEntry();
  const isWide = useMedia(WIDE);
  return open ?? (isWide ? first : undefined);
}
