import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";

const BELOW = { wide: 16, narrow: 64 };

/** The room that an element has: its width, and the height that is left below its top, whatever is above it. */
export function useRoom(box: RefObject<HTMLElement | null>): { height: string; width: number | undefined } {
  const [top, setTop] = useState(200);
  const [width, setWidth] = useState<number>();
  const [, resized] = useState(0);
  const below = useMedia(WIDE) ? BELOW.wide : BELOW.narrow;
  useLayoutEffect(() => {
    if (box.current === null) return;
    setTop(Math.round(box.current.getBoundingClientRect().top + scrollY));
    setWidth(box.current.clientWidth);
  });
  useEffect(() => {
    const observer = new ResizeObserver(() => resized((count) => count + 1));
    observer.observe(document.body);
    if (box.current?.parentElement) observer.observe(box.current.parentElement);
    return () => observer.disconnect();
  }, [box]);
  return { height: `calc(100dvh - ${top + below}px)`, width };
}
