import type { PortfolioProject } from "../../contract/documents/autonomy/portfolio.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { InitiativeStatus } from "../../contract/words/autonomy/lead-words.ts";
import type { Ledger } from "../../models/budget/ledger.ts";
import { spentOn } from "../../models/budget/spent-on.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { machineTimezone } from "../briefing/person-day.ts";
import type { Place } from "../leads/lead-store.ts";
import { initiativeIn } from "../leads/lead-world.ts";
import { closedFor } from "./hours.ts";
import type { IdeaFacts } from "./ideas.ts";
import type { KnownLead, LeadsPort } from "./leads-port.ts";
import { keyOf, type Limits, type Resting, type WorkFacts } from "./rank.ts";
import type { OrchestratorState } from "./state.ts";

const DAY_MS = 86_400_000;
const MOST_STALE = 200;
const MOST_CHECKS = 5;

export interface FactsParts {
  core: Core;
  hall: Hall;
  config: Pick<Config, "orchestrator" | "briefing">;
  portfolio: () => PortfolioProject[];
  leads: Pick<LeadsPort, "list">;
  ledger: Pick<Ledger, "tally" | "day">;
}

/** The state of the workspace as the orchestrator sees it, in one look. */
export class Orientation {
  readonly #parts: FactsParts;
  readonly projects: PortfolioProject[];
  readonly leads: readonly KnownLead[];
  readonly #resting: Map<string, Resting>;

  constructor(parts: FactsParts) {
    this.#parts = parts;
    this.projects = parts.portfolio().filter(({ status, autonomy }) => status === "active" && autonomy !== "off");
    this.leads = parts.leads.list();
    this.#resting = restingIn(parts.hall, this.projects);
  }

  work(state: OrchestratorState, more: Pick<WorkFacts, "answered" | "ended" | "isAsked">): WorkFacts {
    const today = this.#parts.core.clock().toISOString().slice(0, 10);
    const { projects, leads } = this;
    return { projects, leads, resting: this.#resting, cycles: state.cycles, today, ...more };
  }

  limits(): Limits {
    const { config } = this.#parts;
    const { maxLeads, dailyUsd, never } = config.orchestrator;
    return {
      maxLeads,
      isClosed: this.closedFor() > 0,
      isSpent: spentTodayUsd(this.#parts.ledger) >= dailyUsd,
      isForbidden: never.includes("lead"),
    };
  }

  /** Milliseconds until it may start something. */
  closedFor(): number {
    const { core, config } = this.#parts;
    return closedFor(config.orchestrator.hours, core.clock(), config.briefing.timezone ?? machineTimezone());
  }

  ideas(state: OrchestratorState): IdeaFacts {
    const { core, hall, config } = this.#parts;
    const { staleDays } = config.orchestrator;
    const before = new Date(core.clock().getTime() - staleDays * DAY_MS).toISOString();
    const statementsOf = (project: string) =>
      hall.knowledge.list({ project, scope: "project", status: "current", limit: 1 }).total;
    return {
      ...{ projects: this.projects, resting: this.#resting, known: state.proposals, staleDays },
      stale: staleDays === 0 ? [] : core.tasks.untouchedSince(before, MOST_STALE),
      statements: new Map(this.projects.map(({ id }) => [id, statementsOf(id)])),
      failing: new Map(this.projects.flatMap(({ id }) => failingCheck(hall, id))),
      folders: new Map(
        this.projects.flatMap(({ id }) => {
          const folder = core.projects.get(id)?.workdir;
          return folder === undefined ? [] : [[id, folder] as const];
        }),
      ),
    };
  }
}

/** What the work it started and its own decisions cost today. */
export function spentTodayUsd(ledger: FactsParts["ledger"]): number {
  return spentOn(ledger.tally, { scope: "orchestrator-day", id: ledger.day });
}

function restingIn(hall: Hall, projects: readonly PortfolioProject[]): Map<string, Resting> {
  const resting = new Map<string, Resting>();
  for (const { id, initiatives } of projects) {
    for (const { slug, state, status } of initiatives) {
      const isVague = () => state === "empty" && !hasGoals(hall, { projectId: id, initiative: slug });
      const why = restOf(status, isVague);
      if (why !== undefined) resting.set(keyOf(id, slug), why);
    }
  }
  return resting;
}

/** `isVague`: there is nothing in it to work on. */
function restOf(status: InitiativeStatus | undefined, isVague: () => boolean): Resting | undefined {
  if (status === undefined) return "no-plan";
  if (status === "complete") return "complete";
  if (status === "paused") return "initiative-paused";
  return isVague() ? "no-goals" : undefined;
}

function hasGoals(hall: Hall, place: Place): boolean {
  return (initiativeIn(hall, place)?.goals.length ?? 0) > 0;
}

function failingCheck(hall: Hall, projectId: string): [string, { id: string; steps: string; at: string }][] {
  const newest = hall.gates.checks(projectId, MOST_CHECKS).find(({ state }) => state === "finished");
  if (newest?.verdict !== "fail") return [];
  const steps = newest.steps.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);
  return [[projectId, { id: newest.id, steps: steps.join(", "), at: newest.endedAt ?? newest.startedAt }]];
}
