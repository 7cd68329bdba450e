import { dayAfter, dayOf, momentOf } from "./person-day.ts";

/** When briefings are due. */
export interface BriefingHour {
  /** After midnight. */
  minutes: number;
  timezone: string;
}

/** Days whose briefing was made, in any order. */
export type MadeDays = readonly string[];

/** What is due now, and when to look again. */
export interface Slot {
  due?: string;
  next: Date;
}

/**
 * The last slot that passed is due unless its day has a briefing: one that was missed is made up for once, older ones are not. Before
 * the first briefing ever, only today's counts. A clock that is set back finds its days made.
 */
export function slotAt(now: Date, { minutes, timezone }: BriefingHour, made: MadeDays): Slot {
  const today = dayOf(now, timezone);
  const at = (day: string) => momentOf(day, minutes, timezone);
  const hasCome = at(today) <= now;
  const next = at(hasCome ? dayAfter(today) : today);
  const last = hasCome ? today : dayAfter(today, -1);
  const isMissing = !made.includes(last) && (last === today || made.length > 0);
  return isMissing ? { due: last, next } : { next };
}

/** What a briefing covers: from the hour of the day before until now, or until the end of its day. */
export function periodOf(day: string, { minutes, timezone }: BriefingHour, now: Date): { from: Date; until: Date } {
  const end = momentOf(dayAfter(day), 0, timezone);
  return { from: momentOf(dayAfter(day, -1), minutes, timezone), until: end < now ? end : now };
}
