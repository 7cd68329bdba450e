/** A time span of each day, in minutes after midnight of the local time zone. It may include midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

const DAY_MINUTES = 24 * 60;

/** Of the setting, such as `22:00-08:00`, whose form config.yml guarantees. */
export function quietHours(setting: string | undefined): QuietHours | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(setting ?? "") ?? [];
  if (fromHour === undefined) return undefined;
  return {
    from: Number(fromHour) * 60 + Number(fromMinute),
    to: Number(toHour) * 60 + Number(toMinute),
  };
}

/** The first moment at or after `at` that is outside the quiet hours. */
export function afterQuiet(at: Date, quiet: QuietHours | undefined): Date {
  if (quiet === undefined) return at;
  const minute = at.getHours() * 60 + at.getMinutes();
  const length = (quiet.to - quiet.from + DAY_MINUTES) % DAY_MINUTES;
  if ((minute - quiet.from + DAY_MINUTES) % DAY_MINUTES >= length) return at;
  // By the wall clock and not by adding minutes: a night in which the clocks change has another length.
  const end = new Date(at);
  if (minute >= quiet.to) end.setDate(end.getDate() + 1);
  end.setHours(Math.floor(quiet.to / 60), quiet.to % 60, 0, 0);
  return end;
}
