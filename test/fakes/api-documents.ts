import type { HallEvent } from "../../src/contract/event.ts";
import type { Assignment } from "../../src/contract/project.ts";
import type { Problem, ProjectView, Status } from "../../src/contract/routes.ts";
import type { Task } from "../../src/contract/task.ts";

const NOON = "2026-03-01T12:00:00.000Z";

export function task(changes: Partial<Task> = {}): Task {
  return {
    id: "TASK-001",
    projectId: "shop",
    title: "Fix the login page",
    description: "",
    type: "bug",
    priority: "high",
    status: "pending",
    context: { files: [], codeRefs: [], dependencies: [] },
    acceptanceCriteria: [],
    labels: [],
    blocks: [],
    blockedBy: [],
    ready: true,
    waitingOn: [],
    notes: "",
    history: [],
    createdAt: NOON,
    updatedAt: NOON,
    path: "projects/shop/TASKS/todo/TASK-001.md",
    etag: "e1",
    ...changes,
  };
}

export function projectView(changes: Partial<ProjectView> = {}): ProjectView {
  const root = "projects/shop";
  return {
    id: "shop",
    name: "Shop",
    description: "Sells books",
    status: "active",
    config: {
      techStack: { languages: ["TypeScript"], frameworks: [], tools: [] },
      goals: ["Sell books"],
      scope: { in: [], out: [] },
      constraints: {},
    },
    paths: {
      root,
      memory: `${root}/MEMORY.md`,
      tasks: `${root}/TASKS`,
      artifacts: `${root}/ARTIFACTS`,
      context: `${root}/CONTEXT`,
    },
    team: [],
    createdAt: NOON,
    updatedAt: NOON,
    taskCount: { todo: 2, inProgress: 0, review: 0, done: 1, failed: 0, cancelled: 0 },
    etag: "p1",
    ...changes,
  };
}

export function assignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    id: "asg-1",
    roleId: "backend",
    projectId: "shop",
    status: "active",
    mode: "on-demand",
    assignedAt: NOON,
    ...changes,
  };
}

export function status(changes: Partial<Status> = {}): Status {
  return {
    status: "ok",
    version: "0.1.0",
    pid: 4711,
    url: "http://127.0.0.1:4777",
    workspace: "/home/ada/.guildhall",
    startedAt: NOON,
    uptimeSeconds: 90,
    memoryMb: 80,
    counts: { roles: 1, projects: 2, tasks: 3, problems: 0, events: 9 },
    index: { schema: 1 },
    containment: "descriptor",
    ...changes,
  };
}

export function problem(changes: Partial<Problem> = {}): Problem {
  const file = "projects/shop/TASKS/todo/TASK-009.md";
  return {
    file,
    line: 4,
    kind: "task",
    severity: "invalid",
    reason: "status: must be one of pending, done",
    ...changes,
  };
}

export function hallEvent(seq: number, changes: Partial<HallEvent> = {}): HallEvent {
  return {
    seq,
    id: `event-${seq}`,
    at: NOON,
    type: "task.moved",
    actor: { kind: "person", via: "cli" },
    projectId: "shop",
    subject: { kind: "task", id: "TASK-001" },
    before: { status: "pending" },
    after: { status: "done" },
    prev: "0",
    hash: "1",
    ...changes,
  };
}
