import type { HallEvent } from "../../../../src/contract/event.ts";

export interface EventFilter {
  project?: string | undefined;
  /** The first word of a type: `task` stands for all that happens to tasks. */
  type?: string | undefined;
  actor?: HallEvent["actor"]["kind"] | undefined;
}

export function fitsFilter(event: HallEvent, { project, type, actor }: EventFilter): boolean {
  if (project !== undefined && event.projectId !== project) return false;
  if (actor !== undefined && event.actor.kind !== actor) return false;
  return type === undefined || event.type.startsWith(`${type}.`);
}

/** Newest first, each once. */
export function newestFirst(...lists: readonly (readonly HallEvent[])[]): HallEvent[] {
  const bySeq = new Map(lists.flat().map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((one, other) => other.seq - one.seq);
}

export type ActivityRow = { key: string } & ({ day: string } | { event: HallEvent });

/** With a heading above the events of each day. */
export function withDays(events: readonly HallEvent[], dayOf: (at: Date) => string): ActivityRow[] {
  let last = "";
  return events.flatMap((event): ActivityRow[] => {
    const day = dayOf(new Date(event.at));
    const row = { key: String(event.seq), event };
    if (day === last) return [row];
    last = day;
    return [{ key: day, day }, row];
  });
}
