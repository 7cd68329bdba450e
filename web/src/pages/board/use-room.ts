import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";

const narrow = matchMedia("(max-width: 47.99rem)");

export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      narrow.addEventListener("change", watcher);
      return () => narrow.removeEventListener("change", watcher);
    },
    () => narrow.matches,
  );
}

const BELOW = { wide: 16, narrow: 64 };

/** The height that is left below the top of an element, whatever stands above it. */
export function useRestOfPage(box: RefObject<HTMLElement | null>): string {
  const [top, setTop] = useState(200);
  const [, resized] = useState(0);
  const below = useIsNarrow() ? BELOW.narrow : BELOW.wide;
  useLayoutEffect(() => {
    if (box.current !== null) setTop(Math.round(box.current.getBoundingClientRect().top + scrollY));
  });
  useEffect(() => {
    const observer = new ResizeObserver(() => resized((count) => count + 1));
    observer.observe(document.body);
    if (box.current?.parentElement) observer.observe(box.current.parentElement);
    return () => observer.disconnect();
  }, [box]);
  return `calc(100dvh - ${top + below}px)`;
}
