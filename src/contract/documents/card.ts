import { z } from "zod";
import { Task } from "./task.ts";

/** A task as the board shows it, so that ten thousand of them are one answer. */
export const TaskCard = Task.pick({
  id: true,
  title: true,
  type: true,
  priority: true,
  status: true,
  assignedRoleId: true,
  labels: true,
  plan: true,
  outcome: true,
  ready: true,
  waitingOn: true,
  escalations: true,
  updatedAt: true,
}).extend({
  /** Criteria that are met, of how many. */
  criteria: z.strictObject({ done: z.int(), total: z.int() }).optional(),
});
export type TaskCard = z.infer<typeof TaskCard>;
