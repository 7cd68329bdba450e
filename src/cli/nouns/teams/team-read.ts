import type { MemberGate } from "../../../contract/documents/teams/team-lessons.ts";
import type { PlannedTask } from "../../../contract/documents/teams/team-plan.ts";
import { GATE_VERDICT_WORDS, STAGE_TABLE } from "../../../contract/words/gate-words.ts";
import { command } from "../../command.ts";
import { fileOrInput } from "../../input.ts";
import { kindLines } from "../../teams/lesson-text.ts";
import { exportTeam } from "../../teams/team-export.ts";
import { healthText } from "../../teams/team-health-text.ts";
import { ofProject, teamArgument, teamIdOf } from "../../teams/team-reference.ts";
import { activityLine, criterionColumns, teamTaskColumns } from "../../teams/team-text.ts";
import { manyLines, oneLine } from "../../text/plain-text.ts";
import { count } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const args = { team: teamArgument };
const options = { project: ofProject };

export const commands = {
  "team tasks": command(
    {
      summary: "List the tasks of a team",
      args,
      options,
      examples: ["team tasks", "team tasks 01m7p3 --json"],
    },
    async (input, context) => {
      const { call, output } = context;
      const answer = await call("listTeamTasks", { params: { id: await teamIdOf(input, context) } });
      output.answer(answer, () =>
        answer.tasks.length === 0
          ? "No tasks yet: the plan isn't approved."
          : textTable(teamTaskColumns, answer.tasks, output),
      );
      return 0;
    },
  ),

  "team activity": command(
    {
      summary: "Show what happened in a team",
      detail: "With --json, each activity is one line.",
      args,
      options: { ...options, lines: { kind: "number", short: "n", value: "N", help: "Show only the last N" } },
      examples: ["team activity", "team activity -n 50"],
    },
    async ({ lines, ...input }, context) => {
      const { call, output } = context;
      const { activity } = await call("listTeamActivity", {
        params: { id: await teamIdOf(input, context) },
        query: { limit: lines },
      });
      for (const each of activity) output.row(each, () => activityLine(each, output));
      if (activity.length === 0 && !output.json) output.row([], () => "No activity yet.");
      return 0;
    },
  ),

  "team spec": command(
    {
      summary: "Show the spec of a team, or replace it",
      detail:
        "Shows each acceptance criterion with its state. --set replaces the text and says what changes for the tasks.",
      args,
      options: {
        ...options,
        set: { kind: "text", value: "FILE", help: "Replace the spec with this file ('-' reads standard input)" },
      },
      examples: ["team spec", "team spec 01m7p3 --set spec.md"],
    },
    async ({ set, ...input }, context) => {
      const { call, output, host } = context;
      const params = { id: await teamIdOf(input, context) };
      if (set === undefined) {
        const answer = await call("getTeamSpec", { params });
        output.answer(answer, () =>
          [manyLines(answer.text).trimEnd(), "", textTable(criterionColumns, answer.criteria, output)].join("\n"),
        );
        return 0;
      }
      const answer = await call("updateTeamSpec", { params, body: { text: await fileOrInput(set, host.input) } });
      output.answer(answer, () =>
        answer.changed.length === 0
          ? "Nothing changed."
          : ["Updated the spec.", ...answer.changed.map((line) => `  ${oneLine(line)}`)].join("\n"),
      );
      return 0;
    },
  ),

  "team check": command(
    {
      summary: "Check the health of a team's members",
      detail:
        "Shows who is active, waiting or stuck, and what was done about each issue. Exits with 1 if an issue persists.",
      args,
      options,
      examples: ["team check", "team check 01m7p3 --json"],
    },
    async (input, context) => {
      const { call, output } = context;
      const answer = await call("getTeamHealth", { params: { id: await teamIdOf(input, context) } });
      output.answer(answer, () => healthText(answer.members, output));
      return answer.members.some(({ open }) => open.length > 0) ? 1 : 0;
    },
  ),

  "team lint": command(
    {
      summary: "Check the role-specs of a team",
      detail: "Shows each fault with its line and rule. Exits with 1 if there are errors.",
      args,
      options,
      examples: ["team lint", "team lint 01m7p3 --json"],
    },
    async (input, context) => {
      const { call, output } = context;
      const { roleSpecs } = await call("listRoleSpecs", { params: { id: await teamIdOf(input, context) } });
      const faults = roleSpecs.flatMap(({ name, faults: found }) => found.map((fault) => ({ name, ...fault })));
      output.answer({ faults }, () =>
        faults.length === 0
          ? `${count(roleSpecs.length, "role-spec")}, no faults.`
          : faults
              .map(({ name, line, severity, rule, message }) =>
                oneLine(`${name}.md:${line}: ${severity}: ${rule}: ${message}`),
              )
              .join("\n"),
      );
      return faults.some(({ severity }) => severity === "error") ? 1 : 0;
    },
  ),

  "team plan": command(
    {
      summary: "Show the plan of a team: phases, tasks and strategy",
      detail: "To change the plan, save it with --json, edit it, and pass it to 'team approve --plan'.",
      args,
      options,
      examples: ["team plan", "team plan 01m7p3 --json"],
    },
    async (input, context) => {
      const { call, output } = context;
      const params = { id: await teamIdOf(input, context) };
      const answer = await call("getTeamPlan", { params });
      // Only for people: what is saved with --json is the plan.
      const kinds = output.json ? [] : kindLines((await call("getTeamLessons", { params })).lessons);
      output.answer(answer, () => {
        const { plan, strategy, approvedBy } = answer;
        const parts = plan.phases.map(({ id, name }) =>
          [
            output.paint("bold", oneLine(name)),
            textTable(
              planColumns,
              plan.tasks.filter(({ phase }) => phase === id),
              output,
            ),
          ].join("\n"),
        );
        return [
          `${count(plan.tasks.length, "task")} in ${count(plan.phases.length, "phase")}${approvedBy === undefined ? "" : `, approved by ${oneLine(approvedBy)}`}`,
          ...(strategy === undefined ? [] : [`Strategy ${strategy.value}: ${oneLine(strategy.because)}`]),
          ...kinds.map((kind) => `Project: ${kind}`),
          "",
          parts.join("\n\n"),
        ].join("\n");
      });
      return 0;
    },
  ),

  "team gates": command(
    {
      summary: "List the gate reports of a team by member",
      args,
      options: { ...options, member: { kind: "text", short: "m", value: "MEMBER", help: "Only of this member" } },
      examples: ["team gates", "team gates 01m7p3 --member worker-lima"],
    },
    async ({ member, ...input }, context) => {
      const { call, output } = context;
      const params = { id: await teamIdOf(input, context) };
      const answer = await call("listTeamGates", { params, query: { member } });
      const none = member === undefined ? "No gate reports yet." : `No gate reports of ${oneLine(member)}.`;
      output.answer(answer, () => (answer.gates.length === 0 ? none : textTable(gateColumns, answer.gates, output)));
      return 0;
    },
  ),

  "team report": command(
    {
      summary: "Show the report of a team",
      detail:
        "Starts with what only you can judge, then the requirements with their proof, gates and cost. Available at any time.",
      args,
      options,
      examples: ["team report", "team report 01m7p3 --json"],
    },
    async (input, context) => {
      const { call, output } = context;
      const answer = await call("getTeamReport", { params: { id: await teamIdOf(input, context) } });
      output.answer(answer, () => manyLines(answer.text).trimEnd());
      return 0;
    },
  ),

  "team export": command(
    {
      summary: "Write the spec, coverage, plan, gate reports and report of a team to a folder",
      args,
      options: { ...options, to: { kind: "text", value: "DIR", help: "Folder (default: ./TEAM-ID)" } },
      examples: ["team export", "team export 01m7p3 --to audit"],
    },
    async ({ to, ...input }, context) => {
      const { call, output } = context;
      const id = await teamIdOf(input, context);
      const answer = await exportTeam(id, to ?? id, call);
      output.answer(answer, () =>
        [
          `Wrote ${count(answer.files.length, "file")} to ${oneLine(answer.folder)}:`,
          ...answer.files.map((file) => `  ${file}`),
        ].join("\n"),
      );
      return 0;
    },
  ),
};

