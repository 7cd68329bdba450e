import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import { BY_HAND, difference } from "../core.ts";
import { eventOf } from "./escalation-rules.ts";

/** What a person changed in a file, and where. */
export function aboutOf({
  id,
  projectId,
  path,
}: EscalationRecord): Pick<EventDraft, "actor" | "projectId" | "subject" | "file"> {
  const subject = { kind: "escalation" as const, id };
  return { actor: BY_HAND, ...(projectId === undefined ? {} : { projectId }), subject, file: path };
}

/** A file is gone that could not be read. */
export function removedEvent({ id = "", file }: Problem): EventDraft {
  return { actor: BY_HAND, type: "escalation.removed", subject: { kind: "escalation", id }, file };
}

/** What the log has of a new escalation. */
export function summaryOf(record: EscalationRecord): Record<string, unknown> {
  const { type, question, status, priority, origin, escalatedBy, blocksTask, outcome, resolution } = record;
  const resolved = status === "resolved" ? { outcome, resolution } : {};
  return { type, question, status, priority, origin, escalatedBy, blocksTask, ...resolved };
}

/** The event that a change by hand is, with the fields that changed. */
export function changeOf(
  known: EscalationRecord,
  found: EscalationRecord,
): Pick<EventDraft, "type" | "before" | "after"> {
  const { before, after } = difference(known, found, ["etag", "history", "path"]);
  const type = eventOf(known.status, found.status);
  return { type, before, after: { ...after, ...namedIn(type, found) } };
}

/** The end of a question names it, for readers who only get the event. */
export function namedIn(type: EventDraft["type"], { question }: EscalationRecord): { question?: string } {
  return type === "escalation.resolved" ? { question } : {};
}
