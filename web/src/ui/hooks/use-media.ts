import { useSyncExternalStore } from "react";

/** From here on there is room for two things side by side; Tailwind's `md`. */
export const WIDE = "(min-width: 48rem)";

const known = new Map<string, MediaQueryList>();

/** Whether the window is so, as long as it is. */
export function useMedia(query: string): boolean {
  const media = known.get(query) ?? matchMedia(query);
  known.set(query, media);
  return useSyncExternalStore(
    (watcher) => {
      media.addEventListener("change", watcher);
      return () => media.removeEventListener("change", watcher);
    },
    () => media.matches,
  );
}
