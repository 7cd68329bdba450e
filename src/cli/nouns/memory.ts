import { HallError } from "../../contract/errors.ts";
import type { MemoryFile } from "../../contract/routes/memory-routes.ts";
import { command } from "../command.ts";
import type { OptionSpec } from "../command-spec.ts";
import { type Context, chosenProject } from "../context.ts";
import { fileOrInput } from "../input.ts";
import { ifMatch, yes } from "../shared-options.ts";
import { manyLines, oneLine } from "../text/plain-text.ts";
import { localTime } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

const COLUMNS: Column<MemoryFile>[] = [
  { title: "FILE", text: ({ path }) => path, style: () => "bold" },
  { title: "UPDATED", text: ({ updatedAt }) => localTime(updatedAt), spare: 1 },
  { title: "BYTES", text: ({ size }) => String(size), spare: 2 },
  { title: "SUMMARY", text: ({ summary = "" }) => oneLine(summary), flexible: true },
];

const whose = {
  project: {
    kind: "text",
    short: "p",
    value: "PROJECT",
    help: "Project memory (default: $GUILDHALL_PROJECT or the main agent's memory)",
  },
  main: { kind: "flag", help: "The main agent's memory; ignores GUILDHALL_PROJECT" },
} as const satisfies Record<string, OptionSpec>;

const file = { kind: "one", help: "Memory file: facts/<name>.md or episodes/YYYY-MM.md" } as const;

export const commands = {
  "memory list": command(
    {
      summary: "List memory files with their summaries",
      options: whose,
      examples: ["memory list -p shop", "memory list --json"],
    },
    async (input, context) => {
      const { call, output } = context;
      const id = projectOf(input, context);
      const answer = id === undefined ? await call("listMainMemory", {}) : await call("listMemory", { params: { id } });
      output.answer(answer, () => {
        if (answer.files.length > 0) return textTable(COLUMNS, answer.files, output);
        const [whose, how] = id === undefined ? ["The main agent has", ""] : [`Agents of ${id} have`, ` -p ${id}`];
        return `${whose} no memory yet. Add a fact with: ${output.calledAs} memory write facts/NAME.md${how} --file FILE`;
      });
      return 0;
    },
  ),

  "memory show": command(
    {
      summary: "Show a memory file",
      args: { path: file },
      options: whose,
      examples: ["memory show facts/door.md -p shop", "memory show episodes/2026-11.md"],
    },
    async (input, context) => {
      const { call, output } = context;
      const id = projectOf(input, context);
      const query = { path: input.path };
      const answer =
        id === undefined
          ? await call("readMainMemory", { query })
          : await call("readMemory", { params: { id }, query });
      const { file } = answer;
      const shown = () =>
        [
          output.paint("dim", `${file.path} · ${localTime(file.updatedAt)} · etag ${file.etag}`),
          manyLines(file.content).trimEnd(),
        ].join("\n");
      output.answer(answer, shown);
      return 0;
    },
  ),

  "memory write": command(
    {
      summary: "Write a memory file",
      detail:
        "A fact is at most 15 KB and has a line '> Summary: …', created from its first words if missing. " +
        "--if-match keeps you from overwriting what an agent wrote since you read the file.",
      args: { path: file },
      options: {
        ...whose,
        file: { kind: "text", value: "FILE", help: "File to read the text from; '-' is standard input (required)" },
        ifMatch,
      },
      examples: [
        "memory write facts/door.md -p shop --file door.md",
        "memory write facts/user.md --main --file - < user.md",
      ],
    },
    async (input, context) => {
      const { call, host, output } = context;
      const id = projectOf(input, context);
      const { path, file: source, ifMatch } = input;
      if (source === undefined)
        throw new HallError("usage", "Missing text.", { hint: "Pass --file FILE, or '-' for standard input." });
      const body = { path, content: await fileOrInput(source, host.input) };
      const answer =
        id === undefined
          ? await call("writeMainMemory", { body, ifMatch })
          : await call("writeMemory", { params: { id }, body, ifMatch });
      const { file } = answer;
      output.answer(
        answer,
        () => `Wrote ${file.path}.${file.summary === undefined ? "" : ` Summary: ${oneLine(file.summary)}`}`,
      );
      return 0;
    },
  ),

  "memory remove": command(
    {
      summary: "Move a memory file to the trash",
      args: { path: file },
      options: { ...whose, ifMatch, yes },
      examples: ["memory remove facts/door.md -p shop", "memory remove facts/user.md --main --yes"],
    },
    async (input, context) => {
      const { call, host, output } = context;
      const id = projectOf(input, context);
      const { path, ifMatch, yes } = input;
      if (
        yes !== true &&
        host.input.canAsk &&
        !/^y(es)?$/i.test((await host.input.ask(`Move ${path} to the trash? [y/N] `)).trim())
      ) {
        output.note("No changes made.");
        return 0;
      }
      const query = { path };
      const answer =
        id === undefined
          ? await call("removeMainMemory", { query, ifMatch })
          : await call("removeMemory", { params: { id }, query, ifMatch });
      output.answer(answer, () => `${oneLine(path)} moved to the trash: ${oneLine(answer.trash)}`);
      return 0;
    },
  ),
};

interface Whose {
  project?: string | undefined;
  main?: boolean | undefined;
}

/** undefined: the main agent's. */
function projectOf({ project, main }: Whose, context: Context): string | undefined {
  if (main === true && project !== undefined)
    throw new HallError("usage", "Both a project and --main were given.", {
      hint: "Pass either -p PROJECT or --main.",
    });
  return main === true ? undefined : chosenProject(project, context);
}
