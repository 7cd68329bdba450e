import { z } from "zod";
import { LEAD_CAUSES, LEAD_STATUSES } from "../../words/autonomy/lead-words.ts";
import { Slug, Timestamp } from "../../words/text.ts";
import { TASK_PRIORITIES } from "../task-status.ts";

const progress = z.strictObject({ done: z.int(), total: z.int() });

const NamedTask = z.strictObject({ id: z.string(), title: z.string() });

/** What a lead starts from. Made from records alone; `text` is the same for people and for the lead. */
export const LeadBriefing = z.strictObject({
  projectId: z.string(),
  initiative: Slug,
  title: z.string(),
  tasks: progress,
  /** Of the plan; empty where it states none. */
  goals: z.array(z.string()),
  /** Escalations of the initiative that were resolved since the lead before, the newest first. */
  decisions: z.array(z.strictObject({ id: z.string(), question: z.string(), resolution: z.string() })),
  /** Ready tasks that were not ready when the lead before ended. */
  unblocked: z.array(NamedTask),
  /** Ready tasks in the order in which they are taken. */
  focus: z.array(NamedTask.extend({ priority: z.enum(TASK_PRIORITIES) })),
  /** Escalations of the initiative without an answer. */
  open: z.array(z.strictObject({ id: z.string(), question: z.string(), blocksTask: z.string().optional() })),
  conventions: z.strictObject({ workspace: z.array(z.string()), project: z.array(z.string()) }),
  text: z.string(),
});
export type LeadBriefing = z.infer<typeof LeadBriefing>;

/** What a lead did. All but the summary and the next steps comes from records, not from what the agent says. */
export const LeadReport = z.strictObject({
  at: Timestamp,
  summary: z.string(),
  nextSteps: z.string(),
  /** All tasks are done, and the agent says that the goals are met. */
  isComplete: z.boolean(),
  tasksDone: z.array(NamedTask),
  tasksCreated: z.array(NamedTask),
  /** Statements that the project's agent or its runs added. */
  knowledge: z.array(z.string()),
  /** Escalations of the initiative that were opened meanwhile and wait for an answer. */
  escalations: z.array(z.strictObject({ id: z.string(), question: z.string() })),
  tasks: progress,
});
export type LeadReport = z.infer<typeof LeadReport>;

/** A project's agent at work on one initiative. */
export const Lead = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  initiative: Slug,
  title: z.string(),
  status: z.enum(LEAD_STATUSES),
  /** Why it was started. */
  why: z.string(),
  /** `person`, or who it was: a client, an agent, the daemon. */
  startedBy: z.string(),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
  /** Why it ended without a report, and the same in words. */
  cause: z.enum(LEAD_CAUSES).optional(),
  error: z.string().optional(),
  /** How often it was told to work: at its start, and when it stopped with work left. */
  rounds: z.int(),
  runs: z.array(z.string()),
  teams: z.array(z.string()),
  briefing: LeadBriefing,
  report: LeadReport.optional(),
  /** Of its own answers and of the runs and teams that it started. */
  costUsd: z.number(),
});
export type Lead = z.infer<typeof Lead>;
