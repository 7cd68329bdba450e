import type { Team } from "../../../contract/documents/teams/team.ts";
import { HallError } from "../../../contract/errors.ts";
import type { RouteBodyInput, RouteQuery } from "../../../contract/routes/routes.ts";
import { MODEL_PRESETS } from "../../../contract/words/rank-names.ts";
import { AUTONOMY_MODES, type AutonomyMode } from "../../../contract/words/teams/autonomy-words.ts";
import { SDD_MODES, STRATEGIES, TEAM_APPROVALS, TEAM_STATUSES } from "../../../contract/words/teams/team-words.ts";
import { command } from "../../command.ts";
import { type Context, chosenProject, requiredProject } from "../../context.ts";
import { commandFor } from "../../http/connection.ts";
import { moreLines, readPages } from "../../http/paging.ts";
import { textOrInput } from "../../input.ts";
import { taskId } from "../../references.ts";
import { onlyProject, paging, project } from "../../shared-options.ts";
import { lessonLines } from "../../teams/lesson-text.ts";
import { readSessionFolder } from "../../teams/session-reading.ts";
import { followTeam } from "../../teams/team-follow.ts";
import { ofProject, teamArgument, teamIdOf } from "../../teams/team-reference.ts";
import { statusText, teamCard, teamColumns } from "../../teams/team-text.ts";
import { oneLine } from "../../text/plain-text.ts";
import { textTable } from "../../text/text-table.ts";

const NOT_COMPLETED = 1;
type Body = RouteBodyInput<"createTeam">;

export const commands = {
  "team start": command(
    {
      summary: "Start a team on a goal",
      detail:
        "A lead writes a spec and a plan, members do the tasks on a branch of the team, gates judge each result and the whole, " +
        "and the branch is merged or waits for your review. By default the team waits for your approval of its plan. " +
        "With --watch, follows the team like 'team watch'.",
      args: { goal: { kind: "maybe-rest", help: "Goal ('-' reads standard input; instead of --task)" } },
      options: {
        project,
        task: { kind: "text", value: "TASK", help: "Use an existing task as the goal (TASK-007 or 7)" },
        name: { kind: "text", value: "NAME", help: "Name of the team (default: from the goal)" },
        strategy: {
          kind: "text",
          value: "STRATEGY",
          help: "One worker, heads, or heads with workers (default: decided by the plan)",
          words: STRATEGIES,
        },
        preset: { kind: "text", value: "PRESET", help: "Model preset", words: MODEL_PRESETS },
        approval: {
          kind: "text",
          value: "WHAT",
          help: "What you approve before work starts (default: plan)",
          words: TEAM_APPROVALS,
        },
        autonomy: {
          kind: "text",
          value: "MODE",
          help: "Work without asking you for approval (default: agentTeams.yolo.mode)",
          words: AUTONOMY_MODES,
        },
        budget: { kind: "number", value: "USD", help: "Budget of the team (default: agentTeams.costCapUsd)" },
        sdd: { kind: "text", value: "MODE", help: "How detailed the spec is (default: auto)", words: SDD_MODES },
        base: { kind: "text", value: "BRANCH", help: "Branch to start from and merge into" },
        watch: { kind: "flag", short: "w", help: "Watch the team until it ends" },
      },
      examples: [
        'team start -p shop "Add password reset by email"',
        'team start -p shop "Fix the rounding of totals" --sdd bugfix --budget 2 --watch',
        "team start -p shop --task 12 --approval spec-and-plan",
        'team start -p shop "Translate the help pages" --autonomy smart --budget 3',
      ],
    },
    async ({ goal: typed, project, task, name, budget, base, watch, autonomy: mode, ...choice }, context) => {
      const id = requiredProject(project, context);
      const body: Body = {
        ...(await goalOf({ typed, task, id }, context)),
        name,
        strategy: choice.strategy as Body["strategy"],
        preset: choice.preset as Body["preset"],
        approval: choice.approval as Body["approval"],
        sdd: choice.sdd as Body["sdd"],
        budgetUsd: budget,
        baseBranch: base,
        autonomy: mode === undefined ? undefined : { mode: mode as AutonomyMode },
      };
      const { team } = await context.call("createTeam", { params: { id }, body });
      return started(team, watch, context);
    },
  ),

  "team executor": command(
    {
      summary: "Start a team that carries out the plan of a session folder",
      detail:
        "The folder has team.json, spec.md, plan.json and role-specs/, as 'team export' writes them. Parts that are missing or broken " +
        "are all named, and nothing is repaired. No lead writes a spec or a plan, and you are not asked for approval of it.",
      args: { folder: { kind: "one", help: "Session folder" } },
      options: {
        project,
        budget: { kind: "number", value: "USD", help: "Budget of the team (default: agentTeams.costCapUsd)" },
        base: { kind: "text", value: "BRANCH", help: "Branch to start from and merge into" },
        watch: { kind: "flag", short: "w", help: "Watch the team until it ends" },
      },
      examples: ["team executor -p shop ./handover", "team executor -p shop ./handover --budget 2 --watch"],
    },
    async ({ folder, project, budget: budgetUsd, base: baseBranch, watch }, context) => {
      const id = requiredProject(project, context);
      const body = { ...readSessionFolder(folder), budgetUsd, baseBranch };
      const { team } = await context.call("importTeam", { params: { id }, body });
      return started(team, watch, context);
    },
  ),

  "team list": command(
    {
      summary: "List teams, newest first",
      options: {
        project: onlyProject,
        status: {
          kind: "text",
          short: "s",
          value: "STATUS",
          help: "Filter by status",
          words: [...TEAM_STATUSES, "active"],
        },
        ...paging,
      },
      examples: ["team list", "team list -p shop --status active"],
    },
    async ({ project, status, ...paging }, context) => {
      const { call, output } = context;
      const filter = {
        project: chosenProject(project, context),
        status: status as RouteQuery<"listTeams">["status"],
      };
      const answer = await readPages(
        paging,
        (page) => call("listTeams", { query: { ...page, ...filter } }),
        (before, next) => ({ ...next, teams: before.teams.concat(next.teams) }),
      );
      output.answer(answer, () => {
        const none =
          status === undefined
            ? `No teams yet. Start one: ${output.calledAs} team start -p ${filter.project ?? "PROJECT"} "GOAL"`
            : "No teams match these filters.";
        const list = answer.teams.length === 0 ? none : textTable(teamColumns, answer.teams, output);
        return [list, ...moreLines(answer.nextCursor)].join("\n");
      });
      return 0;
    },
  ),

  "team show": command(
    {
      summary: "Show a team: status, members, cost, what it waits for, and what past teams taught it",
      args: { team: teamArgument },
      options: { project: ofProject },
      examples: ["team show", "team show 01m7p3", 'team show "Password reset"'],
    },
    async (input, context) => {
      const { call, output } = context;
      const params = { id: await teamIdOf(input, context) };
      const { lessons } = await call("getTeamLessons", { params });
      const { team } = await call("getTeam", { params });
      output.answer({ team, lessons }, () => [teamCard(team, output), "", ...lessonLines(lessons, output)].join("\n"));
      return 0;
    },
  ),

  "team watch": command(
    {
      summary: "Watch a team until it ends",
      detail:
        "On a terminal, shows what everyone does and what happens; in a pipe, one line per activity. " +
        "Ctrl-C stops watching; the team continues. Exits with 1 if the team does not complete. " +
        "With --json, each activity and each change of status is one line.",
      args: { team: teamArgument },
      options: { project: ofProject },
      examples: ["team watch", "team watch 01m7p3 --json"],
    },
    async (input, context) => watched(await teamIdOf(input, context), context),
  ),
};

