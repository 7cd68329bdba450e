import type { WeekFigures } from "../../contract/documents/autonomy/figures.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the records have of a period, each with its project and time. */
export interface WorkRecords {
  tasks: readonly { projectId: string; startedAt: string; completedAt: string; isReworked: boolean }[];
  /** First verdicts about results. */
  gates: readonly { projectId: string; at: string; isPassed: boolean }[];
  /** `avoided`: how many who asked had their answer without the person. */
  questions: readonly { projectId: string; at: string; isAsked: boolean; avoided: number }[];
  costs: readonly { projectId: string; week: string; usd: number; isKnown: boolean }[];
}

/** The Monday of the week that a time is in, in UTC. */
export function weekOf(at: string): string {
  const day = new Date(at);
  const sinceMonday = (day.getUTCDay() + 6) % 7;
  return new Date(day.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** The last weeks, the oldest first. */
export function lastWeeks(now: Date, count: number): string[] {
  const current = Date.parse(weekOf(now.toISOString()));
  return Array.from({ length: count }, (_, at) =>
    new Date(current - (count - 1 - at) * 7 * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A line for each week, and one for each project with anything in it. */
export function weeklyFigures(
  records: WorkRecords,
  weeks: readonly string[],
): { total: WeekFigures[]; projects: WeekFigures[] } {
  const ids = new Set(
    [...records.tasks, ...records.gates, ...records.questions, ...records.costs].map((one) => one.projectId),
  );
  const total = weeks.map((week) => figuresOf(records, week, undefined));
  const projects = weeks.flatMap((week) =>
    [...ids].sort().flatMap((id) => {
      const figures = figuresOf(records, week, id);
      return isNothing(figures) ? [] : [figures];
    }),
  );
  return { total, projects };
}

function figuresOf(records: WorkRecords, week: string, projectId: string | undefined): WeekFigures {
  const isMine = (one: { projectId: string }) => projectId === undefined || one.projectId === projectId;
  const tasks = records.tasks.filter((one) => isMine(one) && weekOf(one.completedAt) === week);
  const gates = records.gates.filter((one) => isMine(one) && weekOf(one.at) === week);
  const questions = records.questions.filter((one) => isMine(one) && weekOf(one.at) === week);
  const costs = records.costs.filter((one) => isMine(one) && one.week === week);
  const costUsd = Math.round(costs.reduce((sum, { usd }) => sum + usd, 0) * 1e9) / 1e9;
  const hours = tasks.map((one) => Math.max(0, Date.parse(one.completedAt) - Date.parse(one.startedAt)) / HOUR_MS);
  return {
    week,
    ...(projectId === undefined ? {} : { projectId }),
    tasksDone: tasks.length,
    cycleHours: median(hours),
    judged: gates.length,
    firstPass: gates.filter(({ isPassed }) => isPassed).length,
    reworked: tasks.filter(({ isReworked }) => isReworked).length,
    asked: questions.filter(({ isAsked }) => isAsked).length,
    avoided: questions.reduce((sum, { avoided }) => sum + avoided, 0),
    costUsd,
    costKnown: costs.every(({ isKnown }) => isKnown),
    costPerTaskUsd: tasks.length === 0 ? null : Math.round((costUsd / tasks.length) * 1e9) / 1e9,
  };
}

function isNothing({ tasksDone, judged, asked, avoided, costUsd }: WeekFigures): boolean {
  return tasksDone + judged + asked + avoided === 0 && costUsd === 0;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  const value = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  return Math.round(value * 1_000) / 1_000;
}
