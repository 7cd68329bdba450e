import { z } from "zod";
import { hintFields } from "../words/hint-schema.ts";
import { ANSWER_TEXTS, QUEUE_ACTIONS } from "../words/queue-words.ts";
import { TEAM_QUESTIONS } from "../words/teams/team-words.ts";
import { line, prose, Slug, Timestamp, WrittenTimestamp } from "../words/text.ts";
import {
  ANSWER_SCOPES,
  ESCALATION_ORIGINS,
  ESCALATION_OUTCOMES,
  ESCALATION_STATUSES,
  ESCALATION_TYPES,
  REVIEW_ESCALATIONS,
  SUBJECT_KINDS,
} from "./escalation-status.ts";
import { PermissionHours, PermissionRequest } from "./permission.ts";
import { TaskPriorityInput } from "./task.ts";
import { TASK_PRIORITIES } from "./task-status.ts";

/** One spelling for each number: three digits, or more without a zero in front. */
export const ESCALATION_ID = /^esc-(?:\d{3}|[1-9]\d{3,11})$/;
const EscalationId = z.string().regex(ESCALATION_ID, "must look like esc-001");

export const SuggestedAnswer = z.strictObject({
  label: line(200),
  description: prose(2_000).default(""),
});
export type SuggestedAnswer = z.infer<typeof SuggestedAnswer>;

/** As it is kept. `code`: what it has the hall do, of a question that the hall asked itself. Agents can't set it. */
const OfferedAnswer = SuggestedAnswer.extend({ code: z.string().max(60).optional() });
export type OfferedAnswer = z.infer<typeof OfferedAnswer>;

/** As it is shown: of a derived one also what it does, and what has to be written with it. Agents can't set either. */
const ShownAnswer = OfferedAnswer.extend({
  action: z.enum(QUEUE_ACTIONS).optional(),
  needs: z.enum(ANSWER_TEXTS).optional(),
});

/** One agent that asked. The answer reaches each exactly once. */
const Asker = z.strictObject({
  /** `run`: a run; `project`: a project's agent; `main`: the main agent; `client` or `person`: over the API. */
  kind: z.enum(["run", "project", "main", "client", "person"]),
  /** Of the run, the project or the client. */
  id: z.string().max(200).optional(),
  projectId: Slug.optional(),
  taskId: z.string().max(100).optional(),
  /** The tool call that asked: asking again with it changes nothing. */
  callId: z.string().max(300).optional(),
  /** Whether it waits for the answer; otherwise it continued, and gets the answer as a message. */
  waits: z.boolean().default(false),
  askedAt: Timestamp,
  /** When the answer was handed over for good; absent while it is still to be delivered. */
  deliveredAt: Timestamp.optional(),
  /** The run that the answer went to, where the asking run was over. */
  followUpRunId: z.string().max(200).optional(),
});
export type Asker = z.infer<typeof Asker>;

/** One step of an escalation's life, in order. */
const EscalationStep = z.strictObject({
  at: Timestamp,
  /** `run:<id>`, `project:<id>`, `main`, `person`, `hall`, `client:<name>`. */
  by: z.string().max(300),
  action: z.enum([
    "asked",
    "joined",
    "promoted",
    "passed",
    "answered",
    "dismissed",
    "withdrawn",
    "expired",
    "reopened",
    "snoozed",
    "handed",
    "reminded",
    "edited",
  ]),
  reason: z.string().max(2_000).optional(),
});
export type EscalationStep = z.infer<typeof EscalationStep>;

/** What an answer rests on, with the fingerprint it had at the time. */
export const AnswerSource = z.strictObject({
  kind: z.enum(["knowledge", "escalation", "rule"]),
  /** Of the statement, the escalation or the rule. */
  id: z.string().max(200),
  projectId: Slug.optional(),
  text: z.string().max(2_000),
  fingerprint: z.string().max(100),
});
export type AnswerSource = z.infer<typeof AnswerSource>;

