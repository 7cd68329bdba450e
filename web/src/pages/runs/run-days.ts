import type { Run } from "../../../../src/contract/run.ts";
import { dayText } from "../../ui/figures.tsx";

/** Runs by the day they were asked for, in the order they come. */
export function byDay<Item extends Pick<Run, "createdAt">>(
  runs: readonly Item[],
  now: Date,
): { day: string; runs: Item[] }[] {
  const days: { day: string; runs: Item[] }[] = [];
  for (const run of runs) {
    const day = dayText(new Date(run.createdAt), now);
    const last = days.at(-1);
    if (last?.day === day) last.runs.push(run);
    else days.push({ day, runs: [run] });
  }
  return days;
}
