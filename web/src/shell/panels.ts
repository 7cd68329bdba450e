import { useSyncExternalStore } from "react";

/** What lies over the page, whichever page it is. */
export type Panel = "chat" | "palette" | "keys" | "create" | undefined;

let open: Panel;
const watchers = new Set<() => void>();

export function showPanel(panel: Panel): void {
  open = panel;
  for (const watcher of watchers) watcher();
}

export function usePanel(): Panel {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => open,
  );
}
