import type { PortfolioInitiative, PortfolioProject } from "../../contract/documents/autonomy/portfolio.ts";
import { TASK_PRIORITIES } from "../../contract/documents/task-status.ts";
import type { InitiativeStatus } from "../../contract/words/autonomy/lead-words.ts";
import type { Ledger } from "../../models/budget/ledger.ts";
import { spentOn } from "../../models/budget/spent-on.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { PlanSum } from "../../workspace/records.ts";

/** An agent at work on an initiative. */
interface LiveLead {
  id: string;
  projectId: string;
  initiative: string;
  status: string;
}

export interface PortfolioParts {
  core: Pick<Core, "projects" | "tasks" | "plans" | "runs">;
  /** What the plans of a project say. */
  statuses: (projectId: string) => readonly { slug: string; status?: InitiativeStatus | undefined }[];
  /** Drafts and pending ones. */
  escalations: () => readonly StoredEscalation[];
  /** Teams that have not ended. */
  teams: () => readonly { projectId: string }[];
  /** Leads at work, or waiting. */
  leads: () => readonly LiveLead[];
  ledger: Pick<Ledger, "tally" | "day">;
}

type Counts = PortfolioProject["tasks"];

/** The state of all projects that are not archived. Read from memory and in three queries, whatever their number. */
export function portfolioOf(parts: PortfolioParts): PortfolioProject[] {
  const { core, ledger } = parts;
  const { tally, day } = ledger;
  const sums = Map.groupBy(core.tasks.byPlan(), ({ projectId }) => projectId);
  const plans = Map.groupBy(core.plans.plans(), ({ projectId }) => projectId);
  const escalations = Map.groupBy(parts.escalations(), ({ projectId = "" }) => projectId);
  const leads = Map.groupBy(parts.leads(), ({ projectId }) => projectId);
  const runs = countBy(core.runs.unsettled().map(({ run }) => run.projectId));
  const teams = countBy(parts.teams().map(({ projectId }) => projectId));
  return core.projects.ids().flatMap((id) => {
    const project = core.projects.get(id);
    if (project === undefined || project.status === "archived") return [];
    const { name, status, config, updatedAt } = project;
    const [own = [], open = [], atWork = []] = [sums.get(id), escalations.get(id), leads.get(id)];
    const count = (wanted: string) => open.filter((one) => one.status === wanted).length;
    return {
      ...{ id, name, status, autonomy: config.autonomy ?? "off", goals: config.goals },
      initiatives: initiativesOf({
        ...{ core, plans: plans.get(id) ?? [], sums: own, open, leads: atWork },
        statuses: plans.has(id) ? parts.statuses(id) : [],
      }),
      tasks: countsOf(own),
      escalations: { draft: count("draft"), pending: count("pending") },
      running: { leads: atWork.length, runs: runs.get(id) ?? 0, teams: teams.get(id) ?? 0 },
      spent: {
        todayUsd: spentOn(tally, { scope: "project-day", id: day, projectId: id }),
        totalUsd: spentOn(tally, { scope: "project", projectId: id }),
      },
      activeAt: [updatedAt, ...own.map(({ changedAt }) => changedAt)].toSorted().at(-1) ?? updatedAt,
    };
  });
}

interface Found {
  core: Pick<Core, "tasks">;
  plans: readonly { slug: string; title: string }[];
  sums: readonly PlanSum[];
  open: readonly StoredEscalation[];
  leads: readonly LiveLead[];
  statuses: ReturnType<PortfolioParts["statuses"]>;
}

function initiativesOf({ core, plans, sums, open, leads, statuses }: Found): PortfolioInitiative[] {
  const titles = new Map(plans.map(({ slug, title }) => [slug, title]));
  const known = new Map(sums.map((sum) => [sum.plan, sum]));
  const slugs = new Set([...titles.keys(), ...sums.flatMap(({ plan }) => plan ?? [])]);
  const planOf = ({ initiative, blocksTask, projectId = "" }: StoredEscalation) =>
    initiative ?? (blocksTask === null ? undefined : core.tasks.record(projectId, blocksTask)?.plan);
  const asked = Map.groupBy(open, planOf);
  return [...slugs].sort().map((slug) => {
    const sum = known.get(slug);
    const status = statuses.find((plan) => plan.slug === slug)?.status;
    const lead = leads.find(({ initiative }) => initiative === slug);
    const priority = TASK_PRIORITIES[(sum?.urgency ?? 0) - 1];
    return {
      ...{
        slug,
        title: titles.get(slug) ?? slug,
        state: stateOf(sum),
        tasks: countsOf(sum === undefined ? [] : [sum]),
      },
      ...(status === undefined ? {} : { status }),
      ...(priority === undefined ? {} : { priority }),
      escalations: (asked.get(slug) ?? []).map(({ id }) => id),
      ...(lead === undefined ? {} : { lead: { id: lead.id, status: lead.status } }),
    };
  });
}

function stateOf(sum: PlanSum | undefined): PortfolioInitiative["state"] {
  if (sum === undefined || sum.total === 0) return "empty";
  if (sum.ready > 0) return "ready";
  return sum.done + sum.cancelled === sum.total ? "complete" : "waiting";
}

function countsOf(sums: readonly PlanSum[]): Counts {
  const of = (key: keyof Counts) => sums.reduce((total, sum) => total + sum[key], 0);
  return {
    ...{ total: of("total"), done: of("done"), ready: of("ready") },
    ...{ blocked: of("blocked"), underWay: of("underWay"), failed: of("failed") },
  };
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
