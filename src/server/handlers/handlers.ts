import type { SandboxState } from "../../contract/documents/sandbox.ts";
import { HallError } from "../../contract/errors.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { PROJECT_TEMPLATES } from "../../workspace/projects/project-templates.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { Daemon, Handlers, HandlersOf } from "../handler.ts";
import { answerRuleHandlers } from "./answer-rule-handlers.ts";
import { type BriefingDesk, briefingHandlers } from "./briefing-handlers.ts";
import { type ClonePort, cloneHandlers } from "./clone-handlers.ts";
import { type EscalationDesk, escalationHandlers } from "./escalation-handlers.ts";
import { type GateDesk, gateHandlers, type IntegrationDesk } from "./gate-handlers.ts";
import { type GrantDesk, grantHandlers } from "./grant-handlers.ts";
import { type HookDesk, hookHandlers } from "./hook-handlers.ts";
import { type ImportDesk, importHandlers } from "./import-handlers.ts";
import { initiativeHandlers, type LeadApi } from "./initiative-handlers.ts";
import { knowledgeHandlers, type LearningDesk } from "./knowledge-handlers.ts";
import { type LessonDesk, lessonHandlers } from "./lesson-handlers.ts";
import { memoryHandlers } from "./memory-handlers.ts";
import { type ModelPort, modelHandlers } from "./model-handlers.ts";
import { type NowPort, nowHandlers } from "./now-handlers.ts";
import { type OrchestratorDesk, orchestratorHandlers } from "./orchestrator-handlers.ts";
import { type RunDesk, runHandlers } from "./run-handlers.ts";
import { type SkillPort, skillHandlers } from "./skill-handlers.ts";
import { type TalkDesk, talkHandlers } from "./talk-handlers.ts";
import { type TeamDesk, teamHandlers } from "./team-handlers.ts";
import { type TriggerDesk, triggerHandlers } from "./trigger-handlers.ts";
import { type WelcomeDesk, welcomeHandlers } from "./welcome-handlers.ts";
import { folderWarnings, workdirHandlers } from "./workdir-handlers.ts";

/** What the server needs beside projects and runs: how the hall is set up, and how it does. */
export interface AdminDesk extends SkillPort, NowPort, ModelPort, ClonePort {
  /** What commands run in: as far as it is known, and found out. */
  sandbox: { state(): SandboxState; settle(): Promise<SandboxState> };
}

/** What stands behind the API. */
export interface Desks {
  readonly hall: Hall;
  readonly runs: RunDesk;
  readonly admin: AdminDesk;
  readonly talk: TalkDesk;
  readonly welcome: WelcomeDesk;
  readonly escalations: EscalationDesk;
  readonly grants: GrantDesk;
  readonly learning: LearningDesk;
  readonly hooks: HookDesk;
  readonly gates: GateDesk;
  readonly integration: IntegrationDesk;
  readonly teams: TeamDesk;
  readonly triggers: TriggerDesk;
  readonly leads: LeadApi;
  readonly imports: ImportDesk;
  readonly lessons: LessonDesk;
  readonly briefings: BriefingDesk;
  readonly orchestrator: OrchestratorDesk;
}

/** Those of pairing belong to the door. */
type Own = Omit<Handlers, "createPairLink" | "listDevices" | "removeDevice">;

