import type { Run } from "../../../../src/contract/run.ts";

const DAY_MS = 86_400_000;

/** Runs by the day they were asked for, in the order they come. */
export function byDay<Item extends Pick<Run, "createdAt">>(
  runs: readonly Item[],
  now: Date,
): { day: string; runs: Item[] }[] {
  const days: { day: string; runs: Item[] }[] = [];
  for (const run of runs) {
    const day = dayWords(new Date(run.createdAt), now);
    const last = days.at(-1);
    if (last?.day === day) last.runs.push(run);
    else days.push({ day, runs: [run] });
  }
  return days;
}

function dayWords(at: Date, now: Date): string {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(now) - start(at)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return at.toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long", ...year });
}
