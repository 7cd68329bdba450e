import { durationText } from "../figures.tsx";

/** A time limit is kept in seconds and written in minutes, everywhere the same. */
export const TIME_LIMIT = "Time limit, minutes";
const LONGEST_S = 86_400;

/** So exact that every whole second comes back. */
export function minutesOf(seconds: number | undefined): string {
  return seconds === undefined ? "" : String(Number((seconds / 60).toFixed(2)));
}

/** Undefined: it is no time that a run may have. */
export function secondsOf(minutes: string): number | undefined {
  if (minutes.trim() === "") return undefined;
  const seconds = Math.round(Number(minutes) * 60);
  return Number.isFinite(seconds) && Number(minutes) > 0 && seconds <= LONGEST_S ? Math.max(1, seconds) : undefined;
}

/** What minutes with a fraction come to: `6.67` is `6 min 40 s`. Undefined for whole ones, and for no time. */
export function exactTime(minutes: string): string | undefined {
  const seconds = secondsOf(minutes);
  return seconds === undefined || seconds % 60 === 0 ? undefined : durationText(seconds * 1_000);
}
