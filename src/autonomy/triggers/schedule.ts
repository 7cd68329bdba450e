import { Cron, CronPattern } from "croner";
import { durationMs, type TriggerSource } from "../../contract/documents/autonomy/trigger.ts";

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
  const passed = (at: number) => Math.max(0, Math.floor((at - since) / ms));
  return {
    next: (after) => since + (passed(after) + 1) * ms,
    count: (from, to) => Math.max(0, passed(to) - passed(from)),
  };
}

const FAR = Date.UTC(9_000, 0);

function cronSchedule(pattern: string, timezone: string | undefined): Schedule {
  const cron = parseCron(pattern, timezone);
  const isEveryHour = new CronPattern(pattern).hour.every((isOn) => isOn === 1);
  return {
    next: (after) => {
      const usual = nextOf(cron, after);
      // A job of every hour goes on through the hour that a clock set back repeats; any other is due once that day.
      const repeated = isEveryHour ? inRepeatedHour({ pattern, timezone, after, until: usual ?? FAR }) : undefined;
      return repeated ?? usual;
    },
  };
}

/** Throws RangeError with what is wrong. */
function parseCron(pattern: string, timezone: string | undefined): Cron {
  try {
    // A date alone would be taken, too.
    new CronPattern(pattern);
    return new Cron(pattern, { paused: true, ...(timezone === undefined ? {} : { timezone }) });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w*: /, "") : String(error);
    throw new RangeError(reason);
  }
}

/** The library may answer a moment that is not after the one asked about, on days on which clocks change. */
function nextOf(cron: Cron, after: number): number | undefined {
  for (let from = after, tries = 0; tries < 200; tries++) {
    const next = cron.nextRun(new Date(from))?.getTime();
    if (next === undefined || next > after) return next;
    from += tries < 60 ? 60_000 : 3_600_000;
  }
  return undefined;
}

interface Stretch {
  pattern: string;
  timezone: string | undefined;
  after: number;
  until: number;
}

/** A slot in the hour that comes twice because a clock is set back between two moments. */
function inRepeatedHour({ pattern, timezone, after, until }: Stretch): number | undefined {
  const offset = offsetsIn(timezone);
  const later = Math.min(until, after + 3 * 3_600_000);
  if (offset(later) >= offset(after - 3_600_000)) return undefined;
  // Where the clock is set back.
  let [low, high] = [after - 3_600_000, later];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === offset(later)) high = middle;
    else low = middle;
  }
  const fixed = new Cron(pattern, { paused: true, utcOffset: offset(later) });
  const slot = fixed.nextRun(new Date(Math.max(after, high - 1)))?.getTime();
  return slot !== undefined && slot > after && slot < until ? slot : undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes between the wall clock of a zone and UTC. */
function offsetsIn(timezone: string | undefined): (at: number) => number {
  const key = timezone ?? "";
  const known = formats.get(key);
  const format =
    known ??
    new Intl.DateTimeFormat("en-US", {
      ...(timezone === undefined ? {} : { timeZone: timezone }),
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  if (known === undefined) formats.set(key, format);
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000) / 60_000);
  };
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
