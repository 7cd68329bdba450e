import type { HallEvent } from "../contract/event.ts";
import { oneLine } from "./plain-text.ts";
import { localTime } from "./text-card.ts";
import type { TableSpace } from "./text-table.ts";
import { fitText, textWidth } from "./text-width.ts";

/** One event as one line: when, what, on which, by whom, and what changed as far as there is room. */
export function eventLine(event: HallEvent, { paint, width }: TableSpace): string {
  const { at, type, projectId, subject, actor } = event;
  const where = projectId === undefined || projectId === subject.id ? subject.id : `${projectId}/${subject.id}`;
  const who = `${actor.id ?? actor.kind} via ${actor.via}`;
  const parts = [localTime(at, "seconds"), type, oneLine(where), oneLine(who)];
  const room = width === undefined ? undefined : width - textWidth(parts.join("  ")) - 2;
  const change = oneLine(changeText(event));
  const shown = room === undefined ? change : room > 8 ? fitText(change, room) : "";
  const line = [
    paint("dim", parts[0] ?? ""),
    paint("cyan", type),
    paint("bold", parts[2] ?? ""),
    paint("dim", parts[3] ?? ""),
    shown,
  ];
  return line.filter((part) => part !== "").join("  ");
}

function changeText({ before = {}, after = {} }: HallEvent): string {
  const keys = Object.keys({ ...before, ...after }).filter((key) => key !== "updatedAt");
  const changes = keys.flatMap((key) => {
    const [from, to] = [brief(before[key]), brief(after[key])];
    if (from === to) return [];
    return [from === "" ? `${key} ${to}` : `${key} ${from} → ${to === "" ? "none" : to}`];
  });
  return changes.join(", ");
}

function brief(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
