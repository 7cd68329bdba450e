/** Who wants to know when something outside of React has changed; `watch` is for useSyncExternalStore. */
export function watchers(): { watch: (watcher: () => void) => () => void; tell: () => void } {
  const all = new Set<() => void>();
  return {
    watch: (watcher) => {
      all.add(watcher);
      return () => all.delete(watcher);
    },
    tell: () => {
      for (const watcher of all) watcher();
    },
  };
}
