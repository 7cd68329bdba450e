import { z } from "zod";
import { Briefing } from "../../documents/autonomy/briefing.ts";
import { WeekFigures } from "../../documents/autonomy/figures.ts";
import { Slug } from "../../words/text.ts";

const group = "Briefings and figures";
const response = z.strictObject({
  briefing: Briefing,
  /** The same for people to read, as in `daily/<day>.md`. */
  text: z.string(),
});

export const briefingRoutes = {
  getTodaysBriefing: {
    summary: "Today's briefing, up to now. Creates `daily/<day>.md` if the day has none. Calls no model.",
    group,
    response,
  },
  getBriefing: {
    summary: "The briefing of a day.",
    group,
    params: z.strictObject({ day: z.iso.date("must be a day, such as 2026-03-01") }),
    response,
  },
  getFigures: {
    summary:
      "Throughput, cycle time, first-pass rate of gates, rework, questions and cost per finished task, by week (UTC, from Monday) and project.",
    group,
    query: z.strictObject({
      weeks: z.coerce.number().int().min(1).max(52).default(8),
      project: Slug.optional(),
    }),
    response: z.strictObject({
      weeks: z.array(z.iso.date()),
      total: z.array(WeekFigures),
      projects: z.array(WeekFigures),
    }),
  },
} as const;
