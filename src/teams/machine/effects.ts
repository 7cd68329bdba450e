import type { LeadStep } from "./team-state.ts";

/** What the state says should be, and is not yet. Each is known by an id that the log has, so carrying it out twice does it once. */
export type TeamEffect =
  /** The team's branch, off the base. Owed with the first run, and done where the branch exists. */
  | { do: "branch" }
  /** Whether a worktree of the project can be set up, before anyone is paid. To be answered with `setup-tried`. */
  | { do: "try-setup" }
  | { do: "lead"; step: LeadStep; runId: string }
  /** The next of those that have no task on the board; `left`: how many there are. */
  | { do: "create-tasks"; left: number }
  | { do: "ask"; number: number }
  | { do: "withdraw"; number: number }
  | { do: "work"; key: string; runId: string }
  /** A run that continues the result of another one, which conflicts with what was merged before it. */
  | { do: "resolve"; key: string; runId: string; of: string }
  /** Helps a member that is stuck. To be answered with `health-acted`. */
  | { do: "help"; number: number }
  | { do: "change-model"; runId: string; model: string }
  | { do: "check" }
  | { do: "look"; runId: string }
  /**
   * Criteria that need nobody who looks, on the team's branch: whether a passing test names the requirement, and how commands end.
   * To be answered with one `criteria-checked` without a run; criteria that it leaves out count as unmet.
   */
  | { do: "run-criteria" }
  /** The run ended without a result of its own: the team's branch is delivered all the same. */
  | { do: "deliver"; runId: string }
  /** What a run delivers conflicts with the base: it is given back to the team, which repairs it. */
  | { do: "take-back"; runId: string; reason: string }
  | { do: "cancel"; runIds: string[] };
