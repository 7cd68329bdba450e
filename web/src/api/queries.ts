import { queryOptions } from "@tanstack/react-query";
import type { RouteQueryInput } from "../../../src/contract/routes/routes.ts";
import { shareCards, upToDate } from "../live/live-cards.ts";
import { allProjects, PAGE } from "./all-projects.ts";
import { call } from "./client.ts";

/**
 * Everything a page asks for, under the names that live/refresh.ts makes stale. The first word of a key says what it is
 * about, the second which one.
 */
/** The stream says when something is not true any more. */
export const STALE_MS = 30_000;

export const queries = {
  now: () => queryOptions({ queryKey: ["now"], queryFn: ({ signal }) => call("getNow", { signal }) }),
  /** Of a day, or `today`. Grows with the events of the day, which are many: answers make it stale, and it is asked again now and then. */
  briefing: (day: string) =>
    queryOptions({
      queryKey: ["escalations", "briefing", day],
      queryFn: ({ signal }) =>
        day === "today" ? call("getTodaysBriefing", { signal }) : call("getBriefing", { params: { day }, signal }),
      refetchInterval: 60_000,
    }),
  figures: (query: NonNullable<RouteQueryInput<"getFigures">>) =>
    queryOptions({
      queryKey: ["costs", "figures", query],
      queryFn: ({ signal }) => call("getFigures", { query, signal }),
    }),
  status: () => queryOptions({ queryKey: ["status"], queryFn: ({ signal }) => call("getStatus", { signal }) }),
  welcome: () => queryOptions({ queryKey: ["welcome"], queryFn: ({ signal }) => call("getWelcome", { signal }) }),
  projects: () =>
    queryOptions({
      queryKey: ["projects"],
      queryFn: ({ signal }) =>
        allProjects((cursor) => call("listProjects", { query: { limit: PAGE, ...(cursor && { cursor }) }, signal })),
    }),
  project: (id: string) =>
    queryOptions({
      queryKey: ["project", id],
      queryFn: ({ signal }) => call("getProject", { params: { id }, signal }),
    }),
  workdir: (id: string) =>
    queryOptions({
      queryKey: ["project", id, "workdir"],
      queryFn: ({ signal }) => call("getWorkdir", { params: { id }, signal }),
    }),
  cards: (id: string) =>
    queryOptions({
      queryKey: ["cards", id],
      queryFn: async ({ signal }) => upToDate(id, await call("listCards", { params: { id }, signal })),
      structuralSharing: shareCards,
    }),
  task: (id: string, taskId: string) =>
    queryOptions({
      queryKey: ["task", id, taskId],
      queryFn: ({ signal }) => call("getTask", { params: { id, taskId }, signal }),
    }),
  assignments: (id: string) =>
    queryOptions({
      queryKey: ["project", id, "assignments"],
      queryFn: ({ signal }) => call("listAssignments", { params: { id }, signal }),
    }),
  /** A team itself is cheap and has its cost, which grows without events; what belongs to it is under `team`. */
  teams: (query: NonNullable<RouteQueryInput<"listTeams">>) =>
    queryOptions({ queryKey: ["teams", query], queryFn: ({ signal }) => call("listTeams", { query, signal }) }),
  team: (id: string) =>
    queryOptions({ queryKey: ["teams", id], queryFn: ({ signal }) => call("getTeam", { params: { id }, signal }) }),
  teamTasks: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "tasks"],
      queryFn: ({ signal }) => call("listTeamTasks", { params: { id }, signal }),
    }),
  teamHealth: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "health"],
      queryFn: ({ signal }) => call("getTeamHealth", { params: { id }, signal }),
    }),
  teamAutonomy: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "autonomy"],
      queryFn: ({ signal }) => call("getTeamAutonomy", { params: { id }, signal }),
    }),
  teamSpec: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "spec"],
      queryFn: ({ signal }) => call("getTeamSpec", { params: { id }, signal }),
      retry: false,
    }),
  roleSpecs: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "role-specs"],
      queryFn: ({ signal }) => call("listRoleSpecs", { params: { id }, signal }),
    }),
  teamPlan: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "plan"],
      queryFn: ({ signal }) => call("getTeamPlan", { params: { id }, signal }),
      retry: false,
    }),
  teamActivity: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "activity"],
      queryFn: ({ signal }) => call("listTeamActivity", { params: { id }, query: { limit: 1_500 }, signal }),
    }),
  teamMessages: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "messages"],
      queryFn: ({ signal }) => call("listTeamMessages", { params: { id }, query: { limit: 2_000 }, signal }),
    }),
  teamLessons: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "lessons"],
      queryFn: ({ signal }) => call("getTeamLessons", { params: { id }, signal }),
    }),
  teamReport: (id: string) =>
    queryOptions({
      queryKey: ["team", id, "report"],
      queryFn: ({ signal }) => call("getTeamReport", { params: { id }, signal }),
    }),
  runs: (query: NonNullable<RouteQueryInput<"listRuns">>) =>
    queryOptions({ queryKey: ["runs", query], queryFn: ({ signal }) => call("listRuns", { query, signal }) }),
  run: (runId: string) =>
    queryOptions({ queryKey: ["run", runId], queryFn: ({ signal }) => call("getRun", { params: { runId }, signal }) }),
  /**
   * What an agent writes while it works, and what of the person's checkout blocks a merge, is in no event: looked at again while
   * it matters, and when somebody opens the page or comes back to it.
   */
  diff: (runId: string, stage: "running" | "review" | "settled" = "settled") =>
    queryOptions({
      queryKey: ["run", runId, "diff"],
      queryFn: ({ signal }) => call("getRunDiff", { params: { runId }, signal }),
      staleTime: stage === "settled" ? STALE_MS : 500,
      refetchOnWindowFocus: stage === "settled" ? false : "always",
      refetchInterval: ({ state }) => {
        const isBlocked = stage === "review" && (state.data?.blockers ?? []).length > 0;
        return stage === "running" || isBlocked ? 3_000 : false;
      },
    }),
  gates: (id: string, query: NonNullable<RouteQueryInput<"listGates">> = {}) =>
    queryOptions({
      queryKey: ["gates", id, query],
      queryFn: ({ signal }) => call("listGates", { params: { id }, query, signal }),
    }),
  gate: (id: string) =>
    queryOptions({ queryKey: ["gate", id], queryFn: ({ signal }) => call("getGate", { params: { id }, signal }) }),
  runGates: (id: string) =>
    queryOptions({
      queryKey: ["gates", "run", id],
      queryFn: ({ signal }) => call("listRunGates", { params: { id }, signal }),
    }),
  quality: (id: string) =>
    queryOptions({
      queryKey: ["gates", id, "quality"],
      queryFn: ({ signal }) => call("getQuality", { params: { id }, signal }),
    }),
  detectedChecks: (id: string) =>
    queryOptions({
      queryKey: ["project", id, "checks"],
      queryFn: ({ signal }) => call("detectChecks", { params: { id }, signal }),
      retry: false,
    }),
  owners: (id: string) =>
    queryOptions({
      queryKey: ["gates", id, "owners"],
      queryFn: ({ signal }) => call("listOwners", { params: { id }, signal }),
    }),
  integrationChecks: (id: string) =>
    queryOptions({
      queryKey: ["integration", id],
      queryFn: ({ signal }) => call("listIntegrationChecks", { params: { id }, signal }),
    }),
  integrationCheck: (id: string) =>
    queryOptions({
      queryKey: ["integration", "check", id],
      queryFn: ({ signal }) => call("getIntegrationCheck", { params: { id }, signal }),
    }),
  plan: (runId: string) =>
    queryOptions({
      queryKey: ["run", runId, "plan"],
      queryFn: ({ signal }) => call("getRunPrompt", { params: { runId }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  roles: () =>
    queryOptions({
      queryKey: ["roles"],
      queryFn: ({ signal }) => call("listRoles", { query: { limit: 1_000 }, signal }),
    }),
  role: (id: string) =>
    queryOptions({ queryKey: ["role", id], queryFn: ({ signal }) => call("getRole", { params: { id }, signal }) }),
  roleTemplates: () =>
    queryOptions({
      queryKey: ["role-templates"],
      queryFn: ({ signal }) => call("listRoleTemplates", { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  escalations: (query: NonNullable<RouteQueryInput<"listEscalations">>) =>
    queryOptions({
      queryKey: ["escalations", query],
      queryFn: ({ signal }) => call("listEscalations", { query, signal }),
    }),
  escalation: (id: string) =>
    queryOptions({
      queryKey: ["escalation", id],
      queryFn: ({ signal }) => call("getEscalation", { params: { id }, signal }),
    }),
  permissionPreview: (id: string) =>
    queryOptions({
      queryKey: ["escalation", id, "permission"],
      queryFn: ({ signal }) => call("previewPermission", { params: { id }, signal }),
    }),
  grants: (query: NonNullable<RouteQueryInput<"listGrants">>) =>
    queryOptions({ queryKey: ["grants", query], queryFn: ({ signal }) => call("listGrants", { query, signal }) }),
  grant: (id: string) =>
    queryOptions({ queryKey: ["grants", id], queryFn: ({ signal }) => call("getGrant", { params: { id }, signal }) }),
  /** A repository's hooks and calls that hooks allowed are in no event: asked for whenever the page is opened or returned to. */
  portfolio: () =>
    queryOptions({ queryKey: ["projects", "portfolio"], queryFn: ({ signal }) => call("getPortfolio", { signal }) }),
  orchestrator: () =>
    queryOptions({ queryKey: ["orchestrator"], queryFn: ({ signal }) => call("getOrchestrator", { signal }) }),
  cycles: () =>
    queryOptions({
      queryKey: ["orchestrator", "cycles"],
      queryFn: ({ signal }) => call("listCycles", { query: { limit: 50 }, signal }),
    }),
  hooks: () =>
    queryOptions({
      queryKey: ["hooks"],
      queryFn: ({ signal }) => call("listHooks", { signal }),
      staleTime: 0,
      refetchOnWindowFocus: "always",
    }),
  hook: (name: string) =>
    queryOptions({ queryKey: ["hooks", name], queryFn: ({ signal }) => call("getHook", { params: { name }, signal }) }),
  triggers: (query: NonNullable<RouteQueryInput<"listTriggers">>) =>
    queryOptions({ queryKey: ["triggers", query], queryFn: ({ signal }) => call("listTriggers", { query, signal }) }),
  triggerHistory: (name: string) =>
    queryOptions({
      queryKey: ["triggers", name, "history"],
      queryFn: ({ signal }) => call("getTriggerHistory", { params: { name }, query: { limit: 50 }, signal }),
    }),
  costs: (query: NonNullable<RouteQueryInput<"getCosts">>) =>
    queryOptions({ queryKey: ["costs", query], queryFn: ({ signal }) => call("getCosts", { query, signal }) }),
  budget: () => queryOptions({ queryKey: ["budget"], queryFn: ({ signal }) => call("getBudget", { signal }) }),
  models: () => queryOptions({ queryKey: ["models"], queryFn: ({ signal }) => call("listModels", { signal }) }),
  providerModels: (name: string) =>
    queryOptions({
      queryKey: ["provider-models", name],
      queryFn: ({ signal }) => call("listProviderModels", { params: { name }, signal }),
      staleTime: 5 * 60_000,
      retry: false,
    }),
  settings: () => queryOptions({ queryKey: ["settings"], queryFn: ({ signal }) => call("getSettings", { signal }) }),
  devices: () => queryOptions({ queryKey: ["devices"], queryFn: ({ signal }) => call("listDevices", { signal }) }),
  doctor: () => queryOptions({ queryKey: ["doctor"], queryFn: ({ signal }) => call("getDoctor", { signal }) }),
  problems: () => queryOptions({ queryKey: ["problems"], queryFn: ({ signal }) => call("listProblems", { signal }) }),
  skills: (project?: string) =>
    queryOptions({
      queryKey: ["skills", project],
      queryFn: ({ signal }) => call("listSkills", { query: { project }, signal }),
    }),
  skill: (project: string, slug: string) =>
    queryOptions({
      queryKey: ["skills", project, slug],
      queryFn: ({ signal }) => call("getSkill", { params: { slug }, query: { project }, signal }),
    }),
  instructions: (id: string) =>
    queryOptions({
      queryKey: ["instructions", id],
      queryFn: ({ signal }) => call("listInstructions", { params: { id }, signal }),
    }),
  projectTemplates: () =>
    queryOptions({
      queryKey: ["project-templates"],
      queryFn: ({ signal }) => call("listProjectTemplates", { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  roleSuggestions: (text: string) =>
    queryOptions({
      queryKey: ["roles", "suggestions", text],
      queryFn: ({ signal }) => call("suggestRoles", { query: { text, limit: 5 }, signal }),
    }),
  folders: (path: string | undefined) =>
    queryOptions({
      queryKey: ["folders", path],
      queryFn: ({ signal }) => call("listFolders", { query: { path }, signal }),
    }),
  clonePreview: (url: string) =>
    queryOptions({
      queryKey: ["clone-preview", url],
      queryFn: ({ signal }) => call("previewClone", { query: { url }, signal }),
    }),
  initiatives: (id: string) =>
    queryOptions({
      queryKey: ["project", id, "initiatives"],
      queryFn: ({ signal }) => call("listInitiatives", { params: { id }, signal }),
    }),
  initiative: (id: string, slug: string) =>
    queryOptions({
      queryKey: ["project", id, "initiative", slug],
      queryFn: ({ signal }) => call("getInitiative", { params: { id, slug }, signal }),
    }),
  leads: (project: string, initiative: string) =>
    queryOptions({
      queryKey: ["project", project, "leads", initiative],
      queryFn: ({ signal }) => call("listLeads", { query: { project, initiative, limit: 20 }, signal }),
    }),
  leadBriefing: (id: string, slug: string) =>
    queryOptions({
      queryKey: ["project", id, "briefing", slug],
      queryFn: ({ signal }) => call("getLeadBriefing", { params: { id, slug }, signal }),
    }),
  checkpoints: (id: string) =>
    queryOptions({
      queryKey: ["checkpoints", id],
      queryFn: ({ signal }) => call("listCheckpoints", { params: { id }, signal }),
    }),
  recentEvents: (project: string, tail: number) =>
    queryOptions({
      queryKey: ["events", project, tail],
      queryFn: ({ signal }) => call("listEvents", { query: { project, tail }, signal }),
    }),
  memory: (id: string) =>
    queryOptions({ queryKey: ["memory", id], queryFn: ({ signal }) => call("listMemory", { params: { id }, signal }) }),
  memoryFile: (id: string, path: string) =>
    queryOptions({
      queryKey: ["memory", id, path],
      queryFn: ({ signal }) => call("readMemory", { params: { id }, query: { path }, signal }),
    }),
  context: (id: string) =>
    queryOptions({
      queryKey: ["documents", id, "context"],
      queryFn: ({ signal }) => call("listContext", { params: { id }, signal }),
    }),
  document: (id: string, path: string) =>
    queryOptions({
      queryKey: ["documents", id, "file", path],
      queryFn: ({ signal }) => call("readFile", { params: { id }, query: { path }, signal }),
    }),
  contradictions: (query: { project?: string }) =>
    queryOptions({
      queryKey: ["knowledge", "contradictions", query],
      queryFn: ({ signal }) => call("listContradictions", { query, signal }),
    }),
  knowledgeUses: (id: string, query: { project?: string }) =>
    queryOptions({
      queryKey: ["knowledge", "uses", id, query],
      queryFn: ({ signal }) => call("getKnowledgeUses", { params: { id }, query, signal }),
    }),
  answerRules: (query: { project?: string }) =>
    queryOptions({
      queryKey: ["rules", query],
      queryFn: ({ signal }) => call("listAnswerRules", { query, signal }),
    }),
  knowledge: (query: NonNullable<RouteQueryInput<"listKnowledge">>) =>
    queryOptions({ queryKey: ["knowledge", query], queryFn: ({ signal }) => call("listKnowledge", { query, signal }) }),
};
