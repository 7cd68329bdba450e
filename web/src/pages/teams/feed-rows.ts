import type { TeamActivity } from "../../../../src/contract/documents/teams/team.ts";

export type FeedRow = { key: string; day: string } | { key: string; entry: TeamActivity };

/** The newest first, each day under its heading. Entries come the oldest first; several may have the same number. */
export function feedRows(activity: readonly TeamActivity[], dayOf: (at: Date) => string): FeedRow[] {
  const rows: FeedRow[] = [];
  let day = "";
  for (let at = activity.length - 1; at >= 0; at--) {
    const entry = activity[at];
    if (entry === undefined) continue;
    const own = dayOf(new Date(entry.at));
    if (own !== day) rows.push({ key: `day ${own}`, day: own });
    day = own;
    rows.push({ key: `${entry.seq} ${entry.type} ${entry.member ?? ""} ${entry.task ?? ""}`, entry });
  }
  return rows;
}
