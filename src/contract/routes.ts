import { z } from "zod";
import { browserRoutes } from "./browser-routes.ts";
import { Budget, BudgetReport, BudgetUpdate } from "./budget.ts";
import { cardRoutes } from "./card-routes.ts";
import { CheckpointList, Rollback, RollbackRequest } from "./checkpoint.ts";
import type { EndpointName } from "./endpoints.ts";
import { errorTable } from "./errors.ts";
import { HallEvent } from "./event.ts";
import { folderRoutes } from "./folder-routes.ts";
import { knowledgeRoutes } from "./knowledge-routes.ts";
import { liveRoutes } from "./live-routes.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { nowRoutes } from "./now-routes.ts";
import { Problem } from "./problem.ts";
import {
  Assignment,
  AssignmentCreate,
  AssignmentUpdate,
  FileEntry,
  Project,
  ProjectCreate,
  ProjectStatus,
  ProjectSummary,
  ProjectUpdate,
  TaskCount,
} from "./project.ts";
import { projectTemplateRoutes } from "./project-template-routes.ts";
import { ModelPreset, Rank, Resolved } from "./rank.ts";
import { Role, RoleCreate, RoleSuggestion, RoleTemplate, RoleUpdate } from "./role.ts";
import { roleFileRoutes } from "./role-file-routes.ts";
import { rolePreviewRoutes } from "./role-preview-routes.ts";
import { Run, RunDiff, RunPlan, RunStatus, SpawnRequest, SpawnResponse } from "./run.ts";
import { SandboxState } from "./sandbox.ts";
import { searchRoutes } from "./search-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { skillRoutes } from "./skill-routes.ts";
import { talkRoutes } from "./talk-routes.ts";
import { Task, TaskCreate, TaskMove, TaskPriorityInput, TaskTypeInput, TaskUpdate } from "./task.ts";
import { TASK_FOLDERS, TASK_STATUSES } from "./task-status.ts";
import { fileName, fileText, line, prose, Slug, Words } from "./text.ts";
import { welcomeRoutes } from "./welcome-routes.ts";

export { Problem };

const MAX_LIMIT = 1_000;

const page = {
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(100),
  cursor: z.string().max(500).optional(),
};
const paged = { nextCursor: z.string().optional() };
const success = { success: z.literal(true) };
const flag = z.enum(["true", "false"]).transform((value) => value === "true");

export const TaskQuery = z.strictObject({
  ...page,
  /** A status, or a folder of the board: `todo` is pending, assigned and blocked together. */
  status: z.enum([...TASK_STATUSES, ...TASK_FOLDERS, "in_progress", "in_review", "completed"]).optional(),
  priority: TaskPriorityInput.optional(),
  type: TaskTypeInput.optional(),
  role: Slug.optional(),
  label: line(60).optional(),
  plan: Slug.optional(),
  ready: flag.optional(),
  q: line(500).optional(),
  sort: z.enum(["id", "updated", "priority"]).default("id"),
  order: z.enum(["asc", "desc"]).optional(),
});
export type TaskQuery = z.infer<typeof TaskQuery>;

export const Initiative = z.strictObject({
  slug: Slug,
  title: z.string(),
  path: z.string(),
  tasks: z.strictObject({ done: z.int(), total: z.int() }),
});
export type Initiative = z.infer<typeof Initiative>;
export const InitiativeCreate = z.strictObject({ slug: Slug.optional(), title: line(200), goals: Words.default([]) });
export type InitiativeCreate = z.infer<typeof InitiativeCreate>;

export const Artifact = z.strictObject({
  path: z.string(),
  date: z.string(),
  name: z.string(),
  size: z.int(),
  updatedAt: z.string(),
});
export type Artifact = z.infer<typeof Artifact>;
export const ArtifactCreate = z.strictObject({ name: fileName(200), content: fileText(8_000_000) });
export type ArtifactCreate = z.infer<typeof ArtifactCreate>;

