import { z } from "zod";
import { AUTONOMY } from "../words/autonomy/orchestrator-words.ts";
import { line, prose, Slug, Timestamp, Words, WrittenTimestamp } from "../words/text.ts";
import { ProjectBudget, ProjectBudgetUpdate } from "./budget.ts";
import { MERGE_METHODS } from "./merge-method.ts";
import { ProjectQualityGates, ProjectQualityGatesUpdate } from "./quality/quality-gates.ts";
import { AskTools, ModelOverride, Skills } from "./role.ts";
import { SandboxSettings, SandboxSettingsUpdate } from "./sandbox.ts";
import { WorktreeSettings, WorktreeSettingsUpdate } from "./worktree.ts";

export const PROJECT_STATUSES = ["active", "suspended", "completed", "archived"] as const;
export const ProjectStatus = z.enum(PROJECT_STATUSES);
export type ProjectStatus = z.infer<typeof ProjectStatus>;

export const AbsolutePath = line(1_000)
  .refine((value) => value.startsWith("/") || /^[A-Za-z]:[\\/]/.test(value), "must be an absolute path")
  .meta({ pattern: "^\\s*(?:/|[A-Za-z]:[\\\\/])" });

const techStack = { languages: Words.default([]), frameworks: Words.default([]), tools: Words.default([]) };
const scope = { in: Words.default([]), out: Words.default([]) };
const constraints = {
  maxTokensPerTask: z.int().min(1).optional(),
  /** Further calls of tools are refused; submitting what the run has stays possible. */
  maxToolCallsPerRun: z.int().min(1).max(100_000).optional(),
  defaultTimeout: z.int().min(1).max(86_400).optional(),
  requireReview: z.boolean().optional(),
  allowedEnvironments: Words.optional(),
};
const integration = {
  mergeMethod: z.enum(MERGE_METHODS).optional(),
  repoUrl: line(1_000).optional(),
  branch: line(250).optional(),
  envFiles: z.array(line(1_000)).max(100).optional(),
};
const sandbox = SandboxSettings.optional();
const worktree = WorktreeSettings.optional();

export const TechStack = z.strictObject(techStack);

export const ProjectConfig = z.strictObject({
  techStack: TechStack.prefault({}),
  goals: Words.default([]),
  scope: z.strictObject(scope).prefault({}),
  constraints: z.strictObject(constraints).prefault({}),
  budget: ProjectBudget.optional(),
  qualityGates: ProjectQualityGates.optional(),
  sandbox,
  worktree,
  /** What the orchestrator may do here. */
  autonomy: z.enum(AUTONOMY).optional(),
  ...integration,
});
export type ProjectConfig = z.infer<typeof ProjectConfig>;

/** A change names only what it changes; null takes an optional setting away. */
const ProjectConfigUpdate = z.strictObject({
  techStack: z
    .strictObject({ languages: Words.optional(), frameworks: Words.optional(), tools: Words.optional() })
    .optional(),
  goals: Words.optional(),
  scope: z.strictObject({ in: Words.optional(), out: Words.optional() }).optional(),
  constraints: z
    .strictObject({
      maxTokensPerTask: constraints.maxTokensPerTask.nullable(),
      maxToolCallsPerRun: constraints.maxToolCallsPerRun.nullable(),
      defaultTimeout: constraints.defaultTimeout.nullable(),
      requireReview: constraints.requireReview.nullable(),
      allowedEnvironments: constraints.allowedEnvironments.nullable(),
    })
    .optional(),
  budget: ProjectBudgetUpdate.optional(),
  qualityGates: ProjectQualityGatesUpdate.nullish(),
  repoUrl: integration.repoUrl.nullable(),
  branch: integration.branch.nullable(),
  mergeMethod: integration.mergeMethod.nullable(),
  envFiles: integration.envFiles.nullable(),
  autonomy: z.enum(AUTONOMY).nullish(),
  sandbox: SandboxSettingsUpdate.nullable().optional(),
  worktree: WorktreeSettingsUpdate.nullable().optional(),
});
export type ProjectConfigUpdate = z.infer<typeof ProjectConfigUpdate>;

const AssignmentStatus = z.enum(["active", "paused"]);
/** `auto`: the hall may start this role by itself; `on-demand`: only when asked for. */
const AssignmentMode = z.enum(["auto", "on-demand"]);

const assignmentFields = {
  modelConfig: ModelOverride.optional(),
  skills: Skills.optional(),
  /** Beside those of the role. */
  ask: AskTools.optional(),
  status: AssignmentStatus.default("active"),
  mode: AssignmentMode.default("on-demand"),
};

export const Assignment = z.strictObject({
  id: Slug,
  roleId: Slug,
  projectId: Slug,
  ...assignmentFields,
  assignedAt: Timestamp,
});
export type Assignment = z.infer<typeof Assignment>;
const StoredAssignment = z.looseObject({ ...Assignment.shape, request: z.string().optional() });
export type StoredAssignment = z.infer<typeof StoredAssignment>;

