import { useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR_PX = 100;

/** Whether the reader is at the end of the page; with `follows`, the page stays at its end while it grows. */
export function useAtEnd(follows: boolean): { isAtEnd: boolean; toEnd: () => void } {
  const [isAtEnd, setAtEnd] = useState(true);
  const current = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      current.current = scrollHeight - clientHeight - window.scrollY < NEAR_PX;
      setAtEnd(current.current);
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);
  // After every drawing, as each may have made the page longer.
  useLayoutEffect(() => {
    if (follows && current.current) toEnd();
  });
  return { isAtEnd, toEnd };
}

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
