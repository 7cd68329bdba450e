import type { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import { markdownLine } from "../../contract/words/autonomy/briefing-text.ts";
import { HOLD_WORDS } from "../../contract/words/autonomy/orchestrator-words.ts";

const MOST_HELD = 20;

/** The file of a day begins with this; each cycle that is recorded is added to it. */
export function dayHeading(day: string): string {
  return `# Orchestrator, ${day}\n\nWritten by Guildhall. Times are UTC.`;
}

/** A cycle, for people. */
export function cycleText(cycle: Cycle): string {
  const { at, causes, saw, results, reviewed, starts, held, proposals, order } = cycle;
  const line = (text: string) => `- ${markdownLine(text)}`;
  const cause = causes.map(({ kind, id }) => (id === undefined ? kind : `${kind} ${id}`)).join(", ");
  const place = ({ projectId, initiative = "" }: { projectId: string; initiative?: string | undefined }) =>
    `${projectId} / ${initiative}`;
  return [
    `## ${at.slice(11, 19)}`,
    "",
    line(`Why now: ${cause}`),
    line(
      `Saw ${saw.projects} projects, ${saw.initiatives} initiatives, ${saw.ready} ready and ${saw.blocked} blocked tasks, ${saw.leads} agents running, ${saw.drafts + saw.pending} open questions, $${saw.spentUsd.toFixed(2)} spent today`,
    ),
    ...results.map((one) => line(`Ended: ${place(one)}, ${one.status}. ${one.summary ?? ""}`)),
    ...reviewed.map((id) => line(`Sent for review: ${id}`)),
    ...(order.by === "model" ? [line(`Order by the model: ${order.why ?? ""}`)] : []),
    ...(order.fallback === undefined ? [] : [line(`Order by the rule: ${order.fallback}`)]),
    ...starts.map((one) =>
      line(
        one.outcome !== "started"
          ? `Not started: ${place(one)}. ${one.problem ?? ""}`
          : `Started ${one.leadId}: ${place(one)}. ${one.why}`,
      ),
    ),
    ...proposals.map((one) =>
      line(
        `${one.outcome === "asked" ? `Asked ${one.escalationId}` : one.outcome === "done" ? "Did" : "Not done"}: ${one.title}. ${one.problem ?? one.evidence}`,
      ),
    ),
    ...held.slice(0, MOST_HELD).map((one) => line(`Left: ${place(one)}: ${HOLD_WORDS[one.reason]}`)),
    ...(held.length > MOST_HELD ? [line(`Left: ${held.length - MOST_HELD} more`)] : []),
    ...(starts.length + proposals.length + held.length === 0 ? ["- Nothing to do."] : []),
    "",
  ].join("\n");
}
