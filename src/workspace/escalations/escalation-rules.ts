import type { EscalationStep } from "../../contract/documents/escalation.ts";
import type { EscalationStatus } from "../../contract/documents/escalation-status.ts";
import type { EventType } from "../../contract/event.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import { dropUndefined } from "../tasks/task-file.ts";

/**
 * Folder and status of one file disagree: a person dragged the file or edited it. The one that differs from what was last
 * known wins; with nothing known, or both changed, the status in the file.
 */
export function settleStatus(
  found: { status: EscalationStatus | undefined; folder: EscalationStatus },
  known: EscalationStatus | undefined,
): EscalationStatus {
  if (found.status === undefined) return found.folder;
  return found.status === known ? found.folder : found.status;
}

/** The event that a change of status is. */
export function eventOf(from: EscalationStatus, to: EscalationStatus): Extract<EventType, `escalation.${string}`> {
  if (from !== to && to === "resolved") return "escalation.resolved";
  if (from === "resolved" && to !== "resolved") return "escalation.reopened";
  return from === "draft" && to === "pending" ? "escalation.promoted" : "escalation.updated";
}

const MOST_STEPS = 1_000;
const MOST_STATIONS = 100;

/** As many steps as a file may have: the first one and the newest. */
export function keptSteps(history: readonly EscalationStep[]): EscalationStep[] {
  if (history.length <= MOST_STEPS) return [...history];
  return [...history.slice(0, 1), ...history.slice(1 - MOST_STEPS)];
}

/** What else changes when a person gave an escalation another status in its file. `from`: undefined when nothing was known. */
export function movedByHand(
  record: EscalationRecord,
  from: EscalationStatus | undefined,
  at: string,
): EscalationRecord {
  const step = (action: EscalationStep["action"]): EscalationStep[] =>
    keptSteps([...record.history, { at, by: "person", action, reason: "file edit" }]);
  const { status } = record;
  if (status === "resolved") {
    const outcome = record.outcome ?? "answered";
    const { resolvedBy, resolvedAt } = record;
    return {
      ...record,
      outcome,
      resolvedBy: resolvedBy ?? "person",
      resolvedAt: resolvedAt ?? at,
      updatedAt: at,
      history: step(outcome),
    };
  }
  if (from === "resolved") return { ...reopened(record), updatedAt: at, history: step("reopened") };
  if (status === "pending" && from === "draft")
    return {
      ...record,
      updatedAt: at,
      escalationPath: [...record.escalationPath, "person"].slice(-MOST_STATIONS),
      history: step("promoted"),
    };
  return { ...record, updatedAt: at, history: from === undefined ? record.history : step("edited") };
}

/** As before its answer, so that the next one reaches every asker again. */
function reopened({ outcome: _outcome, ...record }: EscalationRecord): EscalationRecord {
  const askers = record.askers.map(({ deliveredAt: _at, followUpRunId: _run, ...asker }) => asker);
  return dropUndefined({ ...record, askers, resolution: null, answer: null, resolvedBy: null, resolvedAt: null });
}
