import type { ProjectStatus } from "../../contract/documents/project.ts";
import type { TurnOutcome } from "../../contract/runs/session.ts";
import type { InitiativeStatus, LeadCause } from "../../contract/words/autonomy/lead-words.ts";
import type { LeadState } from "./lead-state.ts";

/** Rounds in a row without any progress before a lead has failed. */
const MOST_IDLE_ROUNDS = 3;
const MOST_ROUNDS = 60;

/** What there is to see when it is decided how a lead goes on. */
export interface LeadWorld {
  /** Undefined: removed. `invalid`: its files can't be read now. */
  project: ProjectStatus | "invalid" | undefined;
  initiative: InitiativeStatus | undefined;
  /** What it was told last stands in the channel: a crash may have come between. */
  isSaid: boolean;
  /** Its agent has a message of this lead to deal with. */
  isSpokenTo: boolean;
  /** How its last turn ended, where that is known. */
  outcome: TurnOutcome | undefined;
  /** It begins nothing more until the hours that the person set. */
  isOffHours: boolean;
  /** Its runs and teams that go on, and those among them that wait for the person. */
  atWork: number;
  parked: number;
  /** Tasks that it could take now. */
  ready: readonly string[];
  /** Changes with everything that counts as progress. */
  mark: string;
}

export type LeadStep =
  | { do: "nothing"; status: "working" | "waiting" }
  | { do: "tell"; round: number }
  | { do: "say"; round: number }
  | { do: "end"; status: "idle" | "failed" | "stopped"; cause?: LeadCause };

type Going = Pick<LeadState, "told" | "report">;

/** How a lead goes on. Pure: the same state and world give the same step, however often it is asked. */
export function decide(lead: Going, world: LeadWorld): LeadStep {
  if (world.project === "invalid") return { do: "nothing", status: "waiting" };
  const isReported = lead.report !== undefined;
  const gone = isReported ? undefined : withdrawn(world);
  if (gone !== undefined) return { do: "end", status: "stopped", cause: gone };
  if (lead.told.length > 0 && !world.isSaid) return { do: "say", round: lead.told.length };
  if (world.isSpokenTo && world.project === "active") return { do: "nothing", status: "working" };
  if (isReported) return { do: "end", status: "idle" };
  if (world.outcome === "stopped") return { do: "end", status: "stopped", cause: "stopped" };
  if (world.isOffHours) return { do: "nothing", status: "waiting" };
  if (lead.told.length === 0) return { do: "tell", round: 1 };
  if (isWaiting(world)) return { do: "nothing", status: "waiting" };
  const failure = failureOf(lead, world);
  if (failure !== undefined) return { do: "end", status: "failed", cause: failure };
  return { do: "tell", round: lead.told.length + 1 };
}

function withdrawn({ project, initiative }: LeadWorld): LeadCause | undefined {
  if (project !== "active") return "project_inactive";
  if (initiative === undefined) return "initiative_removed";
  if (initiative === "paused") return "initiative_paused";
  return initiative === "complete" ? "initiative_complete" : undefined;
}

/** What waits for the person keeps nobody from the tasks that are ready. */
export function isWaiting({ atWork, parked, ready }: Pick<LeadWorld, "atWork" | "parked" | "ready">): boolean {
  return atWork > parked || (parked > 0 && ready.length === 0);
}

function failureOf({ told }: Going, { mark, outcome, ready }: LeadWorld): LeadCause | undefined {
  const last = told.slice(-MOST_IDLE_ROUNDS);
  if (last.length === MOST_IDLE_ROUNDS && last.every((one) => one.mark === mark)) {
    if (outcome === "failed" || outcome === "refused") return "turn_failed";
    return ready.length > 0 ? "no_progress" : "not_reported";
  }
  return told.length >= MOST_ROUNDS ? "too_many_rounds" : undefined;
}
