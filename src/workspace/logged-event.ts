import type { HallEvent } from "../contract/event.ts";

export interface EventQuery {
  project?: string | undefined;
  type?: string | undefined;
}

export function matches(event: HallEvent, query: EventQuery): boolean {
  if (query.project !== undefined && event.projectId !== query.project) return false;
  return query.type === undefined || event.type === query.type || event.type.startsWith(`${query.type}.`);
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
