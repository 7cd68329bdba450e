import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { useCallback } from "react";

/** What a list draws: the part in sight, and the entry that has the focus, however far it is scrolled away. */
export function useFocusedRange(at: number): (range: Range) => number[] {
  return useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      return at < 0 || shown.includes(at) ? shown : [...shown, at].sort((a, b) => a - b);
    },
    [at],
  );
}
