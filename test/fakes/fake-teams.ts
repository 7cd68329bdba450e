import type { RoleSpec } from "../../src/contract/documents/teams/role-spec.ts";
import type { Team, TeamActivity, TeamTask } from "../../src/contract/documents/teams/team.ts";
import type { TeamAutonomy } from "../../src/contract/documents/teams/team-autonomy.ts";
import type { TeamMessage } from "../../src/contract/documents/teams/team-message.ts";
import type { TeamPlan } from "../../src/contract/documents/teams/team-plan.ts";
import type { TeamReport } from "../../src/contract/documents/teams/team-report.ts";
import type { TeamSpec } from "../../src/contract/documents/teams/team-spec.ts";
import type { TeamDesk } from "../../src/server/handlers/team-handlers.ts";
import { NOON } from "./fake-hall.ts";

/** Has one team, which stays as it is. */
export function fakeTeams(): TeamDesk {
  const team = async () => sampleTeam;
  return {
    starts: { goal: team, session: team },
    list: () => ({ teams: [sampleTeam] }),
    get: () => sampleTeam,
    activity: () => sampleActivity,
    tasks: () => sampleTeamTasks,
    spec: async () => ({ text: "# Cart\n", etag: "spec-v1", spec: sampleSpec, criteria: sampleCriteria }),
    roleSpecs: { list: () => [sampleRoleSpec], edit: async () => sampleRoleSpec },
    editSpec: async () => ({ team: sampleTeam, changed: [] }),
    plan: () => ({ plan: samplePlan, strategy: sampleTeam.strategy }),
    decide: team,
    steer: team,
    messages: { list: () => sampleMessages, send: async () => sampleMessage },
    limits: {
      setBudget: team,
      autonomy: () => ({ autonomy: sampleAutonomy, proposals: [] }),
      setAutonomy: team,
    },
    members: { health: () => [], swapModel: team, stop: team },
    report: async () => ({ report: sampleTeamReport, text: "# Add a cart\n" }),
  };
}

export const sampleTeam: Team = {
  id: "team-01m7p3p8ca0000aaaaaaaa",
  projectId: "shop",
  name: "Cart",
  goal: "Add a cart",
  taskId: "TASK-001",
  strategy: { value: "single", because: "2 tasks; a team needs 3 that touch different files" },
  approval: "plan",
  budgetUsd: 5,
  sdd: { value: "quick", because: "the goal is one sentence" },
  branch: "guildhall/team-01m7p3p8ca0000aaaaaaaa",
  baseBranch: "main",
  createdAt: NOON,
  createdBy: "person",
  status: "working",
  phases: [
    { id: "build", name: "Build", order: 0, status: "in-progress", taskIds: ["store", "page"] },
    { id: "polish", name: "Polish", order: 1, status: "pending", taskIds: [] },
  ],
  members: [
    {
      name: "lead-oslo",
      rank: "lead",
      roleId: "lead",
      model: "test/large",
      status: "idle",
      runs: 2,
      failures: 0,
    },
    {
      name: "worker-lima",
      rank: "worker",
      roleId: "backend",
      model: "test/small",
      status: "working",
      runId: "run-1",
      task: "store",
      runs: 1,
      failures: 0,
    },
  ],
  tasks: { waiting: 1, working: 1, review: 0, merged: 0, failed: 0, blocked: 0, "left-out": 0 },
  requirements: { total: 1, met: 0 },
  rounds: 0,
  costUsd: 0.42,
  costKnown: true,
  updatedAt: NOON,
  etag: "team-v1",
};

const taskDefaults = {
  type: "feature",
  phase: "build",
  roleId: "backend",
  rank: "worker",
  prefix: "IMPL",
  attempts: 0,
} as const;

export const sampleTeamTasks: TeamTask[] = [
  {
    ...taskDefaults,
    key: "store",
    taskId: "TASK-002",
    title: "Keep the cart",
    domain: "backend",
    requirements: ["REQ-001"],
    criteria: ["REQ-001.1"],
    dependsOn: [],
    files: ["src/cart.js"],
    state: "working",
    member: "worker-lima",
    runIds: ["run-1"],
    attempts: 1,
  },
  {
    ...taskDefaults,
    key: "page",
    title: "Show the cart",
    domain: "frontend",
    requirements: [],
    criteria: [],
    dependsOn: ["store"],
    files: ["src/page.js"],
    state: "waiting",
    runIds: [],
    reason: "waits for store",
  },
];

export const sampleActivity: TeamActivity[] = [
  { seq: 1, at: NOON, type: "teammate-spawned", member: "lead-oslo", data: { rank: "lead" } },
  { seq: 2, at: NOON, type: "plan-submitted", member: "lead-oslo" },
  { seq: 3, at: NOON, type: "task-claimed", member: "worker-lima", task: "store", runId: "run-1" },
];

const sampleMessage: TeamMessage = {
  ...{ id: "MSG-002", seq: 2, at: NOON, from: "person", to: "worker-lima", type: "message" },
  text: "Keep the old endpoint.",
  deliveries: [{ member: "worker-lima", runId: "run-1", at: NOON }],
};

export const sampleMessages: TeamMessage[] = [
  {
    ...{ id: "MSG-001", seq: 1, at: NOON, from: "worker-lima", to: "lead-oslo", type: "progress" },
    ...{ text: "The store is written, tests are next.", task: "store", deliveries: [] },
  },
  sampleMessage,
];

const sampleRoleSpec: RoleSpec = {
  name: "engineer-impl",
  responsibilityType: "code-gen-code",
  tasks: ["cart"],
  text: "# Engineer Impl — Phase 2-4",
  etag: "1",
  faults: [],
  inUse: "file",
};

const criterion = { id: "REQ-001.1", text: "The cart keeps two products", kind: "test" } as const;
const sampleSpec: TeamSpec = {
  title: "Cart",
  goals: ["Shoppers collect products"],
  nonGoals: [],
  requirements: [{ id: "REQ-001", text: "Products stay in the cart", priority: "high", acceptance: [criterion] }],
  risks: [],
  definitionOfDone: [],
};
const sampleCriteria = [{ ...criterion, requirement: "REQ-001", task: "store", state: "open" as const }];

export const samplePlan: TeamPlan = {
  phases: [
    { id: "build", name: "Build" },
    { id: "polish", name: "Polish" },
  ],
  tasks: sampleTeamTasks.map(({ key, title, type, domain, requirements, criteria, phase, dependsOn, files }) => ({
    key,
    title,
    description: "",
    type,
    domain,
    requirements,
    criteria,
    phase,
    dependsOn,
    files,
  })),
};

const sampleTeamReport: TeamReport = {
  teamId: sampleTeam.id,
  goal: sampleTeam.goal,
  status: sampleTeam.status,
  forPerson: [],
  requirements: [{ id: "REQ-001", text: "Products stay in the cart", met: false, criteria: sampleCriteria }],
  tasks: sampleTeamTasks,
  gates: { judged: 0, passed: 0, failed: 0, unable: 0, cycles: 0 },
  cost: { usd: 0.42, known: true, budgetUsd: 5, byRank: { lead: 0.4, worker: 0.02 } },
  startedAt: NOON,
};

const sampleAutonomy: TeamAutonomy = {
  ...{ mode: "smart", phase: "executing", costCapUsd: 5, timeoutMinutes: 60, maxConcurrency: 3 },
  ...{ maxRemediationRounds: 3, requireApprovalForSpecChanges: true, usedMinutes: 12.5 },
};
