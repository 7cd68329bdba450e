import { spentOn } from "../../models/budget/spent-between.ts";
import type { Core } from "../../workspace/core.ts";
import type { LeadState } from "./lead-state.ts";

interface Parts {
  core: Pick<Core, "files" | "clock" | "runs">;
  /** What a team has cost so far. */
  teamCost: (teamId: string) => number;
}

/** The ledger is read again for an open lead after this long. */
const FRESH_MS = 10_000;

/** What leads cost: their own answers, by the ledger, and their runs and teams. */
export class LeadCosts {
  readonly #parts: Parts;
  readonly #own = new Map<string, { at: number; usd: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A lead that works costs at least this; the last seconds may be missing. */
  of(lead: LeadState): number {
    return lead.ended?.costUsd ?? this.#sum(lead);
  }

  /** For the record: by the ledger as it is now. */
  last(lead: LeadState): number {
    this.#own.delete(lead.id);
    const usd = this.#sum(lead);
    this.#own.delete(lead.id);
    return usd;
  }

  #sum(lead: LeadState): number {
    const { core, teamCost } = this.#parts;
    const runs = [...lead.runs.keys()].map((id) => core.runs.get(id)?.run.usage.costUsd ?? 0);
    const teams = [...lead.teams.keys()].map(teamCost);
    return [this.#ownOf(lead), ...runs, ...teams].reduce((sum, usd) => sum + usd, 0);
  }

  /** Calls of the project's agent since it began. */
  #ownOf({ id, started: { at, briefing } }: LeadState): number {
    const { core } = this.#parts;
    const until = core.clock();
    const known = this.#own.get(id);
    if (known !== undefined && Math.abs(until.getTime() - known.at) < FRESH_MS) return known.usd;
    const usd = spentOn(core.files, { from: new Date(at), until }, ({ projectId, runId, teamId }) => {
      return projectId === briefing.projectId && runId === undefined && teamId === undefined;
    });
    this.#own.set(id, { at: until.getTime(), usd });
    return usd;
  }
}
