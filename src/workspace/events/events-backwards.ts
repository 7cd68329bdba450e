import type { HallEvent } from "../../contract/event.ts";
import type { OpenFile } from "../../store/files/regular-file.ts";
import { linesBackwards } from "../../store/logs/lines-backwards.ts";
import { type EventQuery, matches, parseEvent } from "./logged-event.ts";

/** Longer lines are no events: what they tell is cut before it is written. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** Bytes from which on it is quicker to read than to look for the place. */
const NEAR = 256 * 1024;
/** Lines that one question looks at: with a filter that fits little, the rest is for the next. */
const MOST_LINES = 10_000;

export interface EventsBefore {
  /** Oldest first. */
  events: HallEvent[];
  /** The number before which to go on; absent when there is nothing before. */
  earlier?: number;
}

/** The newest events before a number. `days`: how each day's file is opened, the newest first. */
export function eventsBefore(
  days: Iterable<() => OpenFile>,
  query: EventQuery & { before: number; count: number },
): EventsBefore {
  const found: HallEvent[] = [];
  let lines = 0;
  for (const open of days) {
    const file = open();
    try {
      for (const event of backwards(file, query.before)) {
        if (matches(event, query)) found.push(event);
        if (event.seq === 1) return { events: found.reverse() };
        if (found.length === query.count || ++lines === MOST_LINES)
          return { events: found.reverse(), earlier: event.seq };
      }
    } finally {
      file.close();
    }
  }
  return { events: found.reverse() };
}

function* backwards(file: OpenFile, before: number): Generator<HallEvent> {
  for (const { bytes } of linesBackwards(file, { before: placeOf(file, before), longest: LONGEST_LINE })) {
    const event = bytes === undefined ? undefined : parseEvent(bytes.toString("utf8"));
    if (event !== undefined && event.seq < before) yield event;
  }
}

/** A place in the file that has every event below a number before it, and few others. Numbers go up line by line. */
function placeOf(file: OpenFile, seq: number): number {
  let [low, high] = [0, file.size];
  while (high - low > NEAR) {
    const middle = Math.floor((low + high) / 2);
    const last = lastBefore(file, middle);
    if (last !== undefined && last.event.seq >= seq) high = last.offset;
    else low = middle;
  }
  return high;
}

function lastBefore(file: OpenFile, place: number): { event: HallEvent; offset: number } | undefined {
  for (const { bytes, offset } of linesBackwards(file, { before: place, longest: LONGEST_LINE })) {
    const event = bytes === undefined ? undefined : parseEvent(bytes.toString("utf8"));
    if (event !== undefined) return { event, offset };
  }
  return undefined;
}
