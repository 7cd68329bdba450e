/**
 * Every endpoint by name: method and path. Free of imports, so that a client which only speaks HTTP stays small;
 * routes.ts gives each its schemas.
 */
export const endpoints = {
  getHealth: "GET /api/health",
  getStatus: "GET /api/status",
  stopDaemon: "POST /api/shutdown",
  stopRuns: "POST /api/stop",
  getOpenApi: "GET /api/openapi.json",

  listRoles: "GET /api/roles",
  createRole: "POST /api/roles",
  listRoleTemplates: "GET /api/roles/templates",
  suggestRoles: "GET /api/roles/suggestions",
  getRole: "GET /api/roles/:id",
  updateRole: "PUT /api/roles/:id",
  deleteRole: "DELETE /api/roles/:id",

  listProjects: "GET /api/projects",
  createProject: "POST /api/projects",
  listProjectTemplates: "GET /api/projects/templates",
  getProject: "GET /api/projects/:id",
  updateProject: "PUT /api/projects/:id",
  deleteProject: "DELETE /api/projects/:id",
  moveProject: "POST /api/projects/:id/move",

  listAssignments: "GET /api/projects/:id/team",
  createAssignment: "POST /api/projects/:id/team",
  updateAssignment: "PUT /api/projects/:id/team/:assignmentId",
  deleteAssignment: "DELETE /api/projects/:id/team/:assignmentId",

  listTasks: "GET /api/projects/:id/tasks",
  createTask: "POST /api/projects/:id/tasks",
  getTask: "GET /api/projects/:id/tasks/:taskId",
  updateTask: "PUT /api/projects/:id/tasks/:taskId",
  moveTask: "POST /api/projects/:id/tasks/:taskId/move",
  listAllTasks: "GET /api/tasks",
  createTaskAnywhere: "POST /api/tasks",

  listInitiatives: "GET /api/projects/:id/initiatives",
  createInitiative: "POST /api/projects/:id/initiatives",
  listArtifacts: "GET /api/projects/:id/artifacts",
  createArtifact: "POST /api/projects/:id/artifacts",
  listContext: "GET /api/projects/:id/context",
  writeContext: "PUT /api/projects/:id/context",
  readFile: "GET /api/projects/:id/file",

  spawn: "POST /api/team/spawn",
  getSpawnStatus: "GET /api/team/spawn/:sessionId/status",
  spawnInProject: "POST /api/projects/:id/spawn",
  listRuns: "GET /api/runs",
  streamRuns: "GET /api/runs/live",
  getRun: "GET /api/runs/:runId",
  getTranscript: "GET /api/runs/:runId/transcript",
  getRunPrompt: "GET /api/runs/:runId/prompt",
  cancelRun: "POST /api/runs/:runId/cancel",
  retryRun: "POST /api/runs/:runId/retry",
  messageRun: "POST /api/runs/:runId/message",
  getRunDiff: "GET /api/runs/:runId/diff",
  approveRun: "POST /api/runs/:runId/approve",
  rejectRun: "POST /api/runs/:runId/reject",
  revertRun: "POST /api/runs/:runId/revert",
  getCosts: "GET /api/costs",
  getBudget: "GET /api/budget",
  updateBudget: "PUT /api/budget",
  listModels: "GET /api/models",
  testModel: "POST /api/models/test",

  listCheckpoints: "GET /api/projects/:id/checkpoints",
  rollback: "POST /api/projects/:id/checkpoints/:checkpointId/rollback",

  search: "GET /api/search",
  listEvents: "GET /api/events/log",
  streamEvents: "GET /api/events",
  verifyAudit: "GET /api/audit/verify",
  listProblems: "GET /api/problems",
  rebuildIndex: "POST /api/index/rebuild",
} as const;

export type EndpointName = keyof typeof endpoints;
