import { z } from "zod";
import { Lead, LeadBriefing } from "../../documents/autonomy/lead.ts";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../documents/task-status.ts";
import { INITIATIVE_STATUSES, LEAD_STATUSES } from "../../words/autonomy/lead-words.ts";
import { line, prose, Slug, Timestamp, Words } from "../../words/text.ts";
import { byId, success } from "../route-parts.ts";

const group = "Initiatives";
const InitiativeStatus = z.enum(INITIATIVE_STATUSES);

export const Initiative = z.strictObject({
  slug: Slug,
  title: z.string(),
  path: z.string(),
  /** `status` in the frontmatter of its plan; `active` without one. */
  status: InitiativeStatus,
  tasks: z.strictObject({ done: z.int(), total: z.int() }),
});
export type Initiative = z.infer<typeof Initiative>;

const goals = z.array(line(2_000)).max(50);

export const InitiativeCreate = z.strictObject({ slug: Slug.optional(), title: line(200), goals: Words.default([]) });
export type InitiativeCreate = z.infer<typeof InitiativeCreate>;

/** What stands in a plan, by its headings. */
export type PlanParts = { title: string; status: InitiativeStatus; goals: string[]; state: string; next: string };
type InitiativeStatus = z.infer<typeof InitiativeStatus>;

export const InitiativeDetail = Initiative.extend({
  goals: z.array(z.string()),
  /** The section State of the plan, and the section Next. */
  state: z.string(),
  next: z.string(),
  /** The text of plan.md. */
  plan: z.string(),
  etag: z.string(),
  updatedAt: Timestamp,
  /** Tasks by status. */
  counts: z.partialRecord(z.enum(TASK_STATUSES), z.int()),
  /** Ready tasks in the order in which a lead takes them. */
  ready: z.array(z.strictObject({ id: z.string(), title: z.string(), priority: z.enum(TASK_PRIORITIES) })),
});
export type InitiativeDetail = z.infer<typeof InitiativeDetail>;

export const InitiativeUpdate = z.strictObject({
  status: InitiativeStatus.optional(),
  title: line(200).optional(),
  goals: goals.optional(),
  state: prose(20_000).optional(),
  next: prose(20_000).optional(),
});
export type InitiativeUpdate = z.infer<typeof InitiativeUpdate>;

const params = z.strictObject({ id: z.string(), slug: Slug });
const one = z.strictObject({ ...success, lead: Lead });

export const initiativeRoutes = {
  listInitiatives: {
    summary: "Initiatives of a project and their progress.",
    group,
    params: byId,
    response: z.strictObject({ initiatives: z.array(Initiative) }),
  },
  createInitiative: {
    summary: "Create an initiative: plans/<slug>/plan.md.",
    group,
    params: byId,
    body: InitiativeCreate,
    response: z.strictObject({ ...success, initiative: Initiative }),
    status: 201,
  },
  getInitiative: {
    summary:
      "An initiative with its plan, its progress and what is ready. Its tasks: GET /api/projects/:id/tasks?plan=<slug>.",
    group,
    params,
    response: z.strictObject({ initiative: InitiativeDetail }),
  },
  updateInitiative: {
    summary: "Change an initiative's plan or status. Pausing or completing it stops its lead.",
    group,
    params,
    body: InitiativeUpdate,
    document: InitiativeDetail,
    response: z.strictObject({ ...success, initiative: InitiativeDetail }),
  },
  getLeadBriefing: {
    summary: "The briefing that a lead of this initiative would get now. Made from records; calls no model.",
    group,
    params,
    response: z.strictObject({ briefing: LeadBriefing }),
  },
  startLead: {
    summary: "Start the project's agent on an initiative.",
    group,
    params,
    body: z.strictObject({ why: line(500).optional() }),
    bodyOptional: true,
    response: one,
    status: 201,
  },
  stopLead: {
    summary: "Stop the lead of an initiative: its answer and its runs. Teams that it started are paused.",
    group,
    params,
    response: one,
  },
  listLeads: {
    summary: "Leads, the newest first.",
    group,
    query: z.strictObject({
      project: Slug.optional(),
      initiative: Slug.optional(),
      status: z.enum(LEAD_STATUSES).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    response: z.strictObject({ leads: z.array(Lead) }),
  },
} as const;