export const AuditReport = z.strictObject({
  ok: z.boolean(),
  events: z.int(),
  days: z.int(),
  /** Journals of runs that are over, compared with what the log says of them. */
  journals: z.int(),
  /** Files of `costs/`, likewise. */
  ledgers: z.int(),
  head: z.string(),
  faults: z.array(z.strictObject({ file: z.string(), line: z.int(), reason: z.string() })),
});
export type AuditReport = z.infer<typeof AuditReport>;

export const Status = z.strictObject({
  status: z.enum(["ok", "stopping"]),
  version: z.string(),
  pid: z.int(),
  url: z.string(),
  workspace: z.string(),
  startedAt: z.string(),
  uptimeSeconds: z.int(),
  memoryMb: z.number(),
  counts: z.strictObject({ roles: z.int(), projects: z.int(), tasks: z.int(), problems: z.int(), events: z.int() }),
  index: z.strictObject({ schema: z.int(), rebuiltAt: z.string().optional(), rebuildMs: z.number().optional() }),
  containment: z.enum(["descriptor", "realpath"]),
  /** What the commands of agents run in. */
  sandbox: SandboxState,
});
export type Status = z.infer<typeof Status>;

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorTable) as [string, ...string[]]),
    message: z.string(),
    file: z.string().optional(),
    line: z.int().optional(),
    hint: z.string().optional(),
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

const runParams = z.strictObject({ runId: z.string() });

export const CostRow = z.strictObject({
  key: z.string(),
  runs: z.int(),
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  costUsd: z.number(),
  /** Runs with a call whose price is not known; the cost is then a lower bound. */
  unpriced: z.int(),
});
export type CostRow = z.infer<typeof CostRow>;

export const ModelsReport = z.strictObject({
  default: z.string(),
  offline: z.string(),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.string(),
      /** Where it was found: config, environment or local. */
      source: z.string(),
      key: z.boolean(),
      /** The variables its key is looked for in; absent when it needs none. */
      keyNames: z.array(z.string()).optional(),
      baseUrl: z.string().optional(),
      /** What a local server offers. */
      models: z.array(z.string()).optional(),
    }),
  ),
  /** What a rank of a team is given when nothing nearer names a model. */
  team: z.strictObject({
    /** Absent when agentTeams.enabled is false. */
    preset: Resolved(ModelPreset).optional(),
    ranks: z.record(
      Rank,
      z.strictObject({
        model: z.string(),
        because: z.string(),
        /** Why the model cannot be asked. */
        problem: z.string().optional(),
      }),
    ),
  }),
  playbooks: z.array(z.string()),
});
export type ModelsReport = z.infer<typeof ModelsReport>;

const projectId = z.strictObject({ id: z.string() });
const taskParams = z.strictObject({ id: z.string(), taskId: z.string() });
const assignmentParams = z.strictObject({ id: z.string(), assignmentId: z.string() });
const RoleEnvelope = z.strictObject({ role: Role.extend({ etag: z.string() }) });
export const ProjectView = Project.extend({
  taskCount: TaskCount,
  etag: z.string(),
  /** Of a project that the hall suspended by itself, as long as it is suspended. */
  suspendedWhy: z.string().optional(),
});
export type ProjectView = z.infer<typeof ProjectView>;
const InvalidItem = Problem;
const TaskList = z.strictObject({ tasks: z.array(Task), invalid: z.array(InvalidItem), ...paged });

export interface Route {
  summary: string;
  group:
    | "Hall"
    | "Chat"
    | "Runs"
    | "Models"
    | "Roles"
    | "Projects"
    | "Team"
    | "Tasks"
    | "Documents"
    | "Memory"
    | "Skills"
    | "Search and events";
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Without one, every field has its default. */
  bodyOptional?: true;
  response: z.ZodType;
  status?: 200 | 201;
}

