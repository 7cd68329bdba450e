import { z } from "zod";
import { DOMAINS } from "../words/teams/team-words.ts";
import { line, prose, Slug, Timestamp, WrittenTimestamp } from "../words/text.ts";
import {
  REHEARSED,
  TASK_OUTCOMES,
  TASK_PRIORITIES,
  TASK_STATUSES,
  TASK_TYPES,
  type TaskPriority,
  type TaskStatus,
  type TaskType,
} from "./task-status.ts";

const statusAliases = {
  todo: "pending",
  in_progress: "in-progress",
  in_review: "review",
  completed: "done",
} as const satisfies Record<string, TaskStatus>;
const priorityAliases = { critical: "urgent" } as const satisfies Record<string, TaskPriority>;
const typeAliases = { bugfix: "bug" } as const satisfies Record<string, TaskType>;

/** An enum that also takes the aliases of other systems and answers with our own word. */
function aliased<const Value extends string, const Alias extends string>(
  values: readonly Value[],
  aliases: Record<Alias, Value>,
) {
  const known = [...values, ...(Object.keys(aliases) as Alias[])];
  return z
    .enum(known as [Value | Alias, ...(Value | Alias)[]], { error: `must be one of ${values.join(", ")}` })
    .transform((word): Value => (word in aliases ? aliases[word as Alias] : (word as Value)));
}

const TaskStatusInput = aliased(TASK_STATUSES, statusAliases);
export const TaskPriorityInput = aliased(TASK_PRIORITIES, priorityAliases);
export const TaskTypeInput = aliased(TASK_TYPES, typeAliases);

/** One spelling for each number: three digits, or more without a zero in front. */
export const TASK_ID = /^TASK-(?:\d{3}|[1-9]\d{3,11})$/;
const TaskId = z.string().regex(TASK_ID, "must look like TASK-001");
export const TaskOutcome = z.enum([...TASK_OUTCOMES, REHEARSED]);
const TaskDomain = z.enum(DOMAINS);

const Reference = z
  .string()
  .min(1)
  .max(10_000)
  .refine((value) => value.isWellFormed() && !value.includes("\0"), "must be well-formed text");

const context = {
  files: z.array(Reference).max(500).default([]),
  codeRefs: z.array(Reference).max(500).default([]),
  dependencies: z.array(Reference).max(500).default([]),
};
export const TaskContext = z.strictObject(context);
export type TaskContext = z.infer<typeof TaskContext>;

export const Criterion = z.strictObject({ text: line(2_000), done: z.boolean() });
export type Criterion = z.infer<typeof Criterion>;
const CriterionInput = z.union([
  line(2_000).transform((text): Criterion => ({ text, done: false })),
  z.strictObject({ text: line(2_000), done: z.boolean().default(false) }),
]);

