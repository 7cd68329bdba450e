import type { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import type { Run } from "../../contract/runs/run.ts";
import { type FiringOutcome, NOTHING_NEW } from "../../contract/words/autonomy/trigger-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { TeamStatus } from "../../contract/words/teams/team-words.ts";

export interface FiringEnd {
  outcome: FiringOutcome;
  text?: string | undefined;
}

const LONGEST = 500;

/** What an agent said when it was done. */
export function endOfText(text: string | undefined, otherwise: FiringOutcome = "report"): FiringEnd {
  const said = (text ?? "").trim();
  if (said === NOTHING_NEW || said === "") return { outcome: "quiet" };
  return { outcome: otherwise, text: oneLine(said) };
}

export function endOfRun({
  status,
  error,
  result,
  delivery,
}: Pick<Run, "status" | "error" | "result" | "delivery">): FiringEnd {
  if (status !== "completed") return { outcome: "needs-person", text: oneLine(error ?? `The run was ${status}.`) };
  if (delivery?.state === "review") return { outcome: "needs-person", text: "Its result waits for review." };
  const hasChanged = delivery?.state === "delivered" || (result?.filesChanged.length ?? 0) > 0;
  const said = endOfText(result?.output);
  return hasChanged ? { ...said, outcome: "changed" } : said;
}

export function endOfTeam(status: TeamStatus, reason: string | undefined): FiringEnd {
  if (status === "completed") return { outcome: "changed", text: "The team is done." };
  return { outcome: "needs-person", text: oneLine(reason ?? `The team is ${status}.`) };
}

/** Undefined while it goes on. What it started goes on by itself. */
export function endOfCycle(cycle: Cycle | undefined): FiringEnd | undefined {
  if (cycle?.endedAt === undefined) return undefined;
  const started = cycle.starts.filter(({ outcome }) => outcome === "started").length;
  if (started + cycle.proposals.length === 0) return { outcome: "quiet" };
  return { outcome: "report", text: `${started} started, ${cycle.proposals.length} proposed.` };
}

function oneLine(text: string): string {
  return cutText(text.replace(/\s+/g, " "), LONGEST);
}
