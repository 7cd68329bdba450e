import { COMPACT_MESSAGE, HALL_MESSAGE } from "../../contract/runs/hall-message.ts";
import type { TeamRuns } from "../../runs/plan/team-runs.ts";
import type { TeamFact } from "../machine/team-facts.ts";
import type { HealthRecord, TeamState } from "../machine/team-state.ts";

type Runs = Pick<TeamRuns, "tell" | "restart">;

/**
 * Does for a member what was decided. Messages have ids that follow from the issue, and a restart knows the epoch that it ends: doing it
 * again does it once.
 */
export async function help(runs: Runs, { document, health }: TeamState, number: number): Promise<TeamFact[] | "waits"> {
  const record = health.open.get(number);
  if (record === undefined || record.outcome !== undefined) return [];
  const isTold = await runs.tell(record.runId, { id: messageId(document.id, record), text: words(record) });
  if (!isTold) return [{ type: "health-acted", number, outcome: "too-late" }];
  if (record.action !== "restart") return [{ type: "health-acted", number, outcome: "done" }];
  const restarted = await runs.restart(record.runId, record.epoch);
  if (restarted === "waits") return "waits";
  return [{ type: "health-acted", number, outcome: restarted === "done" ? "done" : "too-late" }];
}

function messageId(teamId: string, { number, issue, action }: HealthRecord): string {
  const isCompaction = action === "compact" || issue === "context-exhaustion";
  return `${isCompaction ? COMPACT_MESSAGE : HALL_MESSAGE}health-${teamId}-${number}`;
}

function words({ issue, reason, action }: HealthRecord): string {
  const restarted = action === "restart" ? " Guildhall restarted you where you were; verify what you were at." : "";
  return `[from Guildhall] ${reason}${restarted} ${ADVICE[issue]}`;
}

const ADVICE: Readonly<Record<HealthRecord["issue"], string>> = {
  stall: "Take the next step of your task now. If you can't continue, report what blocks you.",
  "error-loop": "Read the error, and do something else than before. If nothing works, report what blocks you.",
  "retry-storm": "Repeating them won't give another result. Use what you know, or report what blocks you.",
  "context-exhaustion": "Older turns are summarized now. Keep to what the task needs, and read smaller parts.",
};