export const TaskResult = z.strictObject({
  summary: prose(100_000),
  filesChanged: z.array(Reference).max(10_000).default([]),
  artifactsCreated: z.array(Reference).max(1_000).default([]),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** `request` remembers the Idempotency-Key of the request that made the change. */
export const StatusChange = z.strictObject({
  at: Timestamp,
  from: z.enum(TASK_STATUSES).nullable(),
  to: z.enum(TASK_STATUSES),
  by: z.string(),
  request: z.string().optional(),
});
export type StatusChange = z.infer<typeof StatusChange>;

const title = line(500);
const description = prose(1_000_000);
const labels = z.array(line(60)).max(100);
const taskIds = z.array(TaskId).max(1_000);
const role = Slug;
const subAgent = line(100);
const responsibilityType = line(60);

export const Task = z.strictObject({
  id: TaskId,
  projectId: Slug,
  title,
  description: z.string(),
  type: z.enum(TASK_TYPES),
  priority: z.enum(TASK_PRIORITIES),
  status: z.enum(TASK_STATUSES),
  assignedRoleId: z.string().optional(),
  assignedSubAgentId: z.string().optional(),
  context: TaskContext,
  acceptanceCriteria: z.array(Criterion),
  labels: z.array(z.string()),
  plan: z.string().optional(),
  domain: TaskDomain.optional(),
  responsibilityType: z.string().optional(),
  blocks: z.array(z.string()),
  blockedBy: z.array(z.string()),
  /** The open escalations that block it; absent without one. */
  escalations: z.array(z.string()).optional(),
  /** Computed: nothing it waits for is unfinished, and it can be started. */
  ready: z.boolean(),
  /** Computed: the entries of blockedBy that are not finished. */
  waitingOn: z.array(z.string()),
  notes: z.string(),
  completionNotes: z.string().optional(),
  outcome: TaskOutcome.optional(),
  result: TaskResult.optional(),
  history: z.array(StatusChange),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().optional(),
  completedAt: z.string().optional(),
  path: z.string(),
  etag: z.string(),
});
export type Task = z.infer<typeof Task>;

/** The frontmatter of a task file. Only `id` must be there; a person may leave out the rest. */
export const TaskFrontmatter = z.looseObject({
  id: TaskId,
  title: title.optional(),
  status: TaskStatusInput.optional(),
  type: TaskTypeInput.default("other"),
  priority: TaskPriorityInput.default("medium"),
  assigned: role.nullish(),
  role: role.nullish(),
  agent: subAgent.nullish(),
  project: Slug.optional(),
  labels: labels.default([]),
  plan: Slug.nullish(),
  domain: TaskDomain.nullish(),
  responsibilityType: responsibilityType.nullish(),
  blocks: taskIds.default([]),
  blockedBy: taskIds.default([]),
  escalations: z.array(z.string().max(100)).max(100).nullish(),
  outcome: TaskOutcome.nullish(),
  created: WrittenTimestamp.optional(),
  updated: WrittenTimestamp.optional(),
  started: WrittenTimestamp.nullish(),
  completed: WrittenTimestamp.nullish(),
  history: z.array(StatusChange).default([]),
});
export type TaskFrontmatter = z.infer<typeof TaskFrontmatter>;

/** For the API's description. */
export const NEEDS_TITLE = { anyOf: [{ required: ["title"] }, { required: ["subject"] }] };

export const TaskCreate = z
  .strictObject({
    title: title.optional(),
    subject: title.optional(),
    description: description.default(""),
    type: TaskTypeInput.default("other"),
    priority: TaskPriorityInput.default("medium"),
    status: TaskStatusInput.default("pending"),
    assignedRoleId: role.optional(),
    assignedSubAgentId: subAgent.optional(),
    context: TaskContext.prefault({}),
    acceptanceCriteria: z.array(CriterionInput).max(200).default([]),
    labels: labels.default([]),
    plan: Slug.optional(),
    domain: TaskDomain.optional(),
    responsibilityType: responsibilityType.optional(),
    blocks: taskIds.default([]),
    blockedBy: taskIds.default([]),
    notes: prose(1_000_000).default(""),
    completionNotes: prose(100_000).optional(),
    outcome: TaskOutcome.optional(),
    result: TaskResult.optional(),
  })
  .refine((body) => body.title !== undefined || body.subject !== undefined, {
    path: ["title"],
    error: "is required",
  })
  .meta(NEEDS_TITLE);
export type TaskCreate = z.infer<typeof TaskCreate>;

/** A change names only what it changes; null takes an optional field away. */
export const TaskUpdate = z.strictObject({
  title: title.optional(),
  subject: title.optional(),
  description: description.optional(),
  type: TaskTypeInput.optional(),
  priority: TaskPriorityInput.optional(),
  status: TaskStatusInput.optional(),
  assignedRoleId: role.nullable().optional(),
  assignedSubAgentId: subAgent.nullable().optional(),
  context: z
    .strictObject({
      files: context.files.unwrap().optional(),
      codeRefs: context.codeRefs.unwrap().optional(),
      dependencies: context.dependencies.unwrap().optional(),
    })
    .optional(),
  acceptanceCriteria: z.array(CriterionInput).max(200).optional(),
  labels: labels.optional(),
  plan: Slug.nullable().optional(),
  domain: TaskDomain.nullable().optional(),
  responsibilityType: responsibilityType.nullable().optional(),
  blocks: taskIds.optional(),
  blockedBy: taskIds.optional(),
  notes: prose(1_000_000).optional(),
  completionNotes: prose(100_000).nullable().optional(),
  outcome: TaskOutcome.nullable().optional(),
  result: TaskResult.nullable().optional(),
});
export type TaskUpdate = z.infer<typeof TaskUpdate>;

export const TaskMove = z.strictObject({
  status: TaskStatusInput,
  outcome: TaskOutcome.optional(),
  completionNotes: prose(100_000).optional(),
});
export type TaskMove = z.infer<typeof TaskMove>;
