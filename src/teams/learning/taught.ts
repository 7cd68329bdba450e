import type { TaughtStatement } from "../../contract/documents/teams/team-lessons.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

const MOST_TOLD = 8;
const MOST_READ = 1_000;
const OF_TEAM = /^team-[0-9a-z]+$/;

/** What rework of past teams left in a project's knowledge, the newest first; what a person confirmed before the rest. */
export function taughtIn(knowledge: Pick<Hall["knowledge"], "list">, project: string): TaughtStatement[] {
  const query = { project, scope: "project", topic: "patterns", status: "current", limit: MOST_READ } as const;
  const taught = knowledge.list(query).statements.filter(({ origins }) => origins.some((one) => OF_TEAM.test(one)));
  return taught
    .toSorted((left, right) => ((left.date ?? "") < (right.date ?? "") ? 1 : -1))
    .map(({ id, text, status }) => ({ id, text, confirmed: status === "accepted" }))
    .toSorted((left, right) => Number(right.confirmed) - Number(left.confirmed))
    .slice(0, MOST_TOLD);
}

/** Of what a team was taught when it formed: what a person has removed or replaced since is not told, and what was confirmed is. */
export function stillTaught(
  knowledge: Pick<Hall["knowledge"], "list">,
  project: string,
  statements: readonly TaughtStatement[],
): TaughtStatement[] {
  if (statements.length === 0) return [];
  const query = { project, scope: "project", status: "current", limit: MOST_READ } as const;
  const known = new Map(knowledge.list(query).statements.map((one) => [one.id, one]));
  return statements.flatMap(({ id }) => {
    const found = known.get(id);
    return found === undefined ? [] : { id, text: found.text, confirmed: found.status === "accepted" };
  });
}
