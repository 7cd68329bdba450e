import type { RoleSpec } from "../../contract/documents/teams/role-spec.ts";
import type { Team, TeamActivity, TeamTask } from "../../contract/documents/teams/team.ts";
import type { MemberHealth } from "../../contract/documents/teams/team-health.ts";
import type { TeamMessage } from "../../contract/documents/teams/team-message.ts";
import type { RouteBody, RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What was said in teams. */
interface TeamMessageDesk {
  readonly messages: {
    list(id: string, query: RouteQuery<"listTeamMessages">): TeamMessage[];
    send(id: string, body: RouteBody<"sendTeamMessage">, change: Change): Promise<TeamMessage>;
  };
}

/** What the server needs of teams that pursue a goal. */
export interface TeamDesk extends TeamMessageDesk {
  readonly starts: {
    goal(projectId: string, body: RouteBody<"createTeam">, change: Change): Promise<Team>;
    /** Refuses a session of which a part is missing or broken, with all such parts. */
    session(projectId: string, body: RouteBody<"importTeam">, change: Change): Promise<Team>;
  };
  list(query: RouteQuery<"listTeams">): { teams: Team[]; nextCursor?: string };
  get(id: string): Team;
  activity(id: string, query: RouteQuery<"listTeamActivity">): TeamActivity[];
  tasks(id: string): TeamTask[];
  spec(id: string): Promise<RouteResponse<"getTeamSpec">>;
  editSpec(id: string, text: string, change: Change): Promise<{ team: Team; changed: string[] }>;
  readonly roleSpecs: {
    list(id: string): RoleSpec[];
    edit(id: string, of: { name: string; text: string }, change: Change): Promise<RoleSpec>;
  };
  plan(id: string): RouteResponse<"getTeamPlan">;
  /** Approves or rejects what the team waits for approval of. */
  decide(
    id: string,
    decision: { is: "approve"; body: RouteBody<"approvePlan"> } | { is: "reject"; remarks: string },
    change: Change,
  ): Promise<Team>;
  /** The person's word on the whole team. */
  steer(id: string, order: "pause" | "resume" | "stop" | "clean-up", change: Change): Promise<Team>;
  /** How far it may go without the person. */
  readonly limits: {
    setBudget(id: string, budgetUsd: number | null, change: Change): Promise<Team>;
    autonomy(id: string): RouteResponse<"getTeamAutonomy">;
    setAutonomy(id: string, asked: RouteBody<"setTeamAutonomy">, change: Change): Promise<Team>;
  };
  readonly members: {
    health(id: string): MemberHealth[];
    swapModel(id: string, of: { name: string; model: string }, change: Change): Promise<Team>;
    stop(id: string, name: string, change: Change): Promise<Team>;
  };
  report(id: string): Promise<RouteResponse<"getTeamReport">>;
}

const success = true as const;

export function teamHandlers(
  teams: TeamDesk,
): HandlersOf<
  | "createTeam"
  | "importTeam"
  | "listTeams"
  | "getTeam"
  | "listTeamActivity"
  | "listTeamTasks"
  | "getTeamHealth"
  | "getTeamSpec"
  | "updateTeamSpec"
  | "listRoleSpecs"
  | "updateRoleSpec"
  | "getTeamPlan"
  | "approvePlan"
  | "rejectPlan"
  | "pauseTeam"
  | "resumeTeam"
  | "stopTeam"
  | "updateTeamBudget"
  | "getTeamAutonomy"
  | "setTeamAutonomy"
  | "swapMemberModel"
  | "stopMember"
  | "listTeamMessages"
  | "sendTeamMessage"
  | "sendMemberMessage"
  | "getTeamReport"
  | "cleanUpTeam"
> {
  return {
    createTeam: async ({ params: { id }, body, change }) => ({ team: await teams.starts.goal(id, body, change) }),
    importTeam: async ({ params: { id }, body, change }) => ({ team: await teams.starts.session(id, body, change) }),
    listTeams: ({ query }) => teams.list(query),
    getTeam: ({ params: { id } }) => ({ team: teams.get(id) }),
    listTeamActivity: ({ params: { id }, query }) => ({ activity: teams.activity(id, query) }),
    listTeamTasks: ({ params: { id } }) => ({ tasks: teams.tasks(id) }),
    getTeamHealth: ({ params: { id } }) => ({ members: teams.members.health(id) }),
    getTeamSpec: ({ params: { id } }) => teams.spec(id),
    updateTeamSpec: async ({ params: { id }, body, change }) => ({
      success,
      ...(await teams.editSpec(id, body.text, change)),
    }),
    listRoleSpecs: ({ params: { id } }) => ({ roleSpecs: teams.roleSpecs.list(id) }),
    updateRoleSpec: async ({ params: { id, name }, body, change }) => ({
      success,
      roleSpec: await teams.roleSpecs.edit(id, { name, text: body.text }, change),
    }),
    getTeamPlan: ({ params: { id } }) => teams.plan(id),
    approvePlan: async ({ params: { id }, body, change }) => ({
      success,
      team: await teams.decide(id, { is: "approve", body }, change),
    }),
    rejectPlan: async ({ params: { id }, body, change }) => ({
      success,
      team: await teams.decide(id, { is: "reject", remarks: body.remarks }, change),
    }),
    pauseTeam: async ({ params: { id }, change }) => ({ success, team: await teams.steer(id, "pause", change) }),
    resumeTeam: async ({ params: { id }, change }) => ({ success, team: await teams.steer(id, "resume", change) }),
    stopTeam: async ({ params: { id }, change }) => ({ success, team: await teams.steer(id, "stop", change) }),
    updateTeamBudget: async ({ params: { id }, body, change }) => ({
      success,
      team: await teams.limits.setBudget(id, body.budgetUsd, change),
    }),
    getTeamAutonomy: ({ params: { id } }) => teams.limits.autonomy(id),
    setTeamAutonomy: async ({ params: { id }, body, change }) => ({
      success,
      team: await teams.limits.setAutonomy(id, body, change),
    }),
    swapMemberModel: async ({ params: { id, name }, body, change }) => ({
      success,
      team: await teams.members.swapModel(id, { name, model: body.model }, change),
    }),
    stopMember: async ({ params: { id, name }, change }) => ({
      success,
      team: await teams.members.stop(id, name, change),
    }),
    listTeamMessages: ({ params: { id }, query }) => ({ messages: teams.messages.list(id, query) }),
    sendTeamMessage: async ({ params: { id }, body, change }) => ({
      message: await teams.messages.send(id, body, change),
    }),
    sendMemberMessage: async ({ params: { id, name }, body, change }) => ({
      message: await teams.messages.send(id, { to: name, text: body.text }, change),
    }),
    getTeamReport: ({ params: { id } }) => teams.report(id),
    cleanUpTeam: async ({ params: { id }, change }) => ({ success, team: await teams.steer(id, "clean-up", change) }),
  };
}
