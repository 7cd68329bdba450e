import { afterQuiet, type QuietHours } from "./quiet-hours.ts";

const HOUR_MS = 3_600_000;
/** While something can't continue without an answer. */
const BLOCKING_HOURS = 3;
/** What would be repeated this soon is repeated now, with what is due: one message instead of two. */
const TOGETHER_MS = 15 * 60_000;
/** Between two messages, so that a burst of questions becomes few of them. */
const GAP_MS = 2_000;

/** What the rules need to know of something that waits for the person. */
export interface Waiting {
  id: string;
  /** A task or a run can't continue without the answer. */
  blocks: boolean;
  snoozedUntil?: string | undefined;
  /** When the person was last notified of it, and how often. */
  remindedAt?: string | undefined;
  reminders: number;
  /** The most urgent come first. */
  urgency: number;
}

export interface ReminderSettings {
  /** 0: once, and never again. */
  remindHours: number;
  quiet: QuietHours | undefined;
}

export interface Notifying {
  /** To be told now, in one message, most urgent first. */
  now: string[];
  /** When to look again; undefined: not before something changes. */
  next: Date | undefined;
}

/** Which entries the person is notified of now, and when the next notification is due. */
export function notifying(
  waiting: readonly Waiting[],
  settings: ReminderSettings,
  { now, last }: { now: Date; last?: string | undefined },
): Notifying {
  const time = now.getTime();
  const earliest = last === undefined ? time : Math.max(time, Date.parse(last) + GAP_MS);
  const timed = waiting.flatMap((entry) => {
    const due = dueAt(entry, settings);
    if (due === undefined) return [];
    return [{ entry, at: afterQuiet(new Date(Math.max(due, earliest)), settings.quiet).getTime() }];
  });
  const isDue = timed.some(({ at }) => at <= time);
  const isTold = ({ entry, at }: (typeof timed)[number]) =>
    isDue && (at <= time || (isRepeated(entry) && at <= time + TOGETHER_MS));
  const later = timed.filter((one) => !isTold(one)).map(({ at }) => at);
  return {
    now: timed
      .filter(isTold)
      .map(({ entry }) => entry)
      .sort((left, right) => right.urgency - left.urgency || left.id.localeCompare(right.id))
      .map(({ id }) => id),
    next: later.length === 0 ? undefined : new Date(Math.min(...later)),
  };
}

/** In milliseconds since 1970, quiet hours set aside; undefined: never. */
function dueAt(entry: Waiting, { remindHours }: ReminderSettings): number | undefined {
  const { blocks, snoozedUntil, remindedAt } = entry;
  const awake = snoozedUntil === undefined ? 0 : Date.parse(snoozedUntil);
  if (remindedAt === undefined || !isRepeated(entry)) return awake;
  const told = Date.parse(remindedAt);
  // The person asked to hear of it again at that time.
  if (awake > told) return awake;
  if (remindHours === 0) return undefined;
  return told + HOUR_MS * (blocks ? Math.min(BLOCKING_HOURS, remindHours) : remindHours);
}

function isRepeated({ reminders }: Waiting): boolean {
  return reminders > 0;
}