const fields = {
  type: z.enum(ESCALATION_TYPES),
  origin: z.enum(ESCALATION_ORIGINS),
  /** Absent when it concerns the whole workspace. */
  projectId: Slug.optional(),
  initiative: Slug.optional(),
  question: line(2_000),
  context: prose(20_000),
  suggestedAnswers: z.array(OfferedAnswer).max(10),
  /** The first asker: `run:<id>`, `project:<id>`, `main`, `person`, `client:<name>`, `hall`. */
  escalatedBy: z.string().max(300),
  /** Who had it so far, in order; the person's step is the last. */
  escalationPath: z.array(z.string().max(300)).max(100),
  history: z.array(EscalationStep).max(1_000),
  askers: z.array(Asker).max(100),
  priority: z.enum(TASK_PRIORITIES),
  /** A task of the project; it is `blocked` while this is open. */
  blocksTask: z.string().max(100).nullable(),
  blocksInitiative: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  status: z.enum(ESCALATION_STATUSES),
  outcome: z.enum(ESCALATION_OUTCOMES).optional(),
  /** What was decided, in words; it reaches every asker. */
  resolution: z.string().max(20_000).nullable(),
  /** The label that was chosen, if one was. */
  answer: z.string().max(200).nullable(),
  resolvedBy: z.string().max(300).nullable(),
  resolvedAt: Timestamp.nullable(),
  scope: z.enum(ANSWER_SCOPES).optional(),
  /** What the answer rested on. */
  sources: z.array(AnswerSource).max(50).default([]),
  /** Escalations whose answers this one replaces. */
  replaces: z.array(z.string().max(100)).max(100).default([]),
  /** The statement in knowledge/decisions.md that it became. */
  statementId: z.string().max(100).optional(),
  /** The rule that it became ("always answer this way"). */
  ruleId: z.string().max(100).optional(),
  /** The call that waits for permission. Only the labels of PERMISSION_ANSWERS answer it. */
  permission: PermissionRequest.optional(),
  /** The review of a result that could not be brought to an end without the person. Its answers are carried out. */
  review: z
    .strictObject({
      id: z.string().max(100),
      /** Which of the escalations of that review it is, from 1. */
      number: z.int().min(1),
      kind: z.enum(REVIEW_ESCALATIONS),
      runId: z.string().max(200),
      gateId: z.string().max(100).optional(),
      cycle: z.int().min(1),
    })
    .optional(),
  /** What a team asks. Its answers are carried out. */
  team: z
    .strictObject({
      id: z.string().max(100),
      /** Which of the questions of that team it is, from 1. */
      number: z.int().min(1),
      kind: z.enum(TEAM_QUESTIONS),
      /** The key of the task that it is about. */
      task: z.string().max(100).optional(),
    })
    .optional(),
  /** Not shown in the queue before then. */
  snoozedUntil: Timestamp.optional(),
  /** When the person was last told of it, and how often. */
  remindedAt: Timestamp.optional(),
  reminders: z.int().min(0).default(0),
  /** A stated default that takes effect when nobody answers in time, where the type allows it. */
  expires: z.strictObject({ at: Timestamp, answer: line(200) }).optional(),
};

/** As the hall writes it. */
export const EscalationDocument = z
  .strictObject({ id: EscalationId, ...fields })
  .refine(
    ({ status, outcome, resolvedBy, resolvedAt }) => status !== "resolved" || (outcome && resolvedBy && resolvedAt),
    {
      path: ["outcome"],
      error: "is required when the status is resolved, with resolvedBy and resolvedAt",
    },
  )
  .refine((document) => !lacksAnswer(document), { path: ["resolution"], error: "is required" });

/** Resolved without a decision: neither words nor the label of a suggestion. Who declines or withdraws gives none. */
export function lacksAnswer(document: Pick<Escalation, "status" | "outcome" | "resolution" | "answer">): boolean {
  const { status, outcome, resolution, answer } = document;
  if (status !== "resolved" || outcome === "dismissed" || outcome === "withdrawn") return false;
  return (resolution ?? "").trim() === "" && answer === null;
}

/** Null is how people write "none" in JSON. */
const dated = WrittenTimestamp.nullish().transform((value) => value ?? null);

/**
 * As a person may write it: what is left out has a default, keys that are not known are kept, and `space` is another name
 * for `projectId`.
 */
