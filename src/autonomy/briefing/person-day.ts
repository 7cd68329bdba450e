/** Days and times of day where the person lives. */
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a time zone, as if it were UTC: comparing it with the moment itself tells the offset. */
function wallClock(at: Date, timezone: string): number {
  let format = formats.get(timezone);
  if (format === undefined) {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, hourCycle: "h23", ...parts });
    formats.set(timezone, format);
  }
  const told = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = told;
  return Date.UTC(year, month - 1, day, hour, minute);
}

export function machineTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `2026-03-01`. */
export function dayOf(at: Date, timezone: string): string {
  return new Date(wallClock(at, timezone)).toISOString().slice(0, 10);
}

/** `14:05`. */
export function timeOf(at: Date, timezone: string): string {
  return new Date(wallClock(at, timezone)).toISOString().slice(11, 16);
}

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * DAY_MINUTES * MINUTE_MS).toISOString().slice(0, 10);
}

/**
 * When a clock there shows this time on this day. Of a time that the clocks skip: the first moment after the gap. Of one that comes
 * twice: the first.
 */
export function momentOf(day: string, minutes: number, timezone: string): Date {
  const wanted = Date.parse(day) + minutes * MINUTE_MS;
  // The offset is one of those shortly before and after.
  const offsets = [-1, 1].map((side) => {
    const near = new Date(wanted + side * DAY_MINUTES * MINUTE_MS);
    return wallClock(near, timezone) - Math.floor(near.getTime() / MINUTE_MS) * MINUTE_MS;
  });
  const candidates = offsets.map((offset) => wanted - offset).sort((one, other) => one - other);
  const exact = candidates.find((at) => wallClock(new Date(at), timezone) === wanted);
  if (exact !== undefined) return new Date(exact);
  return gapEnd(candidates, timezone);
}

/** The clocks jump between the two candidates; the first minute of the new offset is looked for by halving. */
function gapEnd(candidates: readonly number[], timezone: string): Date {
  let [low = 0, high = 0] = [Math.min(...candidates), Math.max(...candidates)];
  const offset = (at: number) => wallClock(new Date(at), timezone) - at;
  const after = offset(high);
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
    if (offset(middle) === after) high = middle;
    else low = middle;
  }
  return new Date(high);
}

/** Minutes after midnight of `08:30`, whose form config.yml guarantees. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
