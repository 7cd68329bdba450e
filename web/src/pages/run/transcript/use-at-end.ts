import { useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR_PX = 100;

/** Whether the reader is at the end of the page; with `follows`, the page stays at its end while it grows. */
export function useAtEnd(follows: boolean): { isAtEnd: boolean; toEnd: () => void } {
  const [isAtEnd, setAtEnd] = useState(true);
  const stays = useRef(false);
  useEffect(() => {
    let last = window.scrollY;
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const isNear = scrollHeight - clientHeight - window.scrollY < NEAR_PX;
      // A page that grew under the reader is no step back of theirs.
      stays.current = isNear || (stays.current && window.scrollY >= last);
      last = window.scrollY;
      setAtEnd(stays.current);
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
    if (follows && stays.current) toEnd();
  });
  return { isAtEnd, toEnd };
}

function toEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}
