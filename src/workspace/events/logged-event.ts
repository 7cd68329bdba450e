import type { Actor, HallEvent } from "../../contract/event.ts";

export interface EventQuery {
  project?: string | undefined;
  type?: string | undefined;
  /** One of these; with a dot at its end, or without, the beginning of several. */
  types?: readonly string[] | undefined;
  actor?: Actor["kind"] | undefined;
  /** The id of what it is about. */
  subject?: string | undefined;
}

export function matches(event: HallEvent, query: EventQuery): boolean {
  if (query.project !== undefined && event.projectId !== query.project) return false;
  if (query.actor !== undefined && event.actor.kind !== query.actor) return false;
  if (query.subject !== undefined && event.subject.id !== query.subject) return false;
  if (query.types !== undefined && !query.types.some((type) => isOfType(event.type, type))) return false;
  return query.type === undefined || isOfType(event.type, query.type);
}

function isOfType(type: string, wanted: string): boolean {
  return type === wanted || type.startsWith(wanted.endsWith(".") ? wanted : `${wanted}.`);
}

export function parseEvent(text: string): HallEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a record can be a link of the chain; whether it was tampered with is the audit's question. */
export function isEvent(value: unknown): value is HallEvent {
  if (typeof value !== "object" || value === null || !("seq" in value) || !("hash" in value)) return false;
  return Number.isSafeInteger(value.seq) && typeof value.hash === "string";
}