async function started(team: Team, watch: boolean | undefined, context: Context): Promise<number> {
  const { id, name } = team;
  if (watch === true) return watched(id, context);
  const { output, workspace, host } = context;
  output.answer({ team }, () =>
    [`Started ${id}: ${oneLine(name)}`, `Watch with: ${commandFor(`team watch ${id}`, workspace, host)}`].join("\n"),
  );
  return 0;
}

async function watched(id: string, context: Context): Promise<number> {
  const { output } = context;
  const team = await followTeam(id, context);
  if (!output.json)
    output.row(team, () =>
      [
        `${team.id}: ${statusText(team)}${team.reason === undefined ? "" : `: ${oneLine(team.reason)}`}`,
        `Report: ${commandFor(`team report ${team.id}`, context.workspace, context.host)}`,
      ].join("\n"),
    );
  return team.status === "completed" ? 0 : NOT_COMPLETED;
}

/** The goal as typed, or the title of the task that is the goal. */
async function goalOf(
  { typed, task, id }: { typed: string; task: string | undefined; id: string },
  { call, host }: Context,
): Promise<Pick<Body, "goal" | "taskId">> {
  const goal = await textOrInput(typed, host.input);
  if (task === undefined) {
    if (goal.trim() !== "") return { goal };
    throw new HallError("usage", "Missing goal.", { hint: "Pass the goal, or --task TASK." });
  }
  if (goal.trim() !== "") return { goal, taskId: taskId(task) };
  const found = (await call("getTask", { params: { id, taskId: taskId(task) } })).task;
  const { title, description } = found;
  return { goal: [title, description].filter((part) => part.trim() !== "").join("\n\n"), taskId: found.id };
}