export const routes = {
  getHealth: {
    summary: "Whether the daemon answers, and what commands run in. Needs no token and tells nothing else.",
    group: "Hall",
    response: z.strictObject({
      status: z.enum(["ok", "stopping"]),
      version: z.string(),
      sandbox: SandboxState.shape.name,
    }),
  },
  getStatus: { summary: "What the hall holds and how it is.", group: "Hall", response: Status },
  stopDaemon: {
    summary: "Stop the daemon after the writes under way.",
    group: "Hall",
    response: z.strictObject(success),
  },
  stopRuns: {
    summary: "End every run and every process that works for them, of one project or of all, within two seconds.",
    group: "Runs",
    query: z.strictObject({ project: line(100).optional() }),
    response: z.strictObject({
      ...success,
      runs: z.array(
        Run.pick({ id: true, projectId: true, taskId: true, roleId: true, title: true, status: true }).extend({
          /** It does not go on, but what it has done is still being saved. */
          settling: z.literal(true).optional(),
        }),
      ),
      processes: z.int(),
    }),
  },
  ...nowRoutes,
  ...settingsRoutes,
  ...cardRoutes,
  getOpenApi: { summary: "This description, as OpenAPI 3.1.", group: "Hall", response: z.looseObject({}) },
  ...browserRoutes,
  ...liveRoutes,

  listRoles: {
    summary: "All roles.",
    group: "Roles",
    query: z.strictObject({ ...page, q: line(200).optional() }),
    response: z.strictObject({ roles: z.array(Role), invalid: z.array(InvalidItem), ...paged }),
  },
  createRole: {
    summary: "Create a role, from scratch or from a template.",
    group: "Roles",
    body: RoleCreate,
    response: z.strictObject({ ...success, ...RoleEnvelope.shape }),
    status: 201,
  },
  listRoleTemplates: {
    summary: "The built-in templates.",
    group: "Roles",
    response: z.strictObject({ templates: z.array(RoleTemplate) }),
  },
  suggestRoles: {
    summary: "Roles whose specialty fits a text, best first.",
    group: "Roles",
    query: z.strictObject({
      text: line(5_000).optional(),
      project: Slug.optional(),
      task: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(50).default(5),
    }),
    response: z.strictObject({ suggestions: z.array(RoleSuggestion) }),
  },
  getRole: { summary: "One role.", group: "Roles", params: projectId, response: RoleEnvelope },
  updateRole: {
    summary: "Change a role; its version goes up by one.",
    group: "Roles",
    params: projectId,
    body: RoleUpdate,
    response: z.strictObject({ ...success, ...RoleEnvelope.shape }),
  },
  deleteRole: {
    summary: "Delete a role that no project has.",
    group: "Roles",
    params: projectId,
    response: z.strictObject(success),
  },

  listProjects: {
    summary: "All projects, with task counts and team size.",
    group: "Projects",
    query: z.strictObject({ ...page, status: ProjectStatus.optional(), q: line(200).optional() }),
    response: z.strictObject({ projects: z.array(ProjectSummary), ...paged }),
  },
  ...projectTemplateRoutes,
  ...folderRoutes,
  createProject: {
    summary: "Create a project, from scratch or from a template.",
    group: "Projects",
    body: ProjectCreate,
    response: z.strictObject({ ...success, project: ProjectView }),
    status: 201,
  },
  getProject: {
    summary: "One project with its files.",
    group: "Projects",
    params: projectId,
    response: z.strictObject({ project: ProjectView.extend({ files: z.array(FileEntry), filesOmitted: z.int() }) }),
  },
  updateProject: {
    summary: "Change a project.",
    group: "Projects",
    params: projectId,
    body: ProjectUpdate,
    response: z.strictObject({ ...success, project: ProjectView }),
  },
  deleteProject: {
    summary: "Archive a project; with purge=true move its folder to the trash.",
    group: "Projects",
    params: projectId,
    query: z.strictObject({ purge: flag.default(false) }),
    response: z.strictObject({ ...success, trash: z.string().optional() }),
  },
  moveProject: {
    summary: "Suspend, resume, complete, reopen or archive a project.",
    group: "Projects",
    params: projectId,
    body: z.strictObject({ status: ProjectStatus }),
    response: z.strictObject({ ...success, project: ProjectView }),
  },

  listAssignments: {
    summary: "The roles of a project.",
    group: "Team",
    params: projectId,
    response: z.strictObject({ assignments: z.array(Assignment) }),
  },
  createAssignment: {
    summary: "Assign a role to a project.",
    group: "Team",
    params: projectId,
    body: AssignmentCreate,
    response: z.strictObject({ ...success, assignment: Assignment }),
    status: 201,
  },
  updateAssignment: {
    summary: "Pause, resume or override an assignment.",
    group: "Team",
    params: assignmentParams,
    body: AssignmentUpdate,
    response: z.strictObject({ ...success, assignment: Assignment }),
  },
  deleteAssignment: {
    summary: "Take a role off a project.",
    group: "Team",
    params: assignmentParams,
    response: z.strictObject(success),
  },

  listTasks: {
    summary: "The tasks of a project, with files that could not be read.",
    group: "Tasks",
    params: projectId,
    query: TaskQuery,
    response: TaskList,
  },
  createTask: {
    summary: "Create a task.",
    group: "Tasks",
    params: projectId,
    body: TaskCreate,
    response: z.strictObject({ ...success, task: Task }),
    status: 201,
  },
  getTask: { summary: "One task.", group: "Tasks", params: taskParams, response: z.strictObject({ task: Task }) },
  updateTask: {
    summary: "Change a task; a new status must be a legal move.",
    group: "Tasks",
    params: taskParams,
    body: TaskUpdate,
    response: z.strictObject({ ...success, task: Task }),
  },
  moveTask: {
    summary: "Move a task to another status.",
    group: "Tasks",
    params: taskParams,
    body: TaskMove,
    response: z.strictObject({ ...success, task: Task }),
  },
  listAllTasks: {
    summary: "The tasks of all projects.",
    group: "Tasks",
    query: TaskQuery,
    response: TaskList,
  },
  createTaskAnywhere: {
    summary: "Create a task, naming its project in the body.",
    group: "Tasks",
    body: TaskCreate.safeExtend({ projectId: Slug }),
    response: z.strictObject({ ...success, task: Task }),
    status: 201,
  },

  listInitiatives: {
    summary: "The initiatives of a project and how far they are.",
    group: "Documents",
    params: projectId,
    response: z.strictObject({ initiatives: z.array(Initiative) }),
  },
  createInitiative: {
    summary: "Start an initiative: plans/<slug>/plan.md.",
    group: "Documents",
    params: projectId,
    body: InitiativeCreate,
    response: z.strictObject({ ...success, initiative: Initiative }),
    status: 201,
  },
  listArtifacts: {
    summary: "What work on a project produced, newest first.",
    group: "Documents",
    params: projectId,
    query: z.strictObject(page),
    response: z.strictObject({ artifacts: z.array(Artifact), ...paged }),
  },
  createArtifact: {
    summary: "Save an artifact in today's folder; a taken name gets a number.",
    group: "Documents",
    params: projectId,
    body: ArtifactCreate,
    response: z.strictObject({ ...success, artifact: Artifact }),
    status: 201,
  },
  listContext: {
    summary: "The context files of a project.",
    group: "Documents",
    params: projectId,
    response: z.strictObject({ files: z.array(FileEntry) }),
  },
  writeContext: {
    summary: "Write a file under CONTEXT/.",
    group: "Documents",
    params: projectId,
    body: z.strictObject({ path: z.string(), content: fileText(8_000_000) }),
    response: z.strictObject({ ...success, file: FileEntry }),
  },
  readFile: {
    summary: "The text of one file of the project's folder.",
    group: "Documents",
    params: projectId,
    query: z.strictObject({ path: z.string() }),
    response: z.strictObject({ file: FileEntry.extend({ content: z.string(), etag: z.string() }) }),
  },

  ...memoryRoutes,

  spawn: {
    summary: "Have a role do a task. With dryRun=true only show what would be done.",
    group: "Runs",
    query: z.strictObject({ dryRun: flag.default(false) }),
    body: SpawnRequest,
    response: SpawnResponse.or(z.strictObject({ plan: RunPlan })),
  },
  getSpawnStatus: {
    summary: "How far a spawn is.",
    group: "Runs",
    params: z.strictObject({ sessionId: z.string() }),
    response: z.strictObject({
      status: RunStatus,
      progress: z.number(),
      activity: z.string().optional(),
      result: SpawnResponse.shape.result,
      error: z.string().optional(),
    }),
  },
  spawnInProject: {
    summary: "As spawn, for the project in the path.",
    group: "Runs",
    params: projectId,
    query: z.strictObject({ dryRun: flag.default(false) }),
    body: SpawnRequest,
    response: SpawnResponse.or(z.strictObject({ plan: RunPlan })),
  },
  listRuns: {
    summary: "Runs, newest first.",
    group: "Runs",
    query: z.strictObject({
      ...page,
      project: Slug.optional(),
      status: RunStatus.optional(),
      task: z.string().optional(),
      role: Slug.optional(),
      /** Only runs whose result waits for a person. */
      review: flag.optional(),
    }),
    response: z.strictObject({ runs: z.array(Run), ...paged }),
  },
  getRun: { summary: "One run.", group: "Runs", params: runParams, response: z.strictObject({ run: Run }) },
  getTranscript: {
    summary: "What was said and done in a run, in order.",
    group: "Runs",
    params: runParams,
    query: z.strictObject({ after: z.coerce.number().int().min(0).default(0), limit: page.limit }),
    response: z.strictObject({ entries: z.array(z.looseObject({ type: z.string() })), total: z.int() }),
  },
  getRunPrompt: {
    summary: "What a run was started with.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ plan: RunPlan }),
  },
  cancelRun: {
    summary: "Stop a run and the runs it started.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ ...success, run: Run }),
  },
  retryRun: {
    summary: "Start a new run for the task of a run that is over.",
    group: "Runs",
    params: runParams,
    response: SpawnResponse,
  },
  messageRun: {
    summary: "Say something to an agent at work.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({ text: prose(100_000) }),
    response: z.strictObject(success),
  },
  getRunDiff: {
    summary: "What a run changed, and the hash that an approval names.",
    group: "Runs",
    params: runParams,
    response: RunDiff,
  },
  approveRun: {
    summary:
      "Accept the result of a run that waits for review, or did not complete, and merge its branch. Refused when the diff is not the one that was shown.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({ hash: line(100) }),
    response: z.strictObject({ ...success, run: Run }),
  },
  rejectRun: {
    summary: "Send a result back: a new run goes on with it, and is told why.",
    group: "Runs",
    params: runParams,
    body: z.strictObject({ feedback: prose(100_000) }),
    response: SpawnResponse,
  },
  revertRun: {
    summary:
      "Take back what a run changed, and let its task be done again: with a commit where it was merged, else in the files that nobody has changed since.",
    group: "Runs",
    params: runParams,
    response: z.strictObject({ ...success, run: Run, rollback: Rollback.optional() }),
  },
  streamRuns: {
    summary: "What agents say and do as it happens (text/event-stream).",
    group: "Runs",
    query: z.strictObject({ run: z.string().optional(), project: Slug.optional() }),
    response: z.string(),
  },
  listCheckpoints: {
    summary: "The checkpoints of a project, the newest first, with what agents changed after each.",
    group: "Runs",
    params: projectId,
    response: CheckpointList,
  },
  rollback: {
    summary: "Take back what agents changed since a checkpoint, and leave everything else.",
    group: "Runs",
    params: projectId.extend({ checkpointId: z.string().max(100) }),
    body: RollbackRequest,
    response: Rollback,
  },
  getCosts: {
    summary: "What model calls cost, by run, role, project, model or day.",
    group: "Models",
    query: z.strictObject({
      by: z.enum(["run", "role", "project", "model", "day"]).default("day"),
      project: Slug.optional(),
      since: z
        .string()
        .max(40)
        .refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)), "must be a day or a time")
        .optional(),
    }),
    response: z.strictObject({ by: z.string(), rows: z.array(CostRow), total: CostRow }),
  },
  getBudget: {
    summary: "Limits, what is spent, held and left of them, and who waits.",
    group: "Models",
    response: BudgetReport,
  },
  updateBudget: {
    summary: "Change limits of the hall in config.yml; runs that wait for them go on. null takes a limit away.",
    group: "Models",
    body: BudgetUpdate,
    response: z.strictObject({ ...success, limits: Budget }),
  },
  listModels: {
    summary: "Providers found, the default model and that of each rank. Keys are never shown.",
    group: "Models",
    response: ModelsReport,
  },
  testModel: {
    summary: "Ask a model for one word, to see whether it answers.",
    group: "Models",
    body: z.strictObject({ model: line(200).optional() }),
    response: z.strictObject({
      ok: z.boolean(),
      model: z.string(),
      ms: z.number(),
      text: z.string().optional(),
      /** null: the price is not known. */
      costUsd: z.number().nullable().optional(),
      error: z.string().optional(),
    }),
  },

  ...knowledgeRoutes,
  ...talkRoutes,
  ...skillRoutes,
  ...roleFileRoutes,
  ...welcomeRoutes,
  ...rolePreviewRoutes,

  ...searchRoutes,
  listEvents: {
    summary:
      "Events after a sequence number, oldest first; or the newest with tail=N, or before a number with before=SEQ.",
    group: "Search and events",
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      tail: z.coerce.number().int().min(1).max(MAX_LIMIT).optional(),
      /** The newest before this number, as many as limit says. */
      before: z.coerce.number().int().min(1).optional(),
      limit: page.limit,
      project: Slug.optional(),
      actor: HallEvent.shape.actor.shape.kind.optional(),
      /** One or more, with commas between them; the part before the dot alone means all that begin with it. */
      type: z.string().max(1_000).optional(),
    }),
    response: z.strictObject({
      events: z.array(HallEvent),
      /** With before: the number to go on with, also where a filter let nothing through so far; absent at the beginning of the log. */
      earlier: z.int().optional(),
    }),
  },
  streamEvents: {
    summary: "Events as they happen (text/event-stream); Last-Event-ID replays what was missed.",
    group: "Search and events",
    query: z.strictObject({ project: Slug.optional(), after: z.coerce.number().int().min(0).optional() }),
    response: z.string(),
  },
  verifyAudit: { summary: "Check the hash chain of the event log.", group: "Search and events", response: AuditReport },
  listProblems: {
    summary: "Files that could not be read and settings that deserve a look.",
    group: "Hall",
    response: z.strictObject({ problems: z.array(Problem) }),
  },
  rebuildIndex: {
    summary: "Build the index anew from the files.",
    group: "Hall",
    response: z.strictObject({ ...success, files: z.int(), problems: z.int(), ms: z.number() }),
  },
} as const satisfies Record<EndpointName, Route>;

type Part<Name extends EndpointName, Key extends keyof Route> = (typeof routes)[Name] extends {
  [K in Key]: infer Schema extends z.ZodType;
}
  ? Schema
  : undefined;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Accepted<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

export type RouteParams<Name extends EndpointName> = Parsed<Part<Name, "params">>;
export type RouteQuery<Name extends EndpointName> = Parsed<Part<Name, "query">>;
export type RouteBody<Name extends EndpointName> = Parsed<Part<Name, "body">>;
export type RouteQueryInput<Name extends EndpointName> = Accepted<Part<Name, "query">>;
export type RouteResponse<Name extends EndpointName> = Parsed<Part<Name, "response">>;
export type RouteBodyInput<Name extends EndpointName> = Accepted<Part<Name, "body">>;
