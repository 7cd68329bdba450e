import type { Statement } from "../../src/contract/documents/knowledge.ts";
import type { Assignment, FileEntry } from "../../src/contract/documents/project.ts";
import type { Task } from "../../src/contract/documents/task.ts";
import { HallError } from "../../src/contract/errors.ts";
import type { EventType, HallEvent } from "../../src/contract/event.ts";
import type { Initiative, InitiativeDetail } from "../../src/contract/routes/autonomy/initiative-routes.ts";
import type { Artifact } from "../../src/contract/routes/document-routes.ts";
import type { ProjectView } from "../../src/contract/routes/project-routes.ts";
import type { Change } from "../../src/workspace/change.ts";
import type { FileView, Hall, RoleView } from "../../src/workspace/hall/hall.ts";

export const NOON = "2026-03-01T12:00:00.000Z";

/** A hall of which only the given parts work; every other method throws, so that a test sees what it did not expect. */
export function partialHall(parts: { [Floor in keyof Hall]?: Partial<Hall[Floor]> | Hall[Floor] }): Hall {
  return refusing(parts, "hall") as Hall;
}

/** A port of which only the given methods work, so that a new method needs a fake only where a test calls it. */
export function standIn<Port extends object>(parts: Partial<Port>, name: string): Port {
  return refusing(parts, name) as Port;
}

function refusing(parts: object, name: string): unknown {
  return new Proxy(parts, {
    get(target, key) {
      const part = Reflect.get(target, key);
      if (typeof part === "function") return part;
      if (typeof part === "object" && part !== null) return refusing(part, `${name}.${String(key)}`);
      const deeper = () => {
        throw new Error(`${name}.${String(key)} was not expected to be called`);
      };
      return name === "hall" ? refusing(deeper, `${name}.${String(key)}`) : deeper;
    },
  });
}

const sampleStatement: Statement = {
  id: "conventions-0123456789",
  topic: "conventions",
  text: "Use pnpm.",
  date: NOON.slice(0, 10),
  status: "accepted",
  origins: ["person"],
  file: "knowledge/conventions.md",
  line: 5,
  etag: "s1",
};

export interface FakeHall {
  readonly hall: Hall;
  /** What each change was asked with, in order. */
  readonly changes: Change[];
  readonly listeners: Set<(event: HallEvent) => void>;
  readonly log: HallEvent[];
  emit(type: EventType, projectId?: string): HallEvent;
}

/** Keeps one role, one project and its tasks in memory, without any of the rules of the real hall. */
export function fakeHall(): FakeHall {
  const changes: Change[] = [];
  const log: HallEvent[] = [];
  const listeners = new Set<(event: HallEvent) => void>();
  const emit = (type: EventType, projectId?: string) => {
    const event = sampleEvent(log.length + 1, type, projectId);
    log.push(event);
    for (const listener of listeners) listener(event);
    return event;
  };
  const hall = partialHall({
    roles: fakeRoles(changes),
    projects: fakeProjects(changes),
    workdirs: fakeWorkdirs(changes),
    reviewDefault: { offered: () => [], answer: async () => ["alpha"] },
    team: fakeTeam(changes),
    tasks: fakeTasks(changes),
    documents: fakeDocuments(changes),
    knowledge: fakeKnowledge(changes),
    answerRules: fakeAnswerRules(),
    memory: fakeMemory(changes),
    events: fakeEvents(log, listeners),
    index: {
      available: async () => undefined,
      state: () => ({ schema: 1 }),
      rebuild: async () => ({ files: 3, problems: 1, ms: 2 }),
    },
    health: {
      counts: () => ({ roles: 1, projects: 1, tasks: 1, problems: 1, events: log.length }),
      problems: () => [{ file: "ROLES.json", line: 3, kind: "roles", severity: "invalid", reason: "not JSON" }],
      unreadable: () => ({ problems: [], total: 0 }),
      containment: () => "descriptor",
    },
    search: () => ({
      hits: [{ kind: "task", projectId: "alpha", id: "TASK-001", title: "First", snippet: "first", status: "pending" }],
    }),
    folders: () => ({ path: "/", isGit: false, folders: [], more: false }),
    replay: () => undefined,
  });
  return { hall, changes, listeners, log, emit };
}

function fakeRoles(changes: Change[]): Partial<Hall["roles"]> {
  const get = (id: string) => found(id === "developer" ? sampleRole : undefined, "role_not_found");
  return {
    list: () => ({ roles: [plain(sampleRole)], invalid: [] }),
    templates: () => [
      {
        id: "developer",
        name: "Developer",
        description: "Writes code.",
        baseRole: { ...plain(sampleRole), createdAt: "", updatedAt: "", version: 1 },
      },
    ],
    suggest: () => [{ roleId: "developer", score: 0.5, matched: ["code"] }],
    get,
    create: async (_, change) => recorded(changes, change, sampleRole),
    update: async (id, _, change) => recorded(changes, change, { ...get(id), version: 2 }),
    delete: async (id, change) => void recorded(changes, change, get(id)),
  };
}

