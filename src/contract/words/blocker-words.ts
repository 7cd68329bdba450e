import type { MergeBlocker } from "../runs/delivery.ts";

const MOST_NAMED = 5;

/** What keeps a result from being merged, and what to do about it. */
export function blockerWords({ code, paths }: MergeBlocker): string {
  const more = paths.length - MOST_NAMED;
  const named = `${paths.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return code === "uncommitted"
    ? `Uncommitted changes in ${named} block the merge. Commit or stash them.`
    : `Conflicts in ${named} block the merge. Resolve them in a terminal, or request changes.`;
}
