export interface SnoozeTime {
  label: string;
  at: Date;
}

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** When a snoozed entry comes back, by the clock of the person. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: "1 hour", at: new Date(now.getTime() + HOUR_MS) },
    { label: "Tomorrow 9:00", at: morning(now, 1) },
    { label: "Next week", at: morning(now, daysToMonday) },
  ];
}

function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

/** As a field of type `datetime-local` has it. */
export function localText(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
