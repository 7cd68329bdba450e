import { z } from "zod";
import { Firing, Skipped, Trigger, TriggerCreate, TriggerUpdate } from "../../documents/autonomy/trigger.ts";
import { Slug } from "../../words/text.ts";
import { success } from "../route-parts.ts";

const group = "Triggers";
const params = z.strictObject({ name: z.string().max(200) });
const one = z.strictObject({ ...success, trigger: Trigger });

export const triggerRoutes = {
  listTriggers: {
    summary: "Triggers by name: all, or those of one project.",
    group,
    query: z.strictObject({ project: Slug.optional() }),
    response: z.strictObject({ triggers: z.array(Trigger) }),
  },
  createTrigger: {
    summary: "Create a trigger. It starts a message, a run or a team when its time comes or something happens.",
    group,
    body: TriggerCreate,
    response: one,
    status: 201,
  },
  getTrigger: {
    summary: "A trigger, when it fires next, and why it did not fire last.",
    group,
    params,
    response: z.strictObject({ trigger: Trigger }),
  },
  updateTrigger: {
    summary: "Change a trigger. A new schedule begins now.",
    group,
    params,
    body: TriggerUpdate,
    response: one,
  },
  removeTrigger: {
    summary: "Remove a trigger. What it started continues.",
    group,
    params,
    response: z.strictObject(success),
  },
  pauseTrigger: { summary: "Pause a trigger. What it started continues.", group, params, response: one },
  resumeTrigger: {
    summary: "Resume a trigger. Slots that passed meanwhile are skipped.",
    group,
    params,
    response: one,
  },
  runTrigger: {
    summary: "Fire a trigger now, also when it is paused.",
    group,
    params,
    response: z.strictObject({ ...success, firing: Firing }),
  },
  testTrigger: {
    summary: "What a firing would send to the agent. Starts nothing.",
    group,
    params,
    response: z.strictObject({
      ...success,
      starts: z.string(),
      prompt: z.string(),
      /** It would be given words from outside, and could only read. */
      outside: z.boolean(),
      /** Why it could not be started now. */
      problem: z.string().optional(),
    }),
  },
  getTriggerHistory: {
    summary: "What fired and what was skipped, the newest first.",
    group,
    params,
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
    response: z.strictObject({ firings: z.array(Firing), skipped: z.array(Skipped) }),
  },
} as const;
