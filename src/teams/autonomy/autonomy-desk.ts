import type { AgentTeams } from "../../contract/documents/config.ts";
import type { AutonomyRequest } from "../../contract/documents/teams/team-autonomy.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { Change } from "../../workspace/change.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import { autonomyOf } from "../machine/autonomy/autonomy-phase.ts";
import { autonomyView, proposalViews } from "../machine/autonomy/autonomy-view.ts";
import { isCapReached, resumed } from "../machine/autonomy/pausing.ts";
import type { TeamFact } from "../machine/team-facts.ts";
import type { TeamState } from "../machine/team-state.ts";
import { whoIs } from "../team-start.ts";
import { autonomyFact, capOf } from "./autonomy-order.ts";

export interface AutonomyParts {
  settings: AgentTeams;
  now: () => string;
  /** What the ledger says of a team's budget. */
  moneyOf: (id: string) => { isCapReached: boolean; spentUsd: number };
}

/** What a person says of how a team works without them. */
export class AutonomyDesk {
  readonly #parts: AutonomyParts;

  constructor(parts: AutonomyParts) {
    this.#parts = parts;
  }

  show(state: TeamState): RouteResponse<"getTeamAutonomy"> {
    const { settings, now } = this.#parts;
    const { mode: _, costCapUsd: _cap, ...limits } = settings.yolo;
    const never = {
      ...{ mode: "off" as const, phase: "idle" as const, usedMinutes: 0, costCapUsd: state.budgetUsd },
      ...limits,
    };
    return { autonomy: autonomyView(state, now()) ?? never, proposals: proposalViews(state) };
  }

  /** The facts of another mode or other limits. */
  set(state: TeamState, asked: AutonomyRequest, { actor }: Change): TeamFact[] {
    const { settings } = this.#parts;
    const { document, autonomy, budgetUsd } = state;
    if (asked.mode !== "off") assertActorMay(actor, "answer");
    if (hasEnded(state.status)) throw new HallError("team_refused", `Team '${document.id}' is ${state.status}.`);
    const by = whoIs(actor);
    const isOn = autonomyOf(state) !== undefined;
    if (!isOn && asked.mode === "off") return [];
    const before = isOn ? autonomy?.limits : undefined;
    const fact = autonomyFact(asked, { yolo: settings.yolo, before, by });
    if (asked.mode === "off") return [fact];
    const cap = isOn
      ? (asked.costCapUsd ?? budgetUsd)
      : (asked.costCapUsd ?? capOf(asked, { budgetUsd: budgetUsd ?? undefined, settings }));
    if (cap === budgetUsd) return [fact];
    if (budgetUsd !== null && (cap === null || cap > budgetUsd)) assertActorMay(actor, "setBudget");
    return [fact, ...this.budget(state, cap, by)];
  }

  /** A raised budget is the answer to a team that reached it. */
  budget(state: TeamState, budgetUsd: number | null, by: string): TeamFact[] {
    const isRaised = budgetUsd === null || (state.budgetUsd !== null && budgetUsd > state.budgetUsd);
    const changed: TeamFact = { type: "budget-changed", budgetUsd, by };
    return isRaised && autonomyOf(state)?.pauseReason === "cost-cap" ? [changed, ...resumed(state, by)] : [changed];
  }

  /** The facts of a person's "go on". Refused where no call would be let through. */
  resume(state: TeamState, by: string): TeamFact[] {
    const { id } = state.document;
    const isHeld = autonomyOf(state)?.pauseReason === "cost-cap" && isCapReached(state, this.#parts.moneyOf(id));
    if (!isHeld) return resumed(state, by);
    const cap = `$${(state.budgetUsd ?? 0).toFixed(2)}`;
    throw new HallError("team_refused", `Team '${id}' has reached its cost cap of ${cap}.`, {
      hint: "Raise its budget; the team continues at once.",
    });
  }
}
