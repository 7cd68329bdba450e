import { Budget } from "../../src/contract/documents/budget.ts";
import type { Clone } from "../../src/contract/documents/clone.ts";
import type { Instruction } from "../../src/contract/documents/instruction.ts";
import type { SkillSummary } from "../../src/contract/documents/skill.ts";
import { HallError } from "../../src/contract/errors.ts";
import type { CostRow } from "../../src/contract/routes/cost-routes.ts";
import type { ModelsReport } from "../../src/contract/routes/model-routes.ts";
import type { Run, RunDiff, RunPlan, SpawnRequest, SpawnResponse } from "../../src/contract/runs/run.ts";
import { runLine } from "../../src/contract/runs/run-line.ts";
import type { LiveListener } from "../../src/runs/record/live-runs.ts";
import type { AdminDesk } from "../../src/server/handlers/handlers.ts";
import type { RunDesk } from "../../src/server/handlers/run-handlers.ts";
import type { Change } from "../../src/workspace/change.ts";
import { sampleRole, standIn } from "./fake-hall.ts";

const sampleSandbox = { name: "unshare" as const, detail: "commands run in unshare" };
const sampleTest = { state: "works" as const, model: "m", ms: 1, models: ["m"] };
const sampleDiff: RunDiff = {
  runId: "run-1",
  delivery: { kind: "branch", name: "guildhall/TASK-001-run-1", target: "main", state: "review" },
  base: "a",
  head: "b",
  hash: "c",
  files: [{ path: "a.ts", additions: 1, deletions: 0, binary: false }],
  diff: "+",
  truncated: false,
  controlFiles: [],
};

const sampleSkill: SkillSummary = {
  ...{ slug: "deploy", description: "How to deploy.", origin: "hall", path: "skills/deploy" },
  ...{ state: "new", hash: "h1", usable: true },
};

const sampleInstruction: Instruction = { path: "AGENTS.md", hash: "h1", text: "Use tabs.", state: "accepted" };

const NOON = "2026-03-01T12:00:00.000Z";

export interface FakeRuns {
  readonly runs: RunDesk;
  readonly admin: AdminDesk;
  /** What was asked to be spawned, in order. */
  readonly spawned: SpawnRequest[];
  readonly watchers: Set<LiveListener>;
  tell: LiveListener;
}

