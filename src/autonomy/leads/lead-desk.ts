import type { Lead, LeadBriefing } from "../../contract/documents/autonomy/lead.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { LeadStatus } from "../../contract/words/autonomy/lead-words.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { projectRoot } from "../../workspace/layout.ts";
import { assertActive } from "../../workspace/projects/project-rules.ts";
import { leadBriefing } from "./lead-briefing.ts";
import type { LeadCosts } from "./lead-costs.ts";
import type { LeadKeeper } from "./lead-keeper.ts";
import { decide } from "./lead-rule.ts";
import type { LeadLine, LeadState } from "./lead-state.ts";
import { type LeadStore, leadPaths, type Place } from "./lead-store.ts";
import { type WorldParts, worldOf } from "./lead-world.ts";
import type { LeadRequest, Leads } from "./leads.ts";
import { statementsOf } from "./report-rule.ts";

const LEAD_ID = /^lead-[a-z0-9-]{1,100}$/;
const BY_HAND = "Started manually.";

interface Parts extends WorldParts {
  core: Core;
  hall: Hall;
  store: LeadStore;
  keeper: LeadKeeper;
  costs: LeadCosts;
}

/** Leads, for the orchestrator and for the API. */
export class LeadDesk implements Leads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start({ id, projectId, initiative, startedBy, why }: LeadRequest, request?: Change["request"]): Promise<Lead> {
    const { store, keeper } = this.#parts;
    if (!LEAD_ID.test(id)) throw new HallError("invalid", `'${id}' is not the id of a lead.`);
    const place = { projectId, initiative };
    await keeper.alone(projectId, async () => {
      if (store.find(id) !== undefined) return;
      this.#assertMayStart(place);
      await this.#begin(place, { id, why, startedBy, request });
    });
    keeper.look(id);
    return this.#view(store.find(id), store.placeOf(id) ?? place);
  }

  list({ projectId }: { projectId?: string | undefined } = {}): Lead[] {
    const { store } = this.#parts;
    return store
      .all(projectId)
      .toSorted((left, right) => (left.started.at < right.started.at ? 1 : -1))
      .map((lead) => this.#view(lead, placeOf(lead)));
  }

  /** Those that work or wait, without what they cost. */
  live(): { id: string; projectId: string; initiative: string; status: LeadStatus; startedBy: string }[] {
    return this.#parts.store.open().map((lead) => {
      const place = placeOf(lead);
      return { id: lead.id, ...place, status: this.#statusOf(lead, place), startedBy: lead.started.startedBy };
    });
  }

  hasBegun(projectId: string, { treeId, teamId }: { treeId?: string; teamId?: string }, startedBy: string): boolean {
    if (treeId === undefined) return false;
    return this.#parts.store
      .all(projectId)
      .some(
        ({ started, runs, teams }) =>
          started.startedBy === startedBy && (runs.has(treeId) || (teamId !== undefined && teams.has(teamId))),
      );
  }

  async stop({ projectId, initiative, actor }: { projectId: string; initiative: string; actor: Actor }): Promise<Lead> {
    return this.#stop({ projectId, initiative }, { actor });
  }

  /** As the API asks for it. */
  readonly api = {
    list: ({ project, initiative, status, limit }: RouteQuery<"listLeads">): Lead[] => {
      if (project !== undefined) this.#parts.hall.projects.get(project);
      return this.list({ projectId: project })
        .filter((lead) => initiative === undefined || lead.initiative === initiative)
        .filter((lead) => status === undefined || lead.status === status)
        .slice(0, limit);
    },
    get: (id: string): Lead => {
      const lead = this.#parts.store.find(id);
      if (lead === undefined) throw new HallError("lead_refused", `There is no lead '${id}'.`);
      return this.#view(lead, placeOf(lead));
    },
    briefing: (projectId: string, initiative: string): LeadBriefing => {
      this.#parts.hall.documents.initiative(projectId, initiative);
      return this.#briefing({ projectId, initiative });
    },
    start: async (
      projectId: string,
      initiative: string,
      { why = BY_HAND }: { why?: string | undefined },
      change: Change,
    ) => {
      const id = `lead-${this.#parts.core.nextId().toLowerCase()}`;
      return this.start({ id, projectId, initiative, startedBy: change.actor, why }, change.request);
    },
    stop: (projectId: string, initiative: string, change: Change): Promise<Lead> =>
      this.#stop({ projectId, initiative }, change),
  };

  async #stop(place: Place, change: Change): Promise<Lead> {
    const { hall, keeper, store } = this.#parts;
    hall.documents.initiative(place.projectId, place.initiative);
    return keeper.alone(place.projectId, async () => {
      const last = store.of(place).at(-1);
      if (last === undefined || last.ended !== undefined)
        throw new HallError("lead_refused", `No lead is running for '${place.initiative}'.`);
      const { ready } = worldOf(this.#parts, last, place);
      await keeper.end(last, place, { status: "stopped", cause: "stopped", ready }, change);
      return this.#view(last, place);
    });
  }

  #assertMayStart(place: Place): void {
    const { hall, store } = this.#parts;
    const { projectId, initiative: slug } = place;
    assertActive(hall.projects.get(projectId), "no lead is started in it");
    const { status, goals, tasks, title } = hall.documents.initiative(projectId, slug);
    const refuse = (message: string, hint = "") => {
      throw new HallError("lead_refused", message, { hint });
    };
    store.assertReadable(place);
    if (status === "complete")
      refuse(`Initiative '${slug}' is complete.`, "Set its status to active to work on it again.");
    if (status === "paused") refuse(`Initiative '${slug}' is paused.`, "Set its status to active first.");
    if (goals.length === 0 && tasks.total === 0)
      refuse(`Initiative '${title}' has neither goals nor tasks.`, "Write its goals into the plan, or add a task.");
    for (const lead of store.open(projectId)) {
      const at = placeOf(lead);
      if (at.initiative === slug)
        refuse(`Initiative '${slug}' already has a lead: ${lead.id}.`, "Stop it, or wait until it reports.");
      if (this.#statusOf(lead, at) === "working")
        refuse(
          `The lead of '${at.initiative}' is working in project '${projectId}'.`,
          "One lead works in a project at a time. Stop it, or wait.",
        );
    }
  }

  async #begin(
    place: Place,
    { id, why, startedBy, request }: { id: string; why: string; startedBy: Actor; request: Change["request"] },
  ): Promise<void> {
    const { core, hall, store } = this.#parts;
    const { projectId, initiative } = place;
    const briefing = this.#briefing(place);
    const line: LeadLine = {
      ...{ type: "started", lead: id, at: core.clock().toISOString(), why, startedBy: whoIs(startedBy), briefing },
      statements: statementsOf(hall, projectId).map((statement) => statement.id),
    };
    const subject = { kind: "lead" as const, id };
    const event = { type: "lead.started" as const, actor: startedBy, projectId, subject, after: { initiative }, why };
    const content = `${briefing.text}\n`;
    await store.append(place, [line], {
      events: [{ ...event, ...(request && { request }) }],
      writes: [{ kind: "put", path: leadPaths(place).briefing, content, within: projectRoot(projectId) }],
    });
  }

  #briefing(place: Place): LeadBriefing {
    const before = this.#parts.store.of(place).findLast(({ ended }) => ended !== undefined);
    return leadBriefing(this.#parts.hall, place, before);
  }

  #statusOf(lead: LeadState, place: Place): LeadStatus {
    if (lead.ended !== undefined) return lead.ended.status;
    const step = decide(lead, worldOf(this.#parts, lead, place));
    return step.do === "nothing" ? step.status : "working";
  }

  #view(lead: LeadState | undefined, place: Place): Lead {
    if (lead === undefined) throw new Error(`The lead of '${place.initiative}' was not recorded.`);
    const { id, started, told, runs, teams, report, ended } = lead;
    const { at: startedAt, why, startedBy, briefing } = started;
    return {
      ...{ id, ...place, title: briefing.title, status: this.#statusOf(lead, place) },
      ...{ why, startedBy, startedAt },
      ...(ended === undefined ? {} : { endedAt: ended.at }),
      ...(ended?.cause === undefined ? {} : { cause: ended.cause }),
      ...(ended?.error === undefined ? {} : { error: ended.error }),
      ...{ rounds: told.length, runs: [...runs.keys()], teams: [...teams.keys()], briefing },
      ...(report === undefined ? {} : { report }),
      costUsd: this.#parts.costs.of(lead),
    };
  }
}

function placeOf({ started: { briefing } }: LeadState): Place {
  return { projectId: briefing.projectId, initiative: briefing.initiative };
}

function whoIs({ kind, id }: Actor): string {
  return id ?? kind;
}
