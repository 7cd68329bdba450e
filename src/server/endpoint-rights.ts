import type { EndpointName } from "../contract/routes/endpoints.ts";
import type { Action } from "../workspace/rights.ts";

/** What a caller must be allowed to do for any use of an endpoint. What depends on the request is checked where it is carried out. */
export const ENDPOINT_RIGHTS: Partial<Record<EndpointName, Action>> = {
  stopDaemon: "stopDaemon",
  restartDaemon: "stopDaemon",
  rebuildIndex: "stopDaemon",
  updateBudget: "setBudget",
  setModelPrice: "setBudget",
  createRole: "administer",
  importRole: "administer",
  updateRole: "administer",
  deleteRole: "administer",
  createAssignment: "administer",
  updateAssignment: "administer",
  deleteAssignment: "administer",
  testModel: "testModels",
  testProvider: "testModels",
  listFolders: "listFolders",
  acceptSkill: "acceptSkills",
  acceptInstructions: "acceptSkills",
  updateHook: "acceptSkills",
  testHook: "acceptSkills",
  acceptHook: "acceptSkills",
  approvePlan: "answer",
  rejectPlan: "answer",
  updateTeamSpec: "waive",
  updateRoleSpec: "waive",
  updateTeamBudget: "setBudget",
  waiveFinding: "waive",
  waiveIntegrationFinding: "waive",
};
