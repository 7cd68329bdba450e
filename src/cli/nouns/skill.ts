import type { Skill, SkillSummary } from "../../contract/documents/skill.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { command } from "../command.ts";
import type { ArgumentSpec, OptionSpec } from "../command-spec.ts";
import { chosenProject } from "../context.ts";
import { project } from "../shared-options.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { fieldLines, proseLines } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const MOST_FILES = 50;
const SHORT_HASH = 12;

const skill = { kind: "one", help: "Skill name" } as const satisfies ArgumentSpec;

const ofProject = {
  ...project,
  help: "Include this project's packs (default: $GUILDHALL_PROJECT or workspace packs only)",
} as const satisfies OptionSpec;

export const commands = {
  "skill list": command(
    {
      summary: "List skill packs, including invalid ones",
      options: { project: ofProject },
      examples: ["skill list", "skill list -p shop --json"],
    },
    async ({ project }, context) => {
      const { call, output } = context;
      const chosen = chosenProject(project, context);
      const answer = await call("listSkills", { query: { project: chosen } });
      output.answer(answer, () => {
        const empty = `No skills found. A skill is a folder with a SKILL.md file. Put it in 'skills' in the workspace${chosen === undefined ? ", or in 'skills' of a project (-p)" : ` or the project, or in '.agents/skills' in its working folder`}.`;
        const list = answer.skills.length === 0 ? empty : textTable(columns, answer.skills, output);
        return [list, ...answer.problems.map((problem) => problemLine(problem, output.paint))].join("\n");
      });
      return 0;
    },
  ),

  "skill show": command(
    {
      summary: "Show a skill pack: its text, files and changes",
      args: { skill },
      options: { project: ofProject },
      examples: ["skill show deploy", "skill show lint -p shop"],
    },
    async ({ skill: slug, project }, context) => {
      const { call, output } = context;
      const answer = await call("getSkill", { params: { slug }, query: { project: chosenProject(project, context) } });
      const { skill } = answer;
      const files = skill.files.slice(0, MOST_FILES).map(({ path, size }) => `${path} (${size} bytes)`);
      const more = skill.files.length > MOST_FILES ? [`… and ${skill.files.length - MOST_FILES} more`] : [];
      const shown = () =>
        [
          output.paint("bold", oneLine(skill.slug)),
          ...fieldLines(
            [
              ["state", stateText(skill)],
              ["since accepted", changesText(skill)],
              ["path", skill.path],
              ["hash", skill.hash],
              ["arguments", skill.argumentHint],
              ["license", skill.license],
              ["needs", skill.compatibility],
              ["requests (not granted)", skill.allowedTools.join(", ")],
              ["files", [...files, ...more].join(", ")],
            ],
            output.paint,
          ),
          ...proseLines("Description", everySign(skill.description), output),
          ...proseLines("Text", everySign(skill.body), output),
        ].join("\n");
      output.answer(answer, shown);
      return 0;
    },
  ),

  "skill accept": command(
    {
      summary: "Accept the current version of a skill pack",
      detail:
        "Agents don't use a pack from a working folder until you accept it, or after any of its files changed. " +
        "Workspace and project packs are used immediately; accepting them records what you have seen.",
      args: { skill },
      options: {
        project: ofProject,
        hash: { kind: "text", value: "HASH", help: "Accept only if the pack has this hash (see 'skill show')" },
      },
      examples: ["skill accept lint -p shop", "skill accept deploy --hash 3f2a…"],
    },
    async ({ skill: slug, project, hash }, context) => {
      const { call, output } = context;
      const query = { project: chosenProject(project, context) };
      const seen = hash ?? (await call("getSkill", { params: { slug }, query })).skill.hash;
      const answer = await call("acceptSkill", { params: { slug }, query, body: { hash: seen } });
      output.answer(answer, () => `Accepted skill ${slug} (${answer.skill.path}, hash ${seen.slice(0, SHORT_HASH)}…).`);
      return 0;
    },
  ),
};

const columns: Column<SkillSummary>[] = [
  { title: "SKILL", text: ({ slug }) => slug, style: () => "bold" },
  {
    title: "STATE",
    text: stateText,
    style: ({ state }) => (state === "changed" ? "yellow" : undefined),
  },
  { title: "FROM", text: ({ origin }) => origin, spare: 1 },
  { title: "DESCRIPTION", text: ({ description }) => description, flexible: true },
];

function stateText({ state, usable }: SkillSummary): string {
  if (!usable) return `${state}, not used`;
  // What lies in the workspace need not be accepted.
  return state === "new" ? "in use" : state === "changed" ? "changed, in use" : state;
}

function changesText({ changes }: Skill): string | undefined {
  if (changes === undefined) return undefined;
  const texts = Object.entries(changes).flatMap(([how, paths]) =>
    paths.length === 0 ? [] : [`${how}: ${paths.slice(0, MOST_FILES).map(oneLine).join(", ")}`],
  );
  return texts.join("; ");
}

type SkillProblem = RouteResponse<"listSkills">["problems"][number];

function problemLine({ file, line, reason }: SkillProblem, paint: (style: "red", text: string) => string): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${paint("red", "invalid:")} ${oneLine(place)}  ${oneLine(reason)}`;
}
