import { minutesOf, timeOf } from "../briefing/person-day.ts";

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

/** Milliseconds until work may be started, from a setting such as `08:00-20:00`; 0: it may now. */
export function closedFor(hours: string | undefined, now: Date, timezone: string): number {
  if (hours === undefined) return 0;
  const [from, to] = hours.split("-").map(minutesOf) as [number, number];
  const minute = minutesOf(timeOf(now, timezone));
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES;
  if ((minute - from + DAY_MINUTES) % DAY_MINUTES < length) return 0;
  const wait = ((from - minute + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS;
  return Math.max(1_000, wait - (now.getTime() % MINUTE_MS));
}
