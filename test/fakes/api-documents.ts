import type { Assignment } from "../../src/contract/documents/project.ts";
import type { Task } from "../../src/contract/documents/task.ts";
import type { HallEvent } from "../../src/contract/event.ts";
import type { Problem } from "../../src/contract/problem.ts";
import type { Status } from "../../src/contract/routes/hall-routes.ts";
import type { ModelsReport } from "../../src/contract/routes/model-routes.ts";
import type { ProjectView } from "../../src/contract/routes/project-routes.ts";
import type { JournalEntry } from "../../src/contract/runs/journal.ts";
import type { ToolCall } from "../../src/contract/runs/model-call.ts";
import type { Run, RunPlan } from "../../src/contract/runs/run.ts";

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
    requiresReview: false,
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
    isUsualWorkspace: true,
    calledAs: "guildhall",
    startedAt: NOON,
    uptimeSeconds: 90,
    memoryMb: 80,
    counts: { roles: 1, projects: 2, tasks: 3, problems: 0, events: 9 },
    index: { schema: 1 },
    containment: "descriptor",
    sandbox: { name: "unshare", detail: "commands run in unshare" },
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

export function runPlan(changes: Partial<RunPlan> = {}): RunPlan {
  return {
    runId: "run-01m7fde4br0000fr579tsj",
    projectId: "shop",
    taskId: "TASK-001",
    roleId: "coder",
    rank: "worker",
    purpose: "work",
    depth: 0,
    title: "Fix the login page",
    system: "You are a coder.",
    prompt: "# Your Task\n\tFix it.",
    model: { value: "offline/rehearsal", because: "the default model" },
    thinking: { value: "medium", because: "set by the role" },
    timeout: { value: 300, because: "set by the project" },
    tools: { value: ["read", "report"], because: "set by the assignment" },
    limits: { turns: 1_000, seconds: 300, repeats: 5 },
    contextWindow: 200_000,
    cut: [],
    options: { notifyOnComplete: true, createArtifact: true },
    createdAt: NOON,
    ...changes,
  };
}

export function run(changes: Partial<Run> = {}): Run {
  return {
    id: "run-01m7fde4br0000fr579tsj",
    projectId: "shop",
    taskId: "TASK-001",
    roleId: "coder",
    rank: "worker",
    purpose: "work",
    title: "Fix the login page",
    status: "running",
    activity: { kind: "thinking" },
    progress: 0.1,
    model: "offline/rehearsal",
    attempt: 1,
    createdAt: NOON,
    startedAt: NOON,
    usage: {
      turns: 2,
      inputTokens: 1_200,
      outputTokens: 34,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      costUsd: 0.0123,
      costKnown: true,
    },
    ...changes,
  };
}

/** The same run when it has done its work. */
export function endedRun(changes: Partial<Run> = {}): Run {
  const result = { output: "It works now.", artifacts: [], filesChanged: [], duration: 65 };
  const { activity: _, ...rest } = run();
  return { ...rest, status: "completed", endedAt: "2026-03-01T12:01:05.000Z", result, ...changes };
}

export function answerEntry(text: string, calls: readonly ToolCall[] = []): Extract<JournalEntry, { type: "answer" }> {
  return {
    type: "answer",
    text,
    ...(calls.length === 0 ? {} : { calls: [...calls] }),
    finish: calls.length === 0 ? "end" : "calls",
    model: "offline/rehearsal",
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    costUsd: 0.001,
    at: NOON,
  };
}

export function models(changes: Partial<ModelsReport> = {}): ModelsReport {
  const own = { model: "offline/rehearsal", because: "the default model" };
  const ranks = { lead: own, head: own, worker: own, reviewer: own, escalation: own };
  return {
    default: "offline/rehearsal",
    offline: "offline/rehearsal",
    providers: [],
    playbooks: [],
    team: { ranks },
    ...changes,
  };
}
