import type { HallEvent } from "../../../../src/contract/event.ts";
import { oneOf, type Said, wordsOf } from "../../api/address.ts";

/** What events are about, each with the first words of their types. */
export const GROUPS: Record<string, { name: string; types: readonly string[] }> = {
  tasks: { name: "Tasks", types: ["task", "initiative"] },
  runs: { name: "Runs", types: ["run", "runs", "checkpoint"] },
  projects: { name: "Projects", types: ["project"] },
  teams: { name: "Roles and teams", types: ["role", "assignment", "skill"] },
  documents: { name: "Documents and memory", types: ["document", "memory"] },
  money: { name: "Budget and providers", types: ["budget", "provider"] },
  hall: { name: "Guildhall", types: ["daemon", "workspace", "file", "notification", "device"] },
};

export interface EventFilter {
  project?: string | undefined;
  /** The name of a group. */
  about?: string | undefined;
  actor?: HallEvent["actor"]["kind"] | undefined;
}

export const ACTORS = { person: "You", agent: "Agents", daemon: "Guildhall" } as const;

export function filterIn({ project, about, actor }: Said): EventFilter {
  return { project, about: oneOf(Object.keys(GROUPS), about), actor: oneOf(wordsOf(ACTORS), actor) };
}

export function fitsFilter(event: HallEvent, { project, about, actor }: EventFilter): boolean {
  if (project !== undefined && event.projectId !== project) return false;
  if (actor !== undefined && event.actor.kind !== actor) return false;
  const types = typesOf(about);
  return types === undefined || types.some((type) => event.type.startsWith(`${type}.`));
}

export function typesOf(about: string | undefined): readonly string[] | undefined {
  return about === undefined ? undefined : GROUPS[about]?.types;
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
