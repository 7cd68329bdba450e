import type { Team } from "../../../contract/documents/teams/team.ts";
import { HallError } from "../../../contract/errors.ts";
import type { RouteBodyInput } from "../../../contract/routes/routes.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec, CommandSpec } from "../../command-spec.ts";
import { agrees, canConfirm } from "../../confirming.ts";
import type { Context } from "../../context.ts";
import { objectOrInput, textOrInput } from "../../input.ts";
import { yes } from "../../shared-options.ts";
import { assertOneAction, completeTeam } from "../../teams/team-completion.ts";
import { ofProject, teamArgument, teamIdOf } from "../../teams/team-reference.ts";
import { statusText, tasksOf } from "../../teams/team-text.ts";
import { oneLine } from "../../text/plain-text.ts";
import { count } from "../../text/text-card.ts";

const team = {
  kind: "one",
  help: "Team id, its first or last characters, or its name",
} as const satisfies ArgumentSpec;
const member = { kind: "one", help: "Member, such as head-lisbon" } as const satisfies ArgumentSpec;
const args = { team: teamArgument };
const options = { project: ofProject };

export const commands = {
  "team approve": command(
    {
      summary: "Approve the spec or the plan that a team waits with",
      detail: "--plan replaces the plan first: the file is the output of 'team plan --json', edited.",
      args,
      options: {
        ...options,
        remarks: { kind: "text", value: "TEXT", help: "Remarks for the lead" },
        plan: { kind: "text", value: "FILE", help: "Approve this plan instead ('-' reads standard input)" },
      },
      examples: [
        "team approve",
        'team approve 01m7p3 --remarks "Keep the API"',
        "team approve 01m7p3 --plan plan.json",
      ],
    },
    async ({ remarks, plan: file, ...input }, context) => {
      const plan = file === undefined ? undefined : await planIn(file, context);
      const params = { id: await teamIdOf(input, context) };
      const answer = await context.call("approvePlan", { params, body: { remarks, plan } });
      context.output.answer(answer, () => `Approved. ${standing(answer.team)}`);
      return 0;
    },
  ),

  "team reject": command(
    {
      summary: "Send the spec or the plan back to the lead, with remarks",
      args: { team, remarks: { kind: "rest", help: "What to change ('-' reads standard input)" } },
      options,
      examples: ['team reject 01m7p3 "Split the database task in two"'],
    },
    async ({ remarks: typed, ...input }, context) => {
      const remarks = await textOrInput(typed, context.host.input);
      if (remarks.trim() === "")
        throw new HallError("usage", "Missing remarks.", { hint: "Say what the lead should change." });
      const params = { id: await teamIdOf(input, context) };
      const answer = await context.call("rejectPlan", { params, body: { remarks } });
      context.output.answer(answer, () => `The lead revises it. ${standing(answer.team)}`);
      return 0;
    },
  ),

  "team pause": steered("pauseTeam", {
    summary: "Start no new work; running agents finish",
    examples: ["team pause", "team pause 01m7p3"],
  }),

  "team resume": steered("resumeTeam", {
    summary: "Continue a paused team",
    examples: ["team resume", "team resume 01m7p3"],
  }),

  "team stop": command(
    {
      summary: "Stop a team and all its runs",
      detail: "Asks first on a terminal. The team's branch and folder are kept.",
      args,
      options: { ...options, yes },
      examples: ["team stop", "team stop 01m7p3 --yes"],
    },
    async ({ yes, ...input }, context) => {
      const { call, host, output } = context;
      const params = { id: await teamIdOf(input, context) };
      if (yes !== true && canConfirm(context)) {
        const { team } = await call("getTeam", { params });
        const left = tasksOf(team) - team.tasks.merged;
        const question = `Stop ${team.id} (${oneLine(team.name)}) with ${count(left, "unfinished task")}? [y/N] `;
        if (!agrees(await host.input.ask(question))) {
          output.note("Not stopped.");
          return 0;
        }
      }
      const answer = await call("stopTeam", { params });
      const { branch } = answer.team;
      output.answer(answer, () =>
        [standing(answer.team), ...(branch === undefined ? [] : [`Its work is kept on branch ${branch}.`])].join("\n"),
      );
      return 0;
    },
  ),

  "team model": command(
    {
      summary: "Give a member of a team another model",
      detail: "Takes effect from its next turn on.",
      args: { team, member, model: { kind: "one", help: "Model, as provider/model" } },
      options,
      examples: ["team model 01m7p3 head-lisbon anthropic/claude-opus-4-1"],
    },
    async ({ member: name, model, ...input }, context) => {
      const params = { id: await teamIdOf(input, context), name };
      const answer = await context.call("swapMemberModel", { params, body: { model } });
      context.output.answer(answer, () => `${oneLine(name)} uses ${oneLine(model)} from its next turn on.`);
      return 0;
    },
  ),

  "team stop-member": command(
    {
      summary: "Stop a member's run",
      detail: "Its task goes to another member.",
      args: { team, member },
      options,
      examples: ["team stop-member 01m7p3 head-lisbon"],
    },
    async ({ member: name, ...input }, context) => {
      const params = { id: await teamIdOf(input, context), name };
      const answer = await context.call("stopMember", { params });
      context.output.answer(answer, () => `Stopped ${oneLine(name)}.`);
      return 0;
    },
  ),

  "team cleanup": steered(
    "cleanUpTeam",
    { summary: "Archive the folder of a team that has ended", examples: ["team cleanup 01m7p3"] },
    ({ id }) => `Archived ${id}.`,
  ),

  "team complete": command(
    {
      summary: "Archive, keep or export a team that has ended",
      detail:
        "Pass one of the options. --export writes what 'team export' writes, then archives; a team that can't be exported is kept.",
      args,
      options: {
        ...options,
        archive: { kind: "flag", help: "Archive its folder" },
        keep: { kind: "flag", help: "Leave its folder where it is" },
        export: { kind: "text", value: "DIR", help: "Write its documents to DIR, then archive its folder" },
      },
      examples: ["team complete 01m7p3 --archive", "team complete 01m7p3 --export audit"],
    },
    async ({ archive, keep, export: folder, ...input }, context) => {
      const chosen = { archive, keep, export: folder };
      assertOneAction(chosen);
      const answer = await completeTeam(await teamIdOf(input, context), chosen, context.call);
      const { id } = answer.team;
      context.output.answer(answer, () => {
        if (answer.action === "keep") return `Kept ${id}.`;
        if (answer.action === "archive") return `Archived ${id}.`;
        return `Wrote ${count(answer.files?.length ?? 0, "file")} to ${oneLine(answer.folder ?? "")} and archived ${id}.`;
      });
      return 0;
    },
  ),

  "team budget": command(
    {
      summary: "Change what a team may spend",
      detail: "Runs that wait for money continue as soon as the new budget allows.",
      args: { team, amount: { kind: "one", help: "US dollars for all calls of the team, or none for no limit" } },
      options,
      examples: ["team budget 01m7p3 10", "team budget 01m7p3 none"],
    },
    async ({ amount, ...input }, context) => {
      const body = { budgetUsd: amountIn(amount) };
      const answer = await context.call("updateTeamBudget", { params: { id: await teamIdOf(input, context) }, body });
      context.output.answer(answer, () => `Budget changed. ${standing(answer.team)}`);
      return 0;
    },
  ),
};

