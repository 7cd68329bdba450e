import { z } from "zod";

/** How work went in one project, or in all, in one week. */
export const WeekFigures = z.strictObject({
  /** The Monday it began on, in UTC. */
  week: z.iso.date(),
  /** Absent: all projects together. */
  projectId: z.string().optional(),
  tasksDone: z.int(),
  /** The median time from the start of a finished task to its end; null without one. */
  cycleHours: z.number().nullable(),
  /** Results that gates judged for the first time, and how many of them passed. */
  judged: z.int(),
  firstPass: z.int(),
  /** Finished tasks that came back from review at least once. */
  reworked: z.int(),
  /** Questions to the person, and those that were answered without: by an agent, a rule, or because they were open already. */
  asked: z.int(),
  avoided: z.int(),
  costUsd: z.number(),
  costKnown: z.boolean(),
  /** Null where no task was finished. */
  costPerTaskUsd: z.number().nullable(),
});
export type WeekFigures = z.infer<typeof WeekFigures>;
