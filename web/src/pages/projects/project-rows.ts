import type { ProjectSummary } from "../../../../src/contract/documents/project.ts";
import type { CostRow } from "../../../../src/contract/routes/cost-routes.ts";
import type { Run } from "../../../../src/contract/runs/run.ts";

/** A project with what the hall knows of it elsewhere. */
export interface ProjectRow extends ProjectSummary {
  atWork: number;
  today: number;
  overall: number;
  /** False: a price was not known, and the cost is the least it can have been. */
  costKnown: boolean;
}

export const ORDERS = { activity: "Last activity", name: "Name", open: "Open tasks", cost: "Cost" } as const;
export type Order = keyof typeof ORDERS;

interface Found {
  projects: readonly ProjectSummary[];
  running?: readonly Pick<Run, "projectId">[] | undefined;
  today?: readonly CostRow[] | undefined;
  overall?: readonly CostRow[] | undefined;
}

export function projectRows({ projects, running = [], today = [], overall = [] }: Found): ProjectRow[] {
  const atWork = Map.groupBy(running, ({ projectId }) => projectId);
  const spentToday = new Map(today.map((row) => [row.key, row]));
  const spent = new Map(overall.map((row) => [row.key, row]));
  return projects.map((project) => ({
    ...project,
    atWork: atWork.get(project.id)?.length ?? 0,
    today: spentToday.get(project.id)?.costUsd ?? 0,
    overall: spent.get(project.id)?.costUsd ?? 0,
    costKnown: (spent.get(project.id)?.unpriced ?? 0) === 0,
  }));
}

/** Every word has to occur in the name, the id or the description. */
export function matching(
  rows: readonly ProjectRow[],
  { text, status }: { text: string; status: string },
): ProjectRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (status !== "all" && row.status !== status) return false;
    const said = `${row.name} ${row.id} ${row.description}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

const open = ({ taskCount }: ProjectRow) => taskCount.todo + taskCount.inProgress + taskCount.review;

const BY: Record<Order, (a: ProjectRow, b: ProjectRow) => number> = {
  // Those at work come first: theirs is the last activity.
  activity: (a, b) => Number(b.atWork > 0) - Number(a.atWork > 0) || Date.parse(b.activeAt) - Date.parse(a.activeAt),
  name: (a, b) => a.name.localeCompare(b.name),
  open: (a, b) => open(b) - open(a),
  cost: (a, b) => b.overall - a.overall,
};

export function ordered(rows: readonly ProjectRow[], order: Order): ProjectRow[] {
  return rows.toSorted((a, b) => BY[order](a, b) || a.id.localeCompare(b.id));
}

export function countByStatus(rows: readonly ProjectRow[]): Map<string, number> {
  const counts = new Map([["all", rows.length]]);
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