/** Knows one run and answers with it; what is asked of it is only noted. */
export function fakeRuns(changes: Change[]): FakeRuns {
  const spawned: SpawnRequest[] = [];
  const watchers = new Set<LiveListener>();
  const get = (id: string) => {
    if (id !== sampleRun.id) throw new HallError("run_not_found", `There is no run '${id}'.`);
    return sampleRun;
  };
  const known = <Value>(id: string, value: Value): Value => {
    get(id);
    return value;
  };
  const own: Partial<RunDesk> = {
    spawns: {
      start: async (request, change) => {
        spawned.push(request);
        changes.push(change);
        return { ...sampleResponse, status: request.options.waitForCompletion ? "completed" : "pending" };
      },
      answer: async (id, { wait }) => known(id, { ...sampleResponse, status: wait ? "completed" : "running" }),
      preview: async () => samplePlan,
    },
    review: {
      diff: async (id) => known(id, sampleDiff),
      approve: async (id, _hash, change) => {
        changes.push(change);
        return known(id, sampleRun);
      },
      reject: async (id, _asked, change) => {
        changes.push(change);
        return known(id, sampleResponse);
      },
      discard: async (id, _task, change) => {
        changes.push(change);
        return known(id, { run: sampleRun });
      },
      restore: async (id, change) => {
        changes.push(change);
        return known(id, sampleRun);
      },
      revert: async (id, change) => {
        changes.push(change);
        return known(id, { run: sampleRun });
      },
    },
    checkpoints: {
      list: async () => ({ checkpoints: [], conflicts: [] }),
      rollback: async (_, id, { request: { dryRun } }) => ({
        to: id,
        dryRun,
        restored: [],
        left: [],
        runs: [],
        conflicts: [],
      }),
    },
    money: {
      costs: ({ by }) => ({ by, rows: [noCosts], total: noCosts }),
      budget: () => ({ limits: Budget.parse({}), projects: [], scopes: [], waiting: [], unpriced: [], paused: [] }),
      updateBudget: async (update, change) => {
        changes.push(change);
        return Budget.parse(update);
      },
      setPrice: async (_, price, change) => {
        changes.push(change);
        return price;
      },
    },
    get,
    getUsed: get,
    list: () => ({ runs: [sampleRun] }),
    journal: (id) => known(id, [{ type: "plan", plan: samplePlan }]),
    cancel: async (id) => known(id, { ...sampleRun, status: "cancelled" as const }),
    stop: async (_, change) => {
      changes.push(change);
      return { runs: [], processes: 0 };
    },
    retry: async (id, change) => {
      changes.push(change);
      return known(id, sampleResponse);
    },
    message: async (id) => known(id, undefined),
    subscribe: (listener) => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
  const runs = standIn<RunDesk>(own, "runs");
  const tell: LiveListener = (live) => {
    for (const watcher of watchers) watcher(live);
  };
  return { runs, admin: fakeAdmin(changes), spawned, watchers, tell };
}

const sampleClone: Clone = {
  ...{ id: "clone-1", url: "https://example.org/shop.git", folder: "/home/ada/shop", state: "running" },
  ...{ phase: "receiving", percent: 40, startedAt: "2026-11-15T12:00:00.000Z" },
};

function fakeAdmin(changes: Change[]): AdminDesk {
  return {
    models: {
      report: async () => sampleModels,
      test: async (model = "offline/rehearsal") => ({ ok: true, model, ms: 1, text: "yes" }),
    },
    providers: {
      set: async (provider) => ({ provider, test: sampleTest, defaultModel: `${provider}/m`, offline: false }),
      remove: async (provider) => ({ provider, defaultModel: "offline/rehearsal" }),
      test: async () => sampleTest,
      list: async (provider) => ({ provider, models: [`${provider}/m`] }),
    },
    clones: {
      start: ({ url, folder = "/home/ada/shop" }) => ({ ...sampleClone, url, folder }),
      preview: (url) => ({ url, name: "shop", folder: "/home/ada/shop" }),
      get: () => sampleClone,
      cancel: async () => ({ ...sampleClone, state: "cancelled" as const }),
      cloneFor: async ({ repoUrl, ...body }) => body,
    },
    createFirstCommit: async () => ({ commit: "c0ffee", branch: "main", files: 1, omitted: [] }),
    sandbox: { state: () => sampleSandbox, settle: async () => sampleSandbox },
    previewRole: async () => ({
      system: "Be a coder.",
      unknown: [],
      unused: [],
      ask: [],
      tools: ["read"],
      problems: [],
    }),
    examination: {
      settings: async () => ({
        ...{ settings: [], secrets: [], needsRestart: false, etag: "0" },
        paths: {
          ...{ workspace: "/hall", config: "/hall/config.yml", token: "/hall/.guildhall/token", home: "/" },
          ...{ secrets: "/hall/.guildhall/secrets", index: "/i", events: "/e", costs: "/c" },
        },
      }),
      updateSettings: async () => ({ needsRestart: false, etag: "1" }),
      doctor: async () => ({ checks: [{ id: "node", title: "Node.js", state: "ok", detail: "24" }] }),
    },
    now: async () => ({
      seq: 1,
      needsMe: [],
      checking: [],
      reviewOffer: [],
      review: [],
      working: [runLine(sampleRun)],
      done: [],
      counts: { needsMe: 0, review: 0, running: 1, pending: 0, waiting: 0, projects: 1 },
      today: { costUsd: 0, costKnown: true, tokens: 0, runs: 1, completed: 0, failed: 0, stopped: 0, dayUsd: null },
    }),
    skills: {
      list: () => ({ skills: [sampleSkill], problems: [] }),
      get: () => ({ ...sampleSkill, body: "Do it well.", files: [], allowedTools: [], other: {} }),
      accept: async (_, { change }) => {
        changes.push(change);
        return { ...sampleSkill, state: "accepted" };
      },
    },
    instructions: {
      list: async () => ({ instructions: [sampleInstruction] }),
      accept: async (_, __, change) => {
        changes.push(change);
        return sampleInstruction;
      },
    },
    roleFiles: {
      import: async (_, change) => {
        changes.push(change);
        return { role: sampleRole, notes: [] };
      },
      export: (id) => ({ name: `${id}.md`, text: "---\nname: developer\n---\n", notes: [] }),
    },
  };
}

const offline = { model: "offline/rehearsal", because: "nothing else is found" };
const sampleModels: ModelsReport = {
  default: offline.model,
  offline: offline.model,
  providers: [],
  team: { ranks: { lead: offline, head: offline, worker: offline, reviewer: offline, escalation: offline } },
  playbooks: [],
};

const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };
const noCosts: CostRow = { key: "2026-03-01", runs: 1, calls: 0, ...noUsage, unpriced: 0 };

export const sampleRun: Run = {
  ...{ id: "run-1", projectId: "alpha", taskId: "TASK-001", roleId: "developer", rank: "worker", title: "First" },
  ...{ purpose: "work", status: "running", progress: 0, model: "offline/rehearsal", attempt: 1, createdAt: NOON },
  usage: { turns: 0, ...noUsage, costKnown: true },
};

const sampleResponse: SpawnResponse = {
  success: true,
  sessionId: sampleRun.id,
  taskId: sampleRun.taskId,
  status: "pending",
};

const samplePlan: RunPlan = {
  ...{ runId: "run-1", projectId: "alpha", taskId: "TASK-001", roleId: "developer", rank: "worker", depth: 0 },
  ...{ purpose: "work", title: "First", system: "You are Developer.", prompt: "# Your Task" },
  model: { value: "offline/rehearsal", because: "the default model" },
  thinking: { value: "medium", because: "set by the role" },
  timeout: { value: 300, because: "set by the role" },
  tools: { value: ["read"], because: "set by the role" },
  limits: { turns: 50, seconds: 300, repeats: 5 },
  contextWindow: 100_000,
  cut: [],
  options: { notifyOnComplete: true, createArtifact: true },
  createdAt: NOON,
};
