import type { AgentTeams } from "../../contract/documents/config.ts";
import type { TeamRequest } from "../../contract/documents/teams/team.ts";
import type { AutonomyLimits, AutonomyRequest } from "../../contract/documents/teams/team-autonomy.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { TeamFact } from "../machine/team-facts.ts";

type Yolo = AgentTeams["yolo"];

/** What a request leaves out is as `agentTeams.yolo` says, or as `before`. */
export function autonomyFact(
  asked: AutonomyRequest,
  { yolo, before = yolo, by }: { yolo: Yolo; before?: AutonomyLimits | undefined; by: string },
): Extract<TeamFact, { type: "autonomy-set" }> {
  const limits = {
    timeoutMinutes: asked.timeoutMinutes ?? before.timeoutMinutes,
    maxConcurrency: asked.maxConcurrency ?? before.maxConcurrency,
    maxRemediationRounds: asked.maxRemediationRounds ?? before.maxRemediationRounds,
    requireApprovalForSpecChanges: asked.requireApprovalForSpecChanges ?? before.requireApprovalForSpecChanges,
  };
  return { type: "autonomy-set", mode: asked.mode, limits, by };
}

/**
 * How a new team works: as its request says, else as the settings say. A request that names an approval wants to be asked, and
 * clients with a token of their own never start a team that nobody approves by leaving something out.
 */
export function autonomyOfRequest(
  { autonomy, approval }: Pick<TeamRequest, "autonomy" | "approval">,
  { mode }: Pick<Yolo, "mode">,
  actor: Actor,
): AutonomyRequest | undefined {
  if (autonomy !== undefined) {
    if (autonomy.mode === "off") return undefined;
    if (approval !== undefined && approval !== "none")
      throw new HallError(
        "invalid",
        "approval: an autonomous team asks for none. Leave it out, or set autonomy.mode to off.",
      );
    return autonomy;
  }
  const isPersons = actor.kind === "person" || actor.kind === "daemon";
  return mode === "off" || approval !== undefined || !isPersons ? undefined : { mode };
}

/** What an autonomous team may spend: the least of what is said. */
export function capOf(
  { costCapUsd }: Pick<AutonomyRequest, "costCapUsd">,
  { budgetUsd, settings }: { budgetUsd?: number | undefined; settings: AgentTeams },
): number {
  const usual = Math.min(settings.yolo.costCapUsd, settings.costCapUsd ?? Number.POSITIVE_INFINITY);
  const asked = Math.min(budgetUsd ?? Number.POSITIVE_INFINITY, costCapUsd ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(asked) ? asked : usual;
}
