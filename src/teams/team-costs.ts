import type { TeamDocument } from "../contract/documents/teams/team.ts";
import type { Core } from "../workspace/core.ts";

const PAGE = 200;

/** What each rank has cost, by the runs that belong to a team: its members, reviewers of their work, and whoever they started. */
export function costByRank(
  { runs }: Pick<Core, "runs">,
  { id, projectId }: Pick<TeamDocument, "id" | "projectId">,
): Record<string, number> {
  const cost: Record<string, number> = {};
  // Ids grow with time: no run of a team is older than the team.
  const first = `run-${id.slice("team-".length)}`;
  let before: string | undefined;
  do {
    const page = runs.list({ projectId, limit: PAGE, before }).map(({ run }) => run);
    for (const { team, rank, usage } of page) if (team?.id === id) cost[rank] = (cost[rank] ?? 0) + usage.costUsd;
    const last = page.at(-1)?.id;
    before = page.length < PAGE || last === undefined || last < first ? undefined : last;
  } while (before !== undefined);
  return cost;
}
