import { z } from "zod";
import { AnswerSource, Escalation, EscalationCreate, Resolve } from "../../documents/escalation.ts";
import { ESCALATION_STATUSES, ESCALATION_TYPES } from "../../documents/escalation-status.ts";
import { Problem } from "../../problem.ts";
import { line, prose, Slug, Timestamp } from "../../words/text.ts";
import { byId, flag, page, paged, success } from "../route-parts.ts";

const reason = prose(2_000);
const one = z.strictObject({ ...success, escalation: Escalation });

export const EscalationQuery = z.strictObject({
  ...page,
  status: z.enum(ESCALATION_STATUSES).optional(),
  type: z.enum(ESCALATION_TYPES).optional(),
  project: Slug.optional(),
  /** With those that are snoozed. */
  snoozed: flag.optional(),
  q: line(500).optional(),
});
export type EscalationQuery = z.infer<typeof EscalationQuery>;

/** What comes of asking: an open escalation, or an answer that was recorded earlier. */
const Asked = z.strictObject({
  ...success,
  /** `asked`: a new one. `joined`: the question was open already. `known`: it was answered before, and nobody is asked. */
  outcome: z.enum(["asked", "joined", "known"]),
  /** Of a known answer: the one it was given to, if it was not a rule or a statement. */
  escalation: Escalation.optional(),
  /** Of a known answer: what was decided, for which question, and where that is recorded. */
  known: z
    .strictObject({
      question: z.string(),
      answer: z.string().nullable(),
      resolution: z.string(),
      source: AnswerSource,
    })
    .optional(),
});
export type Asked = z.infer<typeof Asked>;

const group = "Escalations";

export const escalationRoutes = {
  listEscalations: {
    summary: "What waits for a decision, most urgent first; without a status, all of them.",
    group,
    query: EscalationQuery,
    response: z.strictObject({
      escalations: z.array(Escalation),
      invalid: z.array(Problem),
      total: z.int(),
      ...paged,
    }),
  },
  createEscalation: {
    summary: "Ask a question. A known answer is returned instead; a question that is open already gets one more asker.",
    group,
    body: EscalationCreate,
    response: Asked,
    status: 201,
  },
  getEscalation: {
    summary: "An escalation.",
    group,
    params: byId,
    response: z.strictObject({ escalation: Escalation }),
  },
  resolveEscalation: {
    summary: "Answer an escalation. A second answer is refused with 409 and shows the first.",
    group,
    params: byId,
    body: Resolve,
    response: one,
  },
  promoteEscalation: {
    summary: "Send a draft to the person at once.",
    group,
    params: byId,
    body: z.strictObject({ reason: reason.optional() }),
    response: one,
  },
  dismissEscalation: {
    summary: "Close an escalation without an answer, with a reason that reaches the asker.",
    group,
    params: byId,
    body: z.strictObject({ reason }),
    response: one,
  },
  undoEscalation: {
    summary: "Undo an answer or a dismissal, within a minute and while nothing acted on it.",
    group,
    params: byId,
    body: z.strictObject({}),
    response: one,
  },
  snoozeEscalation: {
    summary: "Hide an escalation until a time; null shows it again.",
    group,
    params: byId,
    body: z.strictObject({ until: Timestamp.nullable() }),
    response: one,
  },
  handEscalation: {
    summary: "Let an agent decide: the main agent, or the project's agent. It chooses and gives its reason.",
    group,
    params: byId,
    body: z.strictObject({ to: z.enum(["main", "project"]).default("main") }),
    response: one,
  },
} as const;
