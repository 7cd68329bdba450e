import { useState } from "react";
import { useMedia } from "../../../ui/hooks/use-media.ts";

const NAME = "guildhall.diff";
const TWO_COLUMNS = "(min-width: 1100px)";

export interface Split {
  /** Two columns need a wide window. */
  isPossible: boolean;
  isOn: boolean;
  toggle: () => void;
}

/** Whether changes are shown side by side, as the person last chose it in this browser. */
export function useSplit(): Split {
  const isPossible = useMedia(TWO_COLUMNS);
  const [isWanted, setWanted] = useState(() => localStorage.getItem(NAME) === "split");
  const toggle = () => {
    localStorage.setItem(NAME, isWanted ? "unified" : "split");
    setWanted(!isWanted);
  };
  return { isPossible, isOn: isPossible && isWanted, toggle };
}