export const EscalationFile = z.looseObject({
  ...fields,
  id: EscalationId,
  type: fields.type.default("question"),
  origin: fields.origin.default("agent"),
  projectId: Slug.nullish(),
  space: Slug.nullish(),
  initiative: Slug.nullish(),
  context: fields.context.default(""),
  suggestedAnswers: fields.suggestedAnswers.default([]),
  escalatedBy: fields.escalatedBy.default("person"),
  escalationPath: fields.escalationPath.default([]),
  history: fields.history.default([]),
  askers: fields.askers.default([]),
  priority: TaskPriorityInput.default("medium"),
  blocksTask: fields.blocksTask.default(null),
  blocksInitiative: fields.blocksInitiative.default(false),
  createdAt: WrittenTimestamp.optional(),
  updatedAt: WrittenTimestamp.optional(),
  status: fields.status.optional(),
  outcome: z.enum(ESCALATION_OUTCOMES).nullish(),
  resolution: fields.resolution.default(null),
  answer: fields.answer.default(null),
  resolvedBy: fields.resolvedBy.default(null),
  resolvedAt: dated,
  scope: z.enum(ANSWER_SCOPES).nullish(),
  statementId: fields.statementId.nullable(),
  ruleId: fields.ruleId.nullable(),
  permission: fields.permission.nullable(),
  review: fields.review.nullable(),
  team: fields.team.nullable(),
  snoozedUntil: dated,
  remindedAt: dated,
  expires: fields.expires.nullable(),
});
export type EscalationFile = z.infer<typeof EscalationFile>;

export const Escalation = z.strictObject({
  /** `esc-001`, or of a derived one `<kind>-<id>`. */
  id: z.string(),
  ...fields,
  suggestedAnswers: z.array(ShownAnswer).max(10),
  /** Of a derived one: what it is about. It has no file, and ends when that does. */
  subject: z.strictObject({ kind: z.enum(SUBJECT_KINDS), id: z.string() }).optional(),
  /** Of a derived one: what helps beside an answer, such as a page or a command. */
  ...hintFields,
  /** Grows with age, so that nothing waits at the end of the list forever. */
  urgency: z.number(),
  /** Until then an answer can be taken back, as long as nothing acted on it. */
  undoUntil: Timestamp.optional(),
  /** Absent without a file. */
  path: z.string().optional(),
  /** Of a derived one, when it is asked for alone: of what is to be decided. As If-Match, an answer is for that content only. */
  etag: z.string().optional(),
});
export type Escalation = z.infer<typeof Escalation>;

/** What is asked, by an agent's tool or over the API. */
export const Question = z.strictObject({
  type: z
    .enum(ESCALATION_TYPES)
    .describe("decision: pick an option; blocker: something is missing; question; approval."),
  question: fields.question.describe("One clear sentence that can be answered without this conversation."),
  context: fields.context.default("").describe("What the reader must know to decide."),
  suggestedAnswers: z.array(SuggestedAnswer).max(10).default([]).describe("Your preferred answer first."),
  priority: TaskPriorityInput.default("medium"),
  blocksTask: z.string().max(100).nullish().describe("Id of the task that cannot continue without the answer."),
  blocksInitiative: z.boolean().default(false),
  fallback: z
    .strictObject({ answer: line(200), afterHours: z.number().min(1).max(8_760) })
    .optional()
    .describe("What you do if no answer comes within these hours. Only for type question; ignored for others."),
});
export type Question = z.infer<typeof Question>;

export const EscalationCreate = Question.extend({
  projectId: Slug.optional(),
  initiative: Slug.optional(),
  origin: z.enum(ESCALATION_ORIGINS).default("agent"),
});
export type EscalationCreate = z.infer<typeof EscalationCreate>;

/** An answer. At least one of the two; with only a label, its suggestion's text is the resolution. */
export const Resolve = z
  .strictObject({
    resolution: prose(20_000).optional(),
    answer: line(200).optional(),
    /** The whole project unless given; of a derived one, ignored. */
    scope: z.enum(ANSWER_SCOPES).optional(),
    /** Answer this way from now on. */
    always: z.boolean().default(false),
    replaces: z.array(EscalationId).max(100).default([]),
    /** With the answer `hour` to a request for permission: how many. The setting permissions.hours unless given. */
    hours: PermissionHours.optional(),
  })
  .refine(({ resolution, answer }) => (resolution ?? "") !== "" || answer !== undefined, {
    path: ["resolution"],
    error: "is required unless answer is given",
  })
  .meta({ anyOf: [{ required: ["resolution"] }, { required: ["answer"] }] });
export type Resolve = z.infer<typeof Resolve>;