export function createHandlers(desks: Desks, daemon: Daemon): Own {
  const {
    hall,
    runs,
    admin,
    talk,
    welcome,
    escalations,
    grants,
    learning,
    hooks,
    gates,
    integration,
    teams,
    triggers,
    leads,
    lessons,
  } = desks;
  return {
    ...hallHandlers(hall, daemon, admin),
    ...roleHandlers(hall),
    ...projectHandlers(hall, daemon, admin),
    ...cloneHandlers(admin),
    ...workdirHandlers(hall),
    ...assignmentHandlers(hall),
    ...taskHandlers(hall),
    ...initiativeHandlers(hall, leads),
    ...documentHandlers(hall),
    ...knowledgeHandlers(hall, learning),
    ...nowHandlers(admin, hall, daemon),
    ...memoryHandlers(hall),
    ...eventHandlers(hall),
    ...runHandlers(runs),
    ...skillHandlers(admin),
    ...modelHandlers(admin),
    ...talkHandlers(talk),
    ...welcomeHandlers(welcome),
    ...escalationHandlers(escalations),
    ...answerRuleHandlers(hall),
    ...hookHandlers(hooks),
    ...grantHandlers(grants),
    ...gateHandlers(gates, integration),
    ...teamHandlers(teams),
    ...triggerHandlers(triggers),
    ...importHandlers(desks.imports),
    ...lessonHandlers(lessons),
    ...briefingHandlers(desks.briefings),
    ...orchestratorHandlers(desks.orchestrator),
  };
}

const success = true as const;

const hallHandlers = (
  hall: Hall,
  daemon: Daemon,
  { sandbox }: AdminDesk,
): HandlersOf<
  | "getHealth"
  | "getStatus"
  | "stopDaemon"
  | "restartDaemon"
  | "getOpenApi"
  | "createBrowserLink"
  | "listProblems"
  | "rebuildIndex"
> => ({
  getHealth: () => ({ status: "ok", version: daemon.version, sandbox: sandbox.state().name }),
  getStatus: async () => ({
    ...daemon.status(),
    counts: hall.health.counts(),
    index: hall.index.state(),
    containment: hall.health.containment(),
    sandbox: await sandbox.settle(),
  }),
  stopDaemon: async () => ({ success, open: await daemon.requestStop() }),
  restartDaemon: () => {
    daemon.requestRestart();
    return { success };
  },
  getOpenApi: () => daemon.openApi(),
  createBrowserLink: () => daemon.browserLink(),
  listProblems: () => ({ problems: hall.health.problems() }),
  rebuildIndex: async () => ({ success, ...(await hall.index.rebuild()) }),
});

const roleHandlers = (
  hall: Hall,
): HandlersOf<
  "listRoles" | "createRole" | "listRoleTemplates" | "suggestRoles" | "getRole" | "updateRole" | "deleteRole"
> => ({
  listRoles: ({ query }) => hall.roles.list(query),
  createRole: async ({ body, change }) => ({ success, role: await hall.roles.create(body, change) }),
  listRoleTemplates: () => ({ templates: hall.roles.templates() }),
  suggestRoles: ({ query }) => ({ suggestions: hall.roles.suggest(query) }),
  getRole: ({ params }) => ({ role: hall.roles.get(params.id) }),
  updateRole: async ({ params, body, change }) => ({ success, role: await hall.roles.update(params.id, body, change) }),
  deleteRole: async ({ params, change }) => {
    await hall.roles.delete(params.id, change);
    return { success };
  },
});

const projectHandlers = (
  hall: Hall,
  daemon: Pick<Daemon, "openIn">,
  { clones }: ClonePort,
): HandlersOf<
  | "listProjects"
  | "listProjectTemplates"
  | "createProject"
  | "getProject"
  | "updateProject"
  | "describeProject"
  | "deleteProject"
  | "moveProject"
> => ({
  listProjects: ({ query }) => hall.projects.list(query),
  listProjectTemplates: () => ({ templates: [...PROJECT_TEMPLATES] }),
  createProject: async ({ body, change }) => {
    const project = await hall.projects.create(await clones.cloneFor(body, change), change);
    return { success, project, ...folderWarnings(hall, project.id, body) };
  },
  getProject: ({ params }) => ({ project: { ...hall.projects.get(params.id), ...hall.projects.files(params.id) } }),
  describeProject: async ({ params, body, change }) => ({
    success,
    project: await hall.projects.describe(params.id, body, change),
  }),
  updateProject: async ({ params, body, change }) => {
    const project = await hall.projects.update(params.id, body, change);
    return { success, project, ...folderWarnings(hall, project.id, body) };
  },
  deleteProject: async ({ params, query, change }) => {
    if (query.purge) {
      assertActorMay(change.actor, "purgeProject");
      return { success, trash: await hall.projects.purge(params.id, change) };
    }
    await hall.projects.archive(params.id, change);
    return { success };
  },
  moveProject: async ({ params, body, change }) => {
    const isEnding = body.status === "suspended" || body.status === "completed";
    // Before the move: results of a suspended project are read by no one.
    const open = isEnding ? daemon.openIn(params.id) : [];
    const project = await hall.projects.move(params.id, body.status, change);
    return { success, project, ...(open.length === 0 ? {} : { open }) };
  },
});

