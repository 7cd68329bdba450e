import type { EventType, HallEvent } from "../../contract/event.ts";
import { markdownLine } from "../../contract/words/autonomy/briefing-text.ts";
import { type EventNames, eventWords } from "../../contract/words/event-words.ts";
import { dayOf, timeOf } from "../briefing/person-day.ts";

/** What a person would want to remember of a day. */
export const OBSERVED: readonly EventType[] = [
  "run.ended",
  "run.approved",
  "run.rejected",
  "run.reverted",
  "run.discarded",
  "task.moved",
  "team.created",
  "team.moved",
  "gate.finished",
  "escalation.promoted",
  "escalation.resolved",
  "project.created",
  "project.moved",
  "project.crashed",
  "budget.warned",
  "provider.paused",
];

export interface DayNotes {
  day: string;
  lines: string[];
  /** The newest event among them. */
  through: number;
}

const ROUND_MINUTES = 5;

/** Events as lines such as `- ~14:05 A run of Developer on TASK-003 completed`, by day, the oldest first. */
export function notesOf(events: readonly HallEvent[], names: EventNames, timezone: string): DayNotes[] {
  const days: DayNotes[] = [];
  for (const event of events) {
    const at = new Date(event.at);
    const day = dayOf(at, timezone);
    const line = `- ~${rounded(timeOf(at, timezone))} ${sentence(event, names)}`;
    const last = days.at(-1);
    if (last?.day === day) {
      last.through = event.seq;
      if (!last.lines.includes(line)) last.lines.push(line);
    } else days.push({ day, lines: [line], through: event.seq });
  }
  return days;
}

function sentence(event: HallEvent, names: EventNames): string {
  const { who, did, name = "", more } = eventWords(event, names);
  const place = event.projectId === undefined ? "" : ` (${event.projectId})`;
  return markdownLine(`${[who, did, name, more].filter((part) => part !== "").join(" ")}${place}`);
}

function rounded(time: string): string {
  const minutes = Number(time.slice(3));
  return `${time.slice(0, 3)}${String(minutes - (minutes % ROUND_MINUTES)).padStart(2, "0")}`;
}
