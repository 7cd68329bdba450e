import type { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import type { PortfolioInitiative, PortfolioProject } from "../../contract/documents/autonomy/portfolio.ts";
import { TASK_PRIORITIES } from "../../contract/documents/task-status.ts";
import type { HoldReason } from "../../contract/words/autonomy/orchestrator-words.ts";
import { isAtWork, type KnownLead } from "./leads-port.ts";

/** An initiative is started at most so often on one day. */
const MOST_STARTS = 10;

/** What a plan says against working on it. */
export type Resting = "complete" | Extract<HoldReason, "initiative-paused" | "no-goals" | "no-plan">;

export interface WorkFacts {
  /** Active projects in which the orchestrator may work. */
  projects: readonly PortfolioProject[];
  /** The newest first. */
  leads: readonly KnownLead[];
  /** Initiatives that can't be worked on as their plans are, as `project/initiative`. */
  resting: ReadonlyMap<string, Resting>;
  /** Initiatives of which an escalation was answered since the cycle before. */
  answered: ReadonlySet<string>;
  /** Ended cycles and the one under way, the oldest first. */
  cycles: readonly Cycle[];
  /** Of leads that ended since. */
  ended: Cycle["results"];
  /** UTC. */
  today: string;
  /** The person wants this cycle: work that made no progress is tried again. */
  isAsked: boolean;
}

/** What keeps everything from being started. */
export interface Limits {
  maxLeads: number;
  isClosed: boolean;
  isSpent: boolean;
  isForbidden: boolean;
}

export interface Candidate {
  key: string;
  projectId: string;
  initiative: string;
  title: string;
  /** 0: none of its tasks is ready. */
  urgency: number;
  done: number;
  total: number;
  ready: number;
  isAnswered: boolean;
  mark: string;
}

export interface Held {
  projectId: string;
  initiative?: string | undefined;
  reason: HoldReason;
}

export interface Ranked {
  /** In the order of the rule: the first are started. */
  candidates: Candidate[];
  held: Held[];
  /** How many can be started now. */
  places: number;
}

export function keyOf(projectId: string, initiative: string): string {
  return `${projectId}/${initiative}`;
}

/** Changes with everything about an initiative that could let an agent do more. */
export function markOf({
  tasks,
  escalations,
  state,
}: Pick<PortfolioInitiative, "tasks" | "escalations" | "state">): string {
  const { total, done, ready, blocked, underWay, failed } = tasks;
  return [state, total, done, ready, blocked, underWay, failed, ...escalations].join(" ");
}

/** What could be started, in order, and why the rest is not. Pure. */
export function rank(facts: WorkFacts, limits: Limits): Ranked {
  const held: Held[] = [];
  const candidates: Candidate[] = [];
  const atWork = facts.leads.filter(isAtWork);
  const starts = startsIn(facts);
  for (const project of facts.projects)
    for (const initiative of project.initiatives) {
      const found = judge(facts, { project, initiative, atWork, starts });
      if (found === "complete") continue;
      if (typeof found === "string") held.push({ projectId: project.id, initiative: initiative.slug, reason: found });
      else candidates.push(found);
    }
  const reason = whyNone(limits);
  if (reason !== undefined) return { candidates: [], held: [...held, ...candidates.map(heldFor(reason))], places: 0 };
  return { candidates: candidates.sort(byRule), held, places: Math.max(0, limits.maxLeads - atWork.length) };
}

/** Of each project one, as long as there are places; the others are held. */
export function assign(ordered: readonly Candidate[], places: number): { chosen: Candidate[]; held: Held[] } {
  const chosen: Candidate[] = [];
  const held: Held[] = [];
  for (const candidate of ordered)
    if (chosen.some(({ projectId }) => projectId === candidate.projectId))
      held.push(heldFor("lead-at-work")(candidate));
    else if (chosen.length >= places) held.push(heldFor("lead-limit")(candidate));
    else chosen.push(candidate);
  return { chosen, held };
}

function heldFor(reason: HoldReason): (candidate: Candidate) => Held {
  return ({ projectId, initiative }) => ({ projectId, initiative, reason });
}

export function whyNone({ isForbidden, isClosed, isSpent }: Limits): HoldReason | undefined {
  if (isForbidden) return "forbidden";
  if (isClosed) return "closed-hours";
  return isSpent ? "money-spent" : undefined;
}

interface Judged {
  project: PortfolioProject;
  initiative: PortfolioInitiative;
  atWork: readonly KnownLead[];
  starts: ReadonlyMap<string, readonly Started[]>;
}

function judge(facts: WorkFacts, { project, initiative, atWork, starts }: Judged): Candidate | HoldReason | "complete" {
  const { slug, title, state, tasks, escalations, priority } = initiative;
  const key = keyOf(project.id, slug);
  const resting = facts.resting.get(key);
  if (state === "complete") return "complete";
  if (resting !== undefined) return resting;
  if (atWork.some(({ projectId }) => projectId === project.id)) return "lead-at-work";
  const last = facts.leads.find((lead) => lead.projectId === project.id && lead.initiative === slug);
  if (last?.status === "stopped" && last.cause === "stopped") return "stopped-by-person";
  if (tasks.ready === 0 && escalations.length > 0) return "waits-for-answer";
  if (state === "waiting") return "nothing-ready";
  const mark = markOf(initiative);
  const before = starts.get(key) ?? [];
  const latest = facts.isAsked ? undefined : before.at(-1);
  if (latest?.mark === mark) return latest.outcome === "failed" ? "could-not-start" : "no-progress";
  if (latest !== undefined && hasWasted(latest, mark)) return "no-progress";
  if (before.filter(({ at }) => at.startsWith(facts.today)).length >= MOST_STARTS) return "too-often";
  return {
    ...{ key, projectId: project.id, initiative: slug, title, mark },
    urgency: priority === undefined ? 0 : TASK_PRIORITIES.indexOf(priority) + 1,
    ...{ done: tasks.done, total: tasks.total, ready: tasks.ready },
    isAnswered: facts.answered.has(key),
  };
}

interface Started {
  at: string;
  mark: string;
  outcome: Cycle["starts"][number]["outcome"];
  done?: number | undefined;
  /** How its agent ended. */
  end?: Cycle["results"][number] | undefined;
}

/** Its agent failed and got nothing done, and nobody changed anything since: tasks that it only created are no progress. */
function hasWasted({ done = 0, end }: Started, mark: string): boolean {
  return end?.status === "failed" && end.mark === mark && (end.done ?? 0) <= done;
}

/** What the person did not allow counts as if it had never been decided. */
export function isAttempt(outcome: Started["outcome"]): boolean {
  return outcome === "started" || outcome === "failed";
}

function startsIn({ cycles, ended }: Pick<WorkFacts, "cycles" | "ended">): Map<string, Started[]> {
  const starts = new Map<string, Started[]>();
  const all = [...cycles.flatMap(({ results }) => results), ...ended];
  const ends = new Map(all.map((end) => [end.leadId, end]));
  for (const { at, starts: made } of cycles)
    for (const { outcome, projectId, initiative, mark, done, leadId } of made) {
      if (!isAttempt(outcome)) continue;
      const key = keyOf(projectId, initiative);
      starts.set(key, [...(starts.get(key) ?? []), { at, mark, outcome, done, end: ends.get(leadId) }]);
    }
  return starts;
}

/** The most urgent first; then what was just answered, then what is furthest, so that what was begun is finished. */
function byRule(one: Candidate, other: Candidate): number {
  const share = ({ done, total }: Candidate) => (total === 0 ? 0 : done / total);
  return (
    other.urgency - one.urgency ||
    Number(other.isAnswered) - Number(one.isAnswered) ||
    share(other) - share(one) ||
    (one.key < other.key ? -1 : 1)
  );
}

/** In the words of the briefing and the record. */
export function whyOf({ ready, done, total, urgency, isAnswered }: Candidate): string {
  const priority = TASK_PRIORITIES[urgency - 1];
  const progress = total === 0 ? "It has no tasks yet." : `${done}/${total} tasks done, ${ready} ready.`;
  const answered = isAnswered ? ["Its questions were answered."] : [];
  const top = priority === undefined ? [] : [`Highest priority: ${priority}.`];
  return [progress, ...answered, ...top].join(" ");
}
