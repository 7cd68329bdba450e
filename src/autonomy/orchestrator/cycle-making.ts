import type { Cause, Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import type { EventDraft } from "../../contract/event.ts";
import { HOLD_WORDS } from "../../contract/words/autonomy/orchestrator-words.ts";
import { BY_DAEMON } from "../../workspace/core.ts";
import { orchestratorPath } from "../../workspace/layout.ts";
import type { Choice, Judge } from "./choose.ts";
import { cycleText, dayHeading } from "./cycle-text.ts";
import type { OrchestratorEffects, Start } from "./effects.ts";
import { type FactsParts, Orientation, spentTodayUsd } from "./facts.ts";
import { ideasIn } from "./ideas.ts";
import { isAtWork, type KnownLead } from "./leads-port.ts";
import type { OrchestratorLog } from "./log.ts";
import { Proposals } from "./proposals.ts";
import { assign, type Held, keyOf, markOf, rank, whyNone, whyOf } from "./rank.ts";
import { MOST_CYCLES } from "./state.ts";

interface Parts extends FactsParts {
  log: OrchestratorLog;
  effects: OrchestratorEffects;
  judge: Judge;
  review: (id: string) => void;
  /** Why nothing is done any more in a project, or anywhere; in words for people. */
  whyNot: (projectId: string | undefined) => string | undefined;
}

/** What comes after a cycle: another at once, or one when the hour or the day allows it. */
interface Due {
  again: boolean;
  inMs?: number | undefined;
}

const MAY_RETRY_MS = 60_000;
const LONGEST_SUMMARY = 1_000;

/** Makes one cycle: orient, check what was unblocked, look for new work, assign, monitor. */
export class CycleMaking {
  readonly #parts: Parts;
  readonly #proposals: Proposals;
  /** Leads whose end was recorded. */
  readonly #reported = new Set<string>();
  /** What the cycle before saw: the same again is not recorded. */
  #seen = "";

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#proposals = new Proposals(parts);
    for (const { results } of parts.log.state.cycles) for (const { leadId } of results) this.#reported.add(leadId);
  }

  async run(seen: Orientation, causes: readonly Cause[]): Promise<Due> {
    const { log, judge, config } = this.#parts;
    const settled = await this.#proposals.settle();
    const isAsked = causes.some(({ kind }) => kind === "asked");
    const limits = seen.limits();
    const results = this.#results(seen);
    const answered = this.#answeredIn(causes);
    const ranked = rank(seen.work(log.state, { answered, ended: results, isAsked }), limits);
    const { ordered, order } = await judge.order(ranked.candidates, ranked.places);
    const { chosen, held } = assign(ordered, ranked.places);
    const ideas =
      config.orchestrator.generate === "propose" && !limits.isClosed && !limits.isSpent
        ? ideasIn(seen.ideas(log.state))
        : [];
    const planned = await this.#proposals.plan(ideas, seen.projects);
    const cycle: Cycle = {
      ...this.#saw(seen, causes, order),
      results,
      reviewed: this.#drafts(seen),
      starts: chosen.map((one) => ({
        ...{
          leadId: `lead-${this.#parts.core.nextId().toLowerCase()}`,
          projectId: one.projectId,
          initiative: one.initiative,
        },
        ...{ why: whyOf(one), outcome: "pending" as const, mark: one.mark, done: one.done },
      })),
      held: [...ranked.held, ...held],
      proposals: [...settled, ...planned].map(({ proposed }) => proposed),
    };
    if (this.#isNew(cycle, causes)) {
      await log.append([{ type: "cycle", cycle }, ...[...settled, ...planned].map(({ line }) => line)]);
      await this.complete(cycle);
    }
    const last = log.state.cycles.at(-1);
    const isLast = last?.id === cycle.id;
    const hasDone = isLast && last.proposals.some(({ outcome }) => outcome === "done");
    // Its place is for another one.
    const hasFailed = isLast && last.starts.some(({ outcome }) => outcome === "failed");
    return { again: hasDone || hasFailed, inMs: this.#waitFor(seen, cycle.held) };
  }

  /** Carries out what a cycle decided and was not carried out yet, and ends it. */
  async complete(cycle: Cycle): Promise<void> {
    const { log, effects, core, review } = this.#parts;
    let now = cycle;
    for (const id of cycle.reviewed) review(id);
    for (const [index, start] of cycle.starts.entries()) {
      if (start.outcome !== "pending") continue;
      const done = await effects.start(start, (one) => this.#whyNot(one));
      now = { ...now, starts: now.starts.with(index, done) };
      await log.append([{ type: "cycle", cycle: now }]);
    }
    for (const [index, proposed] of cycle.proposals.entries()) {
      if (proposed.outcome !== "pending") continue;
      const done = await this.#proposals.carryOut(proposed);
      now = { ...now, proposals: now.proposals.with(index, done.proposed) };
      await log.append([{ type: "cycle", cycle: now }, ...done.lines]);
    }
    const ended = { ...now, endedAt: core.clock().toISOString() };
    const day = cycle.at.slice(0, 10);
    const path = orchestratorPath(day);
    if (!core.files.exists("orchestrator")) await core.files.ensureFolder("orchestrator");
    const text = core.files.exists(path) ? cycleText(ended) : `${dayHeading(day)}\n\n${cycleText(ended)}`;
    const write = { kind: "append" as const, path, line: text };
    await log.append([{ type: "cycle", cycle: ended }], { events: [eventOf(ended)], writes: [write] });
    for (const { leadId } of ended.results) this.#reported.add(leadId);
  }

  /** Looked at when it is about to be started: a model was asked meanwhile, or the daemon was not running. */
  #whyNot({ projectId }: Start): string | undefined {
    const { leads, whyNot } = this.#parts;
    const limits = new Orientation(this.#parts).limits();
    const reason =
      whyNone(limits) ?? (leads.list().filter(isAtWork).length < limits.maxLeads ? undefined : "lead-limit");
    return whyNot(projectId) ?? (reason === undefined ? undefined : `Meanwhile ${HOLD_WORDS[reason]}.`);
  }

  #saw({ projects, leads }: Orientation, causes: readonly Cause[], order: Choice["order"]) {
    const { core, hall, ledger } = this.#parts;
    const sum = (of: (project: Orientation["projects"][number]) => number) =>
      projects.reduce((total, project) => total + of(project), 0);
    return {
      id: `cycle-${core.nextId()}`,
      at: core.clock().toISOString(),
      causes: [...causes],
      saw: {
        projects: projects.length,
        initiatives: sum(({ initiatives }) => initiatives.length),
        ready: sum(({ tasks }) => tasks.ready),
        blocked: sum(({ tasks }) => tasks.blocked),
        drafts: sum(({ escalations }) => escalations.draft),
        pending: sum(({ escalations }) => escalations.pending),
        leads: leads.filter(isAtWork).length,
        knowledge: hall.knowledge.list({ scope: "hall", status: "current", limit: 1 }).total,
        spentUsd: spentTodayUsd(ledger),
      },
      order,
    };
  }

  /** Of leads that ended since the cycle before, in projects that it may look at. */
  #results({ leads, projects }: Orientation): Cycle["results"] {
    const { cycles } = this.#parts.log.state;
    const since = (cycles.at(-MOST_CYCLES) ?? cycles[0])?.at;
    const isNew = ({ id, endedAt, ...lead }: KnownLead) =>
      since !== undefined && endedAt !== undefined && endedAt >= since && !isAtWork(lead) && !this.#reported.has(id);
    return leads.filter(isNew).map(({ id, projectId, initiative: slug, status, error, report }) => {
      const summary = report?.summary ?? error;
      const initiatives = projects.find((one) => one.id === projectId)?.initiatives;
      const left = initiatives?.find((one) => one.slug === slug);
      return {
        ...{ leadId: id, projectId, initiative: slug, status },
        ...(summary === undefined ? {} : { summary: summary.slice(0, LONGEST_SUMMARY) }),
        ...(left === undefined ? {} : { mark: markOf(left), done: left.tasks.done }),
      };
    });
  }

  #drafts({ projects }: Orientation): string[] {
    const ids = new Set(projects.map(({ id }) => id));
    return this.#parts.hall.escalations
      .open()
      .filter(({ status, projectId }) => status === "draft" && projectId !== undefined && ids.has(projectId))
      .map(({ id }) => id);
  }

  #answeredIn(causes: readonly Cause[]): Set<string> {
    const { core, hall } = this.#parts;
    const ids = new Set(causes.flatMap(({ kind, id }) => (kind === "answer" && id !== undefined ? [id] : [])));
    if (ids.size === 0) return new Set();
    const { escalations } = hall.escalations.list({ status: "resolved", limit: 100 });
    return new Set(
      escalations.flatMap(({ id, projectId, initiative, blocksTask }) => {
        if (!ids.has(id) || projectId === undefined) return [];
        const plan = initiative ?? (blocksTask === null ? undefined : core.tasks.record(projectId, blocksTask)?.plan);
        return plan === undefined ? [] : [keyOf(projectId, plan)];
      }),
    );
  }

  /** A look that found the same as the one before leaves no record, unless someone asked for it. */
  #isNew(cycle: Cycle, causes: readonly Cause[]): boolean {
    const isAsked = causes.some(({ kind }) => kind === "asked" || kind === "trigger");
    const key = JSON.stringify([cycle.held, cycle.reviewed, cycle.order.fallback ?? ""]);
    const isSame = key === this.#seen;
    this.#seen = key;
    return isAsked || !isSame || cycle.starts.length + cycle.results.length + cycle.proposals.length > 0;
  }

  #waitFor(seen: Orientation, held: readonly Held[]): number | undefined {
    if (held.some(({ reason }) => reason === "closed-hours")) return seen.closedFor();
    if (held.some(({ reason }) => reason === "money-spent" || reason === "too-often"))
      return untilTomorrow(this.#parts.core.clock());
    return undefined;
  }
}

function untilTomorrow(now: Date): number {
  const tomorrow = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`) + 86_400_000;
  return Math.max(MAY_RETRY_MS, tomorrow - now.getTime());
}

function eventOf({ id, starts, proposals }: Cycle): EventDraft {
  const started = starts.filter(({ outcome }) => outcome === "started").length;
  return {
    type: "orchestrator.cycle",
    actor: BY_DAEMON,
    subject: { kind: "orchestrator", id: "orchestrator" },
    after: { cycle: id, started, proposed: proposals.length },
  };
}