/** One word to a whole team, and where it stands then. */
function steered(
  endpoint: "pauseTeam" | "resumeTeam" | "cleanUpTeam",
  about: Pick<CommandSpec, "summary" | "examples">,
  text: (of: Team) => string = standing,
) {
  return command({ ...about, args, options }, async (input, context) => {
    const answer = await context.call(endpoint, { params: { id: await teamIdOf(input, context) } });
    context.output.answer(answer, () => text(answer.team));
    return 0;
  });
}

function amountIn(text: string): number | null {
  if (text.toLowerCase() === "none") return null;
  const amount = Number(text.replace(/^\$/, ""));
  if (text.trim() !== "" && Number.isFinite(amount) && amount > 0) return amount;
  throw new HallError("usage", `'${text}' is no amount.`, { hint: "Pass US dollars, such as 10 or 2.50, or none." });
}

type Plan = RouteBodyInput<"approvePlan">["plan"];

/** The daemon says what is wrong with it; both `{plan: …}` and the plan itself will do. */
async function planIn(file: string, { host }: Context): Promise<Plan> {
  const read = await objectOrInput(file, host.input);
  return (read.plan ?? read) as Plan;
}

function standing(of: Team): string {
  return `${of.id} (${oneLine(of.name)}): ${statusText(of)}.`;
}
