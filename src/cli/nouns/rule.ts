import type { AnswerRule } from "../../contract/documents/answer-rule.ts";
import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";
import type { OptionSpec } from "../command-spec.ts";
import { type Context, chosenProject } from "../context.ts";
import { project } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { type Column, textTable } from "../text/text-table.ts";

const rule = { kind: "one", help: "Rule id, such as rule-001" } as const;
const answer = { kind: "text", value: "TEXT", help: "The answer that agents get" } as const satisfies OptionSpec;
const label = { kind: "text", value: "TEXT", help: "Short label of the answer" } as const satisfies OptionSpec;
const hall = { kind: "flag", help: "For all projects; ignores GUILDHALL_PROJECT" } as const satisfies OptionSpec;

export const commands = {
  "rule list": command(
    {
      summary: "List the questions that are always answered the same way",
      options: {
        project: { ...project, help: "Rules that apply to this project (default: $GUILDHALL_PROJECT or all)" },
      },
      examples: ["rule list", "rule list -p shop --json"],
    },
    async ({ project }, context) => {
      const { call, output } = context;
      const answer = await call("listAnswerRules", { query: { project: chosenProject(project, context) } });
      output.answer(answer, () =>
        answer.rules.length === 0
          ? `No answer rules. Add one with '${output.calledAs} rule add QUESTION --answer TEXT'.`
          : textTable(columns, answer.rules, output),
      );
      return 0;
    },
  ),

  "rule add": command(
    {
      summary: "Always answer a question the same way",
      detail:
        "Agents that ask the same question, also in other words, get this answer. A rule comes before earlier answers.",
      args: { question: { kind: "rest", help: "The question, in one sentence" } },
      options: {
        answer,
        label,
        project: { ...project, help: "Project it applies to (default: $GUILDHALL_PROJECT or all projects)" },
        hall,
      },
      examples: [
        "rule add 'May we deploy on Fridays?' --answer 'No.' -p shop",
        "rule add 'Which license do new files get?' --answer 'MIT.' --hall",
      ],
    },
    async ({ question, answer: resolution, label, ...place }, context) => {
      const { call, output } = context;
      if (resolution === undefined) throw new HallError("usage", "Missing answer.", { hint: "Pass it with --answer." });
      const projectId = projectOf(place, context);
      const scope = projectId === undefined ? ("hall" as const) : ("project" as const);
      const answer = await call("createAnswerRule", {
        body: { question, resolution, answer: label, scope, projectId },
      });
      output.answer(answer, () => `Added: ${answer.rule.id} for ${placeText(answer.rule)}.`);
      return 0;
    },
  ),

  "rule edit": command(
    {
      summary: "Change a rule's answer or question",
      args: { rule },
      options: { answer, label, question: { kind: "text", value: "TEXT", help: "The question, in one sentence" } },
      examples: ["rule edit rule-001 --answer 'Only before noon.'"],
    },
    async ({ rule: id, answer: resolution, label, question }, context) => {
      const { call, output } = context;
      if ([resolution, label, question].every((text) => text === undefined))
        throw new HallError("usage", "Nothing to change.", { hint: "Pass --answer, --label or --question." });
      const answer = await call("updateAnswerRule", { params: { id }, body: { resolution, answer: label, question } });
      output.answer(answer, () => `Updated: ${answer.rule.id}.`);
      return 0;
    },
  ),

  "rule remove": command(
    { summary: "Remove a rule", args: { rule }, examples: ["rule remove rule-001"] },
    async ({ rule: id }, context) => {
      const { call, output } = context;
      const answer = await call("removeAnswerRule", { params: { id } });
      output.answer(answer, () => `Removed: ${id}. Answers that it already gave stay as they are.`);
      return 0;
    },
  ),
};

function projectOf({ project, hall }: { project?: string | undefined; hall?: boolean | undefined }, context: Context) {
  if (hall !== true) return chosenProject(project, context);
  if (project === undefined) return undefined;
  throw new HallError("usage", "--hall and -p can't be combined.");
}

function placeText({ projectId }: AnswerRule): string {
  return projectId === undefined ? "all projects" : `project '${projectId}'`;
}

const columns: Column<AnswerRule>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "PROJECT", text: ({ projectId }) => projectId ?? "(all)", spare: 2 },
  { title: "QUESTION", text: ({ question }) => oneLine(question), flexible: true },
  { title: "ANSWER", text: ({ answer, resolution }) => oneLine(answer ?? resolution), flexible: true },
  { title: "FROM", text: ({ from }) => from ?? "", spare: 3 },
];
