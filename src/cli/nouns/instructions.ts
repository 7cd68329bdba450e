import type { Instruction } from "../../contract/documents/instruction.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import { type Context, requiredProject } from "../context.ts";
import { project } from "../shared-options.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { fieldLines, proseLines } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const SHORT_HASH = 12;
const STATES: Record<Instruction["state"], string> = {
  new: "new, not in use",
  accepted: "accepted",
  changed: "changed, accepted version in use",
};

export const commands = {
  "instructions list": command(
    {
      summary: "List the AGENTS.md and CLAUDE.md files of a project and whether they are accepted",
      options: { project },
      examples: ["instructions list -p shop", "instructions list -p shop --json"],
    },
    async ({ project }, context) => {
      const { call, output } = context;
      const answer = await call("listInstructions", { params: { id: requiredProject(project, context) } });
      output.answer(answer, () =>
        answer.instructions.length === 0
          ? "No AGENTS.md or CLAUDE.md applies to the working folder."
          : textTable(columns, answer.instructions, output),
      );
      return 0;
    },
  ),

  "instructions show": command(
    {
      summary: "Show an instructions file and what changed since you accepted it",
      args: { path: { kind: "one", help: "Path, as shown by 'instructions list'" } },
      options: { project },
      examples: ["instructions show AGENTS.md -p shop"],
    },
    async ({ path, project }, context) => {
      const { output } = context;
      const instruction = await found(path, requiredProject(project, context), context);
      const { state, hash, text, acceptedText } = instruction;
      output.answer({ instruction }, () =>
        [
          output.paint("bold", oneLine(path)),
          ...fieldLines(
            [
              ["state", STATES[state]],
              ["hash", hash],
            ],
            output.paint,
          ),
          ...proseLines("Accepted text", acceptedText && everySign(acceptedText), output),
          ...proseLines("Text", everySign(text), output),
        ].join("\n"),
      );
      return 0;
    },
  ),

  "instructions accept": command(
    {
      summary: "Accept the current version of an instructions file",
      detail:
        "Agents follow the version you accepted last. Files that existed when you set the working folder, changes you approved with a " +
        "run, and your own commits on the target branch are accepted automatically.",
      args: { path: { kind: "one", help: "Path, as shown by 'instructions list'" } },
      options: {
        project,
        hash: { kind: "text", value: "HASH", help: "Accept only if the file has this hash (see 'instructions show')" },
      },
      examples: ["instructions accept AGENTS.md -p shop"],
    },
    async ({ path, project, hash }, context) => {
      const { call, output } = context;
      const id = requiredProject(project, context);
      const seen = hash ?? (await found(path, id, context)).hash;
      const answer = await call("acceptInstructions", { params: { id }, body: { path, hash: seen } });
      output.answer(answer, () => `Accepted ${oneLine(path)} (hash ${seen.slice(0, SHORT_HASH)}…).`);
      return 0;
    },
  ),
};

async function found(path: string, id: string, { call }: Context): Promise<Instruction> {
  const { instructions } = await call("listInstructions", { params: { id } });
  const instruction = instructions.find((one) => one.path === path);
  if (instruction !== undefined) return instruction;
  throw new HallError("file_not_found", `No instructions file '${oneLine(path)}' in project '${id}'.`, {
    hint: hint("instructions-list", { project: id }),
  });
}

const columns: Column<Instruction>[] = [
  { title: "FILE", text: ({ path }) => path, style: () => "bold" },
  {
    title: "STATE",
    text: ({ state }) => STATES[state],
    style: ({ state }) => (state === "accepted" ? undefined : "yellow"),
  },
];
