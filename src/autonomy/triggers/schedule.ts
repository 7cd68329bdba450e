import { Cron, CronPattern } from "croner";
import { durationMs, type TriggerSource } from "../../contract/documents/autonomy/trigger.ts";
import { stretchAt } from "./wall-clock.ts";

/** The moments at which a trigger is due, in milliseconds. */
export interface Schedule {
  /** The first slot after a moment; undefined: there is none any more. */
  next(after: number): number | undefined;
  /** How many there are after `from` up to `to`; where that is known without a walk. */
  count?(from: number, to: number): number;
}

/** Undefined of a trigger that waits for something else. `since`: when its schedule began. Throws RangeError on a cron that makes no sense. */
export function scheduleOf(
  on: Pick<TriggerSource, "cron" | "timezone" | "interval">,
  since: number,
): Schedule | undefined {
  if (on.interval !== undefined) return every(durationMs(on.interval), since);
  return on.cron === undefined ? undefined : cronSchedule(on.cron, on.timezone);
}

function every(ms: number, since: number): Schedule {
  // Also before it began: a clock that was ahead then is set back later.
  const passed = (at: number) => Math.floor((at - since) / ms);
  return {
    next: (after) => since + (passed(after) + 1) * ms,
    count: (from, to) => Math.max(0, passed(to) - passed(from)),
  };
}

/** No zone ever moved its clocks by more than a day. */
const MOST_SHIFT_MS = 2 * 86_400_000;

/**
 * The pattern read against the wall clock of a zone, between one change of that clock and the next. A pure function of the moment asked about:
 * what is due does not depend on when somebody looked.
 */
function cronSchedule(pattern: string, timezone: string | undefined): Schedule {
  const wallClock = parseCron(pattern);
  const isEveryHour = new CronPattern(pattern).hour.every((isOn) => isOn === 1);
  const nextAt = (after: number, offset: number) => {
    const next = wallClock.nextRun(new Date(after + offset))?.getTime();
    return next === undefined ? undefined : next - offset;
  };
  return {
    next: (after) => {
      for (let from = after; ; ) {
        const { start, until, offset, before } = stretchAt(timezone, from + 1);
        const shift = offset - before;
        // Times that come twice count the first time, and those that are left out as much later, unless every hour counts as it comes.
        const isRepeated = shift < 0 && !isEveryHour;
        const usual = nextAt(isRepeated ? Math.max(from, start - shift - 1) : from, offset);
        const leftOut = shift > 0 && !isEveryHour ? nextAt(from, before) : undefined;
        const found = [usual, leftOut !== undefined && leftOut < start + shift ? leftOut : undefined];
        const next = Math.min(...found.map((at) => at ?? Number.POSITIVE_INFINITY));
        if (next < until) return next;
        if (until === Number.POSITIVE_INFINITY || next === Number.POSITIVE_INFINITY) return undefined;
        from = Math.max(until - 1, next - MOST_SHIFT_MS);
      }
    },
  };
}

/** Reads a pattern as if wall clocks never changed. Throws RangeError with what is wrong. */
function parseCron(pattern: string): Cron {
  try {
    // A date alone would be taken, too.
    new CronPattern(pattern);
    // Not the zone UTC: with a zone, each answer takes forty times as long.
    return new Cron(pattern, { paused: true, utcOffset: 0 });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w*: /, "") : String(error);
    throw new RangeError(reason);
  }
}

/** Slots after `from` up to `to`, and whether there are more than asked for: the newest of them, oldest first. */
export function newestSlots(
  schedule: Schedule,
  { from, to, most }: { from: number; to: number; most: number },
): number[] {
  for (let reach = 60_000; ; reach *= 8) {
    const start = Math.max(from, to - reach);
    const found: number[] = [];
    for (let at = schedule.next(start); at !== undefined && at <= to; at = schedule.next(at)) {
      found.push(at);
      // So many in a stretch that was only just made longer: its end is enough.
      if (found.length > 20 * most) found.shift();
    }
    if (found.length >= most || start === from) return found.slice(-most);
  }
}

/** How many slots there are after `from` up to `to`, counted up to `most`. */
export function countSlots(schedule: Schedule, { from, to, most }: { from: number; to: number; most: number }): number {
  if (schedule.count !== undefined) return schedule.count(from, to);
  let found = 0;
  for (let at = schedule.next(from); at !== undefined && at <= to && found < most; at = schedule.next(at)) found++;
  return found;
}