const gateColumns: Column<MemberGate>[] = [
  { title: "MEMBER", text: ({ member }) => member, style: () => "bold" },
  { title: "TASK", text: ({ task }) => task },
  { title: "CYCLE", text: ({ cycle }) => String(cycle) },
  { title: "VERDICT", text: ({ verdict }) => (verdict === undefined ? "Running" : GATE_VERDICT_WORDS[verdict]) },
  { title: "SCORE", text: ({ score }) => String(score ?? "") },
  { title: "FAILED", text: failedStages, flexible: true, spare: 1 },
  { title: "GATE", text: ({ id }) => id, spare: 2 },
];

function failedStages({ stages }: MemberGate): string {
  return stages.flatMap(({ name, verdict }) => (verdict === "fail" ? STAGE_TABLE[name].label : [])).join(", ");
}

const planColumns: Column<PlannedTask>[] = [
  { title: "KEY", text: ({ key }) => key, style: () => "bold" },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
  { title: "DOMAIN", text: ({ domain }) => domain, spare: 2 },
  { title: "AFTER", text: ({ dependsOn }) => dependsOn.join(", "), spare: 1 },
  { title: "REQUIREMENTS", text: ({ requirements }) => requirements.join(", "), spare: 4 },
  { title: "FILES", text: ({ files }) => files.join(", "), flexible: true, spare: 3 },
];
