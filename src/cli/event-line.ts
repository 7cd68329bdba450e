import type { HallEvent } from "../contract/event.ts";
import { eventChanges } from "../contract/event-words.ts";
import type { Style } from "./paint.ts";
import { oneLine } from "./plain-text.ts";
import { localTime } from "./text-card.ts";
import type { TableSpace } from "./text-table.ts";
import { fitPath, fitText, textWidth } from "./text-width.ts";

const GAP = "  ";
const NARROW = 100;
const LEAST_WHERE = 8;
const LEAST_CHANGE = 8;

/** One event as one line: when, what, on which, by whom, and what changed as far as there is room. */
export function eventLine(event: HallEvent, { paint, width = Number.POSITIVE_INFINITY }: TableSpace): string {
  const at = localTime(event.at, "seconds");
  const parts: Part[] = [
    { text: width < NARROW ? at.slice("2026-".length) : at, style: "dim" },
    { text: event.type, style: "cyan" },
  ];
  parts.push({ text: fitPath(oneLine(whereText(event)), Math.max(LEAST_WHERE, room(parts, width))), style: "bold" });
  const who = { text: oneLine(whoText(event)), style: "dim" as const };
  if (room(parts, width) >= textWidth(who.text)) parts.push(who);
  const left = room(parts, width);
  if (left >= LEAST_CHANGE) parts.push({ text: fitText(oneLine(changeText(event)), left) });
  if (left < -GAP.length) return fitText(parts.map(({ text }) => text).join(GAP), width);
  return parts.flatMap(({ text, style }) => (text === "" ? [] : [paint(style, text)])).join(GAP);
}

interface Part {
  text: string;
  style?: Style;
}

/** What is left for one more part; less than -2 when there is too much already. */
function room(parts: readonly Part[], width: number): number {
  return parts.reduce((left, { text }) => left - textWidth(text) - GAP.length, width);
}

function whereText({ projectId, subject }: HallEvent): string {
  if (projectId === undefined || projectId === subject.id || subject.kind === "file") return subject.id;
  return `${projectId}/${subject.id}`;
}

function whoText({ actor: { kind, id, via } }: HallEvent): string {
  return kind === via ? kind : `${id ?? kind} via ${via}`;
}

function changeText(event: HallEvent): string {
  return eventChanges(event)
    .map(({ field, from, to }) => (from === "" ? `${field} ${to}` : `${field} ${from} → ${to === "" ? "none" : to}`))
    .join(", ");
}