const assignmentHandlers = (
  hall: Hall,
): HandlersOf<"listAssignments" | "createAssignment" | "updateAssignment" | "deleteAssignment"> => ({
  listAssignments: ({ params }) => ({ assignments: hall.team.list(params.id) }),
  createAssignment: async ({ params, body, change }) => ({
    success,
    assignment: await hall.team.create(params.id, body, change),
  }),
  updateAssignment: async ({ params, body, change }) => ({
    success,
    assignment: await hall.team.update(params.id, params.assignmentId, body, change),
  }),
  deleteAssignment: async ({ params, change }) => {
    await hall.team.delete(params.id, params.assignmentId, change);
    return { success };
  },
});

const taskHandlers = (
  hall: Hall,
): HandlersOf<
  "listTasks" | "createTask" | "getTask" | "updateTask" | "moveTask" | "listAllTasks" | "createTaskAnywhere"
> => ({
  listTasks: ({ params, query }) => hall.tasks.list(params.id, query),
  createTask: async ({ params, body, change }) => ({ success, task: await hall.tasks.create(params.id, body, change) }),
  getTask: async ({ params }) => ({ task: await hall.tasks.get(params.id, params.taskId) }),
  updateTask: async ({ params, body, change }) => ({
    success,
    task: await hall.tasks.update(params.id, params.taskId, body, change),
  }),
  moveTask: async ({ params, body, change }) => ({
    success,
    task: await hall.tasks.move(params.id, params.taskId, body, change),
  }),
  listAllTasks: ({ query }) => hall.tasks.list(undefined, query),
  createTaskAnywhere: async ({ body: { projectId, ...task }, change }) => ({
    success,
    task: await hall.tasks.create(projectId, task, change),
  }),
});

const documentHandlers = (
  hall: Hall,
): HandlersOf<"listArtifacts" | "createArtifact" | "listContext" | "writeContext" | "readFile"> => ({
  listArtifacts: ({ params, query }) => hall.documents.artifacts(params.id, query),
  createArtifact: async ({ params, body, change }) => ({
    success,
    artifact: await hall.documents.createArtifact(params.id, body, change),
  }),
  listContext: ({ params }) => ({ files: hall.documents.context(params.id) }),
  writeContext: async ({ params, body, change }) => ({
    success,
    file: await hall.documents.writeContext(params.id, body.path, body.content, change),
  }),
  readFile: async ({ params, query }) => ({ file: await hall.documents.read(params.id, query.path) }),
});

const eventHandlers = (hall: Hall): HandlersOf<"search" | "listEvents" | "verifyAudit"> => ({
  search: ({ query }) => hall.search(query),
  listEvents: async ({ query: { after, tail, before, limit, project, actor, type } }) => {
    const types = type?.split(",").filter((name) => name !== "");
    const filter = { project, actor, types };
    if (before === undefined) {
      const newest = tail === undefined ? undefined : await hall.events.tail({ count: tail, ...filter });
      return { events: newest ?? (await hall.events.read({ after: after ?? 0, limit, ...filter })) };
    }
    if (after !== undefined || tail !== undefined)
      throw new HallError("invalid", "before: can't be combined with after or tail.");
    return hall.events.before({ before, count: limit, ...filter });
  },
  verifyAudit: () => hall.events.verify(),
});
