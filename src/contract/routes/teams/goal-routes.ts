import { z } from "zod";
import { RoleSpec } from "../../documents/teams/role-spec.ts";
import { CriterionState, Team, TeamActivity, TeamBudget, TeamRequest, TeamTask } from "../../documents/teams/team.ts";
import { AutonomyRequest, SpecEvolutionProposal, TeamAutonomy } from "../../documents/teams/team-autonomy.ts";
import { MemberHealth } from "../../documents/teams/team-health.ts";
import { MessageText, MessageType, TeamMessage } from "../../documents/teams/team-message.ts";
import { TeamPlan } from "../../documents/teams/team-plan.ts";
import { TeamReport } from "../../documents/teams/team-report.ts";
import { SessionRequest } from "../../documents/teams/team-session.ts";
import { TeamSpec } from "../../documents/teams/team-spec.ts";
import { TEAM_STATUSES } from "../../words/teams/team-words.ts";
import { line, prose, Slug } from "../../words/text.ts";
import { byId, page, paged, success } from "../route-parts.ts";

const group = "Teams";
const team = z.strictObject({ ...success, team: Team });
const member = z.strictObject({ id: z.string(), name: line(100) });

export const goalRoutes = {
  createTeam: {
    summary:
      "Start a team on a goal. A lead writes a spec and a plan, members do the tasks on a branch of the team, gates judge each result and the whole.",
    group,
    params: z.strictObject({ id: Slug }),
    body: TeamRequest,
    response: z.strictObject({ team: Team }),
    status: 201,
  },
  importTeam: {
    summary:
      "Start a team that carries out the plan of a session folder. Parts that are missing or broken are all named, and nothing is repaired.",
    group,
    params: z.strictObject({ id: Slug }),
    body: SessionRequest,
    response: z.strictObject({ team: Team }),
    status: 201,
  },
  listTeams: {
    summary: "Teams, the newest first.",
    group,
    query: z.strictObject({
      ...page,
      project: Slug.optional(),
      status: z.enum([...TEAM_STATUSES, "active"]).optional(),
    }),
    response: z.strictObject({ teams: z.array(Team), ...paged }),
  },
  getTeam: { summary: "A team.", group, params: byId, response: z.strictObject({ team: Team }) },
  listTeamActivity: {
    summary: "What happened in a team, the oldest first; the newest 1,500 are kept.",
    group,
    params: byId,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(1_500).optional(),
    }),
    response: z.strictObject({ activity: z.array(TeamActivity) }),
  },
  listTeamTasks: {
    summary: "The tasks of a team, by phase.",
    group,
    params: byId,
    response: z.strictObject({ tasks: z.array(TeamTask) }),
  },
  getTeamHealth: {
    summary:
      "How the members of a team do: liveness, open issues, and the last 20 issues with what was done about them.",
    group,
    params: byId,
    response: z.strictObject({ members: z.array(MemberHealth) }),
  },
  getTeamSpec: {
    summary: "The spec of a team, as text and as data, with the state of each acceptance criterion.",
    group,
    params: byId,
    response: z.strictObject({ text: z.string(), etag: z.string(), spec: TeamSpec, criteria: z.array(CriterionState) }),
  },
  updateTeamSpec: {
    summary: "Replace the text of a team's spec. Tells what changes for its tasks.",
    group,
    params: byId,
    body: z.strictObject({ text: prose(200_000) }),
    response: z.strictObject({ ...success, team: Team, changed: z.array(z.string()) }),
  },
  listRoleSpecs: {
    summary: "The role-specs of a team, each with what the linter says about it.",
    group,
    params: byId,
    response: z.strictObject({ roleSpecs: z.array(RoleSpec) }),
  },
  updateRoleSpec: {
    summary: "Replace the text of a role-spec. A text with errors is refused with all of them.",
    group,
    params: z.strictObject({ id: z.string(), name: Slug }),
    body: z.strictObject({ text: prose(100_000) }),
    response: z.strictObject({ ...success, roleSpec: RoleSpec }),
  },
  getTeamPlan: {
    summary: "The plan of a team: phases and tasks, and why its strategy was chosen.",
    group,
    params: byId,
    response: z.strictObject({ plan: TeamPlan, strategy: Team.shape.strategy, approvedBy: z.string().optional() }),
  },
  approvePlan: {
    summary: "Approve what the team waits for approval of: its spec or its plan. `plan` replaces the tasks first.",
    group,
    params: byId,
    body: z.strictObject({ plan: TeamPlan.optional(), remarks: prose(10_000).optional() }),
    bodyOptional: true,
    response: team,
  },
  rejectPlan: {
    summary: "Send the spec or the plan back to the lead, with remarks.",
    group,
    params: byId,
    body: z.strictObject({ remarks: prose(10_000) }),
    response: team,
  },
  pauseTeam: { summary: "Start nothing new. Runs that work finish.", group, params: byId, response: team },
  resumeTeam: { summary: "Continue a paused team.", group, params: byId, response: team },
  stopTeam: {
    summary: "End every run of a team. Its branch and folder stay.",
    group,
    params: byId,
    response: team,
  },
  updateTeamBudget: {
    summary:
      "Change what the runs of a team may spend together. Runs that wait for it continue where it allows. null: no limit.",
    group,
    params: byId,
    body: z.strictObject({ budgetUsd: TeamBudget.nullable() }),
    response: team,
  },
  getTeamAutonomy: {
    summary: "How a team works without a person: mode, phase, limits, and the changes it proposed to its spec.",
    group,
    params: byId,
    response: z.strictObject({ autonomy: TeamAutonomy, proposals: z.array(SpecEvolutionProposal) }),
  },
  setTeamAutonomy: {
    summary:
      "Switch autonomous work on or off, or change its limits. While it is on, the team asks for no approval of its spec and plan.",
    group,
    params: byId,
    body: z.strictObject(AutonomyRequest.shape),
    response: team,
  },
  swapMemberModel: {
    summary: "Give a member another model, from its next turn on.",
    group,
    params: member,
    body: z.strictObject({ model: line(200) }),
    response: team,
  },
  stopMember: {
    summary: "End a member's run. Its task goes to another member.",
    group,
    params: member,
    response: team,
  },
  listTeamMessages: {
    summary:
      "Messages of a team, the oldest first; the newest 2,000 are kept. `deliveries` names the runs that got a message.",
    group,
    params: byId,
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(2_000).default(100),
      member: line(100).optional(),
      type: MessageType.optional(),
    }),
    response: z.strictObject({ messages: z.array(TeamMessage) }),
  },
  sendTeamMessage: {
    summary: "Write to all members of a team, or to one. They get it with their next turn.",
    group,
    params: byId,
    body: z.strictObject({ to: line(100).optional(), text: MessageText }),
    response: z.strictObject({ message: TeamMessage }),
    status: 201,
  },
  sendMemberMessage: {
    summary: "Write to a member of a team. It gets the message with its next turn, or its first.",
    group,
    params: member,
    body: z.strictObject({ text: MessageText }),
    response: z.strictObject({ message: TeamMessage }),
    status: 201,
  },
  getTeamReport: {
    summary: "What a team has done so far: what only you can judge, requirements with their proof, gates and cost.",
    group,
    params: byId,
    response: z.strictObject({ report: TeamReport, text: z.string() }),
  },
  cleanUpTeam: {
    summary: "Archive the folder of a team that has ended.",
    group,
    params: byId,
    response: team,
  },
} as const;
