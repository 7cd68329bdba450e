import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";

const BELOW = { wide: 16, narrow: 64 };

/** The height that is left below the top of an element, whatever stands above it. */
export function useRestOfPage(box: RefObject<HTMLElement | null>): string {
  const [top, setTop] = useState(200);
  const [, resized] = useState(0);
  const below = useMedia(WIDE) ? BELOW.wide : BELOW.narrow;
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
