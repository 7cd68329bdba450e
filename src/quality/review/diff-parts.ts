import type { TreeChange } from "../trees/tree-source.ts";

/** Changed lines that one reviewer is given. */
const MOST_LINES = 1_500;
const MOST_FILES = 150;
const MOST_PARTS = 8;

export interface DiffParts {
  parts: TreeChange[][];
  /** What no reviewer is given. */
  leftOut: TreeChange[];
}

/** Shares of a change, each small enough for one review. A file stays in one piece; what is beyond the last part is left out. */
export function diffParts(changes: readonly TreeChange[]): DiffParts {
  const parts: TreeChange[][] = [];
  let room = 0;
  for (const change of changes) {
    const lines = change.additions + change.deletions;
    const last = parts.at(-1);
    if (last === undefined || lines > room || last.length >= MOST_FILES) {
      parts.push([change]);
      room = MOST_LINES - lines;
    } else {
      last.push(change);
      room -= lines;
    }
  }
  return { parts: parts.slice(0, MOST_PARTS), leftOut: parts.slice(MOST_PARTS).flat() };
}
