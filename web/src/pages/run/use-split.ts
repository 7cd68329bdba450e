import { useState, useSyncExternalStore } from "react";

const NAME = "guildhall.diff";
const wide = matchMedia("(min-width: 1100px)");

export interface Split {
  /** Two columns need a wide window. */
  isPossible: boolean;
  isOn: boolean;
  toggle: () => void;
}

/** Whether changes are shown side by side, as the person last chose it in this browser. */
export function useSplit(): Split {
  const isPossible = useSyncExternalStore(
    (watcher) => {
      wide.addEventListener("change", watcher);
      return () => wide.removeEventListener("change", watcher);
    },
    () => wide.matches,
  );
  const [isWanted, setWanted] = useState(() => localStorage.getItem(NAME) === "split");
  const toggle = () => {
    localStorage.setItem(NAME, isWanted ? "unified" : "split");
    setWanted(!isWanted);
  };
  return { isPossible, isOn: isPossible && isWanted, toggle };
}