function fakeProjects(changes: Change[]): Partial<Hall["projects"]> {
  const get = (id: string) => found(id === "alpha" ? sampleProject : undefined, "project_not_found");
  const { id, name, description, status, taskCount, updatedAt } = sampleProject;
  return {
    list: () => ({
      projects: [{ id, name, description, status, taskCount, teamSize: 1, updatedAt, activeAt: updatedAt }],
    }),
    get,
    files: () => ({ files: [sampleFile], filesOmitted: 0 }),
    create: async (_, change) => recorded(changes, change, sampleProject),
    describe: async (id, _, change) => recorded(changes, change, get(id)),
    update: async (project, _, change) => recorded(changes, change, get(project)),
    move: async (project, to, change) => recorded(changes, change, { ...get(project), status: to }),
    archive: async (project, change) => void recorded(changes, change, get(project)),
    purge: async (project, change) => recorded(changes, change, `trash/${get(project).id}`),
  };
}

function fakeWorkdirs(changes: Change[]): Partial<Hall["workdirs"]> {
  const folder = { path: "/src/alpha", inode: "7", born: "1" };
  const state = { folder, git: { state: "none" as const } };
  const known = { workdir: "/src/alpha", changes: [], warnings: [], recorded: state, now: state };
  return {
    view: () => ({ ...known, state: "ok", recordedAt: "2026-03-01T12:00:00.000Z", fingerprint: "f1" }),
    confirm: async (_, __, change) => recorded(changes, change, { ...known, state: "ok" as const, fingerprint: "f1" }),
    warningsFor: () => [],
    leftOutFor: () => [],
    trustedRepository: () => undefined,
    trustedCheckout: () => undefined,
    noteFilters: () => undefined,
  };
}

function fakeTeam(changes: Change[]): Partial<Hall["team"]> {
  return {
    list: () => [sampleAssignment],
    create: async (_, __, change) => recorded(changes, change, sampleAssignment),
    update: async (_, __, ___, change) => recorded(changes, change, sampleAssignment),
    delete: async (_, __, change) => void recorded(changes, change, undefined),
  };
}

function fakeTasks(changes: Change[]): Partial<Hall["tasks"]> {
  const tasks = new Map([[sampleTask.id, sampleTask]]);
  const get = (project: string, id: string) => found(project === "alpha" ? tasks.get(id) : undefined, "task_not_found");
  const reserve = () => `TASK-${String(tasks.size + 1).padStart(3, "0")}`;
  const save = (task: Task, change: Change) => {
    if (change.ifMatch !== undefined && change.ifMatch !== tasks.get(task.id)?.etag) {
      throw new HallError("version_mismatch", "The task has changed.");
    }
    const saved = { ...task, etag: `${task.id}-v${changes.length + 2}` };
    tasks.set(task.id, saved);
    return recorded(changes, change, saved);
  };
  return {
    cards: async () => ({ cards: [], invalid: [], seq: 1 }),
    list: () => ({ tasks: [...tasks.values()], invalid: [] }),
    get: async (project, id) => get(project, id),
    nextId: () => reserve(),
    reserve: (_, use) => use(reserve()),
    create: async (_, body, change) => {
      const id = body.id ?? reserve();
      return save({ ...sampleTask, id, title: body.title ?? body.subject ?? "" }, change);
    },
    update: async (project, id, body, change) => save({ ...get(project, id), title: body.title ?? "" }, change),
    move: async (project, id, { status }, change) => save({ ...get(project, id), status }, change),
  };
}

function fakeDocuments(changes: Change[]): Partial<Hall["documents"]> {
  const file: FileView = { ...sampleFile, content: "# Notes", etag: "f1" };
  return {
    initiatives: () => [sampleInitiative],
    createInitiative: async (_, __, change) => recorded(changes, change, sampleInitiative),
    initiative: () => samplePlan,
    updateInitiative: async (_, __, ___, change) => recorded(changes, change, samplePlan),
    editPlan: async (_, __, change) => recorded(changes, change, undefined),
    artifacts: () => ({ artifacts: [sampleArtifact] }),
    createArtifact: async (_, __, change) => recorded(changes, change, sampleArtifact),
    context: () => [sampleFile],
    writeContext: async (_, __, ___, change) => recorded(changes, change, sampleFile),
    read: async (_, path) => found(path === sampleFile.path ? file : undefined, "file_not_found"),
  };
}

function fakeAnswerRules(): Partial<Hall["answerRules"]> {
  const rule = {
    id: "rule-001",
    question: "Redis or Memcached?",
    answer: null,
    resolution: "Redis.",
    scope: "hall" as const,
  };
  return {
    list: () => [rule],
    get: () => rule,
    add: async () => rule,
    update: async () => rule,
    remove: async () => undefined,
  };
}

function fakeKnowledge(changes: Change[]): Partial<Hall["knowledge"]> {
  return {
    list: () => ({ statements: [sampleStatement], total: 1 }),
    get: () => sampleStatement,
    add: async (_, change) => recorded(changes, change, { statement: sampleStatement, merged: false }),
    update: async (_, text, change) => recorded(changes, change, { ...sampleStatement, text }),
    accept: async (_, change) => recorded(changes, change, sampleStatement),
    supersede: async (_, __, change) => recorded(changes, change, sampleStatement),
    remove: async (_, change) => recorded(changes, change, undefined),
    promote: async (_, change) => recorded(changes, change, sampleStatement),
    brief: () => ({ lines: [], used: [], of: 0, unconfirmed: 0 }),
    index: () => "",
  };
}