export const AssignmentCreate = z.strictObject({ roleId: Slug, ...assignmentFields });
export type AssignmentCreate = z.infer<typeof AssignmentCreate>;
export const AssignmentUpdate = z.strictObject({
  modelConfig: ModelOverride.nullable().optional(),
  skills: Skills.nullable().optional(),
  ask: AskTools.nullable().optional(),
  status: AssignmentStatus.optional(),
  mode: AssignmentMode.optional(),
});
export type AssignmentUpdate = z.infer<typeof AssignmentUpdate>;

export const TaskCount = z.strictObject({
  todo: z.int(),
  inProgress: z.int(),
  review: z.int(),
  done: z.int(),
  failed: z.int(),
  cancelled: z.int(),
});
export type TaskCount = z.infer<typeof TaskCount>;

/** Relative to the workspace. */
const ProjectPaths = z.strictObject({
  root: z.string(),
  memory: z.string(),
  tasks: z.string(),
  artifacts: z.string(),
  context: z.string(),
});

export const Project = z.strictObject({
  id: Slug,
  name: line(120),
  description: prose(20_000),
  status: ProjectStatus,
  config: ProjectConfig,
  model: line(200).optional(),
  workdir: AbsolutePath.optional(),
  paths: ProjectPaths,
  team: z.array(Assignment),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  suspendedAt: Timestamp.optional(),
  completedAt: Timestamp.optional(),
});
export type Project = z.infer<typeof Project>;

/** PROJECT.json: the machine-readable half. `status`, `model` and `workdir` mirror PROJECT.md's frontmatter. */
export const ProjectJson = z.looseObject({
  id: Slug,
  name: line(120),
  description: prose(20_000).default(""),
  status: ProjectStatus,
  model: line(200).nullish(),
  workdir: AbsolutePath.nullish(),
  config: ProjectConfig.prefault({}),
  paths: ProjectPaths.optional(),
  team: z.array(StoredAssignment).default([]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  request: z.string().optional(),
});
export type ProjectJson = z.infer<typeof ProjectJson>;

/** The frontmatter of PROJECT.md. `name` is the folder's name; the title people read is the heading. */
export const ProjectFrontmatter = z.looseObject({
  name: Slug,
  status: ProjectStatus,
  model: line(200).nullish(),
  workdir: AbsolutePath.nullish(),
  created: WrittenTimestamp,
  suspended: WrittenTimestamp.nullish(),
  completed: WrittenTimestamp.nullish(),
});
export type ProjectFrontmatter = z.infer<typeof ProjectFrontmatter>;

/** A beginning for a project: it fills what a person leaves open. */
export const ProjectTemplate = z.strictObject({
  id: Slug,
  name: z.string(),
  description: z.string(),
  background: z.string(),
  goals: z.array(z.string()),
  scope: z.strictObject({ in: z.array(z.string()), out: z.array(z.string()) }),
  constraints: z.strictObject(constraints),
});
export type ProjectTemplate = z.infer<typeof ProjectTemplate>;

/** The address of its list: a project of that name could not be reached. */
export const TAKEN_PROJECT_ID = "templates";

export const ProjectCreate = z.strictObject({
  id: Slug.optional(),
  template: Slug.optional(),
  name: line(120),
  description: prose(20_000).default(""),
  background: prose(20_000).default(""),
  /** What its agents have to keep to, in words: stands under Constraints in PROJECT.md. */
  constraints: prose(10_000).optional(),
  techStack: TechStack.optional(),
  goals: Words.optional(),
  config: ProjectConfig.optional(),
  model: line(200).optional(),
  workdir: AbsolutePath.optional(),
  /** A repository to clone; `workdir`, which must then be missing or empty, says where to. */
  repoUrl: line(2_000).optional(),
});
export type ProjectCreate = z.infer<typeof ProjectCreate>;

export const ProjectUpdate = z.strictObject({
  name: line(120).optional(),
  description: prose(20_000).optional(),
  status: ProjectStatus.optional(),
  config: ProjectConfigUpdate.optional(),
  techStack: ProjectConfigUpdate.shape.techStack,
  goals: Words.optional(),
  model: line(200).nullable().optional(),
  workdir: AbsolutePath.nullable().optional(),
});
export type ProjectUpdate = z.infer<typeof ProjectUpdate>;

/** The sections of PROJECT.md that are written as text; the others follow from settings. */
export const BRIEF_SECTIONS = ["Overview", "Goals", "Background", "Constraints"] as const;
export const BriefEdit = z.strictObject({ section: z.enum(BRIEF_SECTIONS), text: prose(20_000) });
export type BriefEdit = z.infer<typeof BriefEdit>;

export const ProjectSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: ProjectStatus.or(z.literal("invalid")),
  taskCount: TaskCount,
  teamSize: z.int(),
  updatedAt: z.string(),
  /** When it or one of its tasks was last changed. */
  activeAt: z.string(),
  problem: z.string().optional(),
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

export const FileEntry = z.strictObject({
  path: z.string(),
  kind: z.enum(["document", "context", "artifact", "knowledge", "plan"]),
  size: z.int(),
  updatedAt: z.string(),
});
export type FileEntry = z.infer<typeof FileEntry>;