function fakeMemory(changes: Change[]): Partial<Hall["memory"]> {
  const updatedAt = "2026-11-14T09:00:00.000Z";
  const fact = { path: "facts/door.md", kind: "fact" as const, summary: "It sticks.", size: 7, updatedAt };
  const text = { ...fact, content: "# Door\n", etag: "m1" };
  return {
    list: () => [fact],
    read: (_, path) => found(path === fact.path ? text : undefined, "file_not_found"),
    write: async (_, __, change) => recorded(changes, change, text),
    remove: async (_, __, change) => recorded(changes, change, "trash/door.md"),
  };
}

function fakeEvents(log: readonly HallEvent[], listeners: Set<(event: HallEvent) => void>): Hall["events"] {
  const inProject = (project: string | undefined) => (event: HallEvent) =>
    project === undefined || event.projectId === project;
  return {
    head: () => log.length,
    read: async ({ after, limit, project }) => log.slice(after).filter(inProject(project)).slice(0, limit),
    before: async ({ before, count }) => ({ events: log.slice(0, before - 1).slice(-count) }),
    tail: async ({ count, project }) => log.filter(inProject(project)).slice(-count),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    verify: async () => ({ ok: true, events: log.length, days: 1, journals: 0, ledgers: 0, head: "h", faults: [] }),
  };
}

function recorded<Value>(changes: Change[], change: Change, value: Value): Value {
  changes.push(change);
  return value;
}

function found<Value>(
  value: Value | undefined,
  code: "role_not_found" | "project_not_found" | "task_not_found" | "file_not_found",
): Value {
  if (value === undefined) throw new HallError(code, "There is no such thing.");
  return value;
}

function plain({ etag: _, ...role }: RoleView) {
  return role;
}

function sampleEvent(seq: number, type: EventType, projectId?: string): HallEvent {
  const actor = { kind: "person", via: "http" } as const;
  const subject = { kind: "task", id: "TASK-001" } as const;
  return { seq, id: `e${seq}`, at: NOON, type, actor, ...(projectId && { projectId }), subject, prev: "p", hash: "h" };
}

export const sampleRole: RoleView = {
  ...{ id: "developer", name: "Developer", emoji: "🔧", description: "", specialty: ["code"], skills: ["read"] },
  modelConfig: { model: "default", thinking: "medium", timeout: 300 },
  ...{
    systemPromptTemplate: "You are {{roleName}}.",
    variables: [],
    createdAt: NOON,
    updatedAt: NOON,
    version: 1,
    etag: "r1",
  },
};

const sampleAssignment: Assignment = {
  ...{
    id: "developer",
    roleId: "developer",
    projectId: "alpha",
    status: "active",
    mode: "on-demand",
    assignedAt: NOON,
  },
};

const sampleProject: ProjectView = {
  ...{ id: "alpha", name: "Alpha", description: "", status: "active", createdAt: NOON, updatedAt: NOON, etag: "p1" },
  requiresReview: false,
  config: {
    techStack: { languages: [], frameworks: [], tools: [] },
    goals: [],
    scope: { in: [], out: [] },
    constraints: {},
  },
  paths: { root: "projects/alpha", memory: "MEMORY.md", tasks: "TASKS", artifacts: "ARTIFACTS", context: "CONTEXT" },
  team: [sampleAssignment],
  taskCount: { todo: 1, inProgress: 0, review: 0, done: 0, failed: 0, cancelled: 0 },
};

export const sampleTask: Task = {
  ...{ id: "TASK-001", projectId: "alpha", title: "First", description: "", type: "other", priority: "medium" },
  ...{ status: "pending", context: { files: [], codeRefs: [], dependencies: [] }, acceptanceCriteria: [], labels: [] },
  ...{
    blocks: [],
    blockedBy: [],
    ready: true,
    waitingOn: [],
    notes: "",
    history: [],
    createdAt: NOON,
    updatedAt: NOON,
  },
  ...{ path: "projects/alpha/TASKS/todo/TASK-001.md", etag: "TASK-001-v1" },
};

const sampleFile: FileEntry = { path: "CONTEXT/notes.md", kind: "context", size: 7, updatedAt: NOON };
const sampleInitiative: Initiative = {
  slug: "launch",
  title: "Launch",
  path: "plans/launch/plan.md",
  status: "active",
  tasks: { done: 0, total: 1 },
};
const samplePlan: InitiativeDetail = {
  ...sampleInitiative,
  ...{ goals: ["Open"], state: "", next: "", plan: "# Launch\n", etag: "p1", updatedAt: NOON, counts: {}, ready: [] },
};
const sampleArtifact: Artifact = {
  path: "ARTIFACTS/2026-03-01/a.md",
  date: "2026-03-01",
  name: "a.md",
  title: "a.md",
  size: 3,
  updatedAt: NOON,
};
