import type { RoleCreate, RoleUpdate } from "../../contract/documents/role.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { ArgumentSpec, OptionSpec } from "../command-spec.ts";
import type { Context } from "../context.ts";
import { fileOrInput, given, objectOrInput, requireChange, textOrInput } from "../input.ts";
import { ifMatch, type ModelInput, modelOverride, modelSettings } from "../shared-options.ts";
import { manyLines, oneLine } from "../text/plain-text.ts";

const role = { kind: "one", help: "the role's id" } as const satisfies ArgumentSpec;

const roleFields = {
  name: { kind: "text", value: "NAME", help: "what people call it" },
  emoji: { kind: "text", value: "EMOJI", help: "its sign" },
  description: { kind: "text", short: "d", value: "TEXT", help: "what it is for ('-' reads standard input)" },
  specialty: { kind: "list", value: "WORDS", help: "what it is good at, separated by commas" },
  ...modelSettings,
  skills: { kind: "list", value: "NAMES", help: "tools and skills it may use, separated by commas" },
  promptFile: { kind: "text", value: "FILE", help: "read the prompt template from this file ('-': standard input)" },
  variables: { kind: "list", value: "NAMES", help: "variables the prompt needs, separated by commas" },
  file: { kind: "text", value: "FILE", help: "read the role as JSON ('-': standard input); options win over it" },
} as const satisfies Record<string, OptionSpec>;

export const commands = {
  "role create": command(
    {
      summary: "create a role, from scratch or from a template",
      options: {
        template: { kind: "text", value: "TEMPLATE", help: "start from this built-in template" },
        id: { kind: "text", value: "ID", help: "its id (else made from the name)" },
        ...roleFields,
      },
      examples: [
        "role create --template coder --id backend --name 'Backend developer'",
        "role create --name Poet --emoji 🪶 --specialty verse,rhyme --prompt-file poet.md",
        "role create --file role.json",
      ],
    },
    async ({ template, id, ...fields }, context) => {
      const body: RoleCreate = { ...(await roleBody(fields, context)), ...defined({ template, id }) };
      if (Object.keys(body).length === 0) {
        throw new HallError("usage", "What role?", {
          hint: hint("role-create-help"),
        });
      }
      const answer = await context.call("createRole", { body });
      const { role } = answer;
      context.output.answer(answer, () => `Created the role ${role.id}: ${oneLine(`${role.emoji} ${role.name}`)}`);
      return 0;
    },
  ),

  "role edit": command(
    {
      summary: "change a role",
      detail: "Only what is given changes; a list given replaces the former one, and an empty one ('') empties it.",
      args: { role },
      options: { ...roleFields, ifMatch },
      examples: ["role edit backend --thinking high --skills read,write,exec"],
    },
    async ({ role: id, ifMatch, ...fields }, context) => {
      const body: RoleUpdate = await roleBody(fields, context);
      requireChange(body, "role edit");
      const answer = await context.call("updateRole", { params: { id }, body, ifMatch });
      context.output.answer(
        answer,
        () => `Changed the role ${answer.role.id}; it is at version ${answer.role.version} now.`,
      );
      return 0;
    },
  ),

  "role delete": command(
    {
      summary: "delete a role that no project has",
      args: { role },
      examples: ["role delete poet"],
    },
    async ({ role: id }, { call, output }) => {
      const answer = await call("deleteRole", { params: { id } });
      output.answer(answer, () => `Deleted the role ${id}.`);
      return 0;
    },
  ),

  /** Of a folder, a file that cannot be taken over does not keep the others from it. */
  "role import": command(
    {
      summary: "make roles from files of .claude/agents",
      detail:
        "Names of tools are translated; what has no counterpart is told. A tool that the file restricts is left out, and a file " +
        "without a list of tools gets 'read'. A role that is there already is left as it is, unless --replace is given.",
      args: { path: { kind: "one", help: "a file, a folder of such files, or '-' for standard input" } },
      options: {
        replace: { kind: "flag", help: "change a role that is there already" },
        id: { kind: "text", value: "ID", help: "the role's id (else made from the name in the file)" },
      },
      examples: ["role import .claude/agents", "role import reviewer.md --replace"],
    },
    async ({ path, replace, id }, context) => {
      const { output } = context;
      const { files, isFolder } = await filesAt(path);
      if (isFolder && id !== undefined)
        throw new HallError("usage", "--id is for one file.", { hint: "Name the file, not its folder." });
      const imported: Imported[] = [];
      const failed: Failed[] = [];
      for (const file of files) {
        try {
          const text = await fileOrInput(file, context.host.input);
          const body = { text, replace: replace === true, ...(id === undefined ? {} : { id }) };
          const { role, notes } = await context.call("importRole", { body });
          imported.push({ file, role, notes });
        } catch (error) {
          if (!isFolder || !(error instanceof HallError)) throw hinted(error);
          const how = error.code === "already_exists" ? " Change it with --replace." : "";
          failed.push({ file, error: `${error.message}${how}` });
        }
      }
      output.answer({ imported, failed }, () =>
        [
          ...imported.flatMap(({ file, role, notes }) => [
            `Imported the role ${role.id} from ${oneLine(file)}: ${role.skills.join(", ") || "no tools"}.`,
            ...notes.map((note) => `  ${oneLine(note)}`),
          ]),
          ...failed.map(
            ({ file, error }) => `${output.paint("red", "not imported:")} ${oneLine(file)}  ${oneLine(error)}`,
          ),
          ...(files.length === 0 ? [`There are no .md files in ${oneLine(path)}.`] : []),
        ].join("\n"),
      );
      return failed.length === 0 ? 0 : 4;
    },
  ),

  "role export": command(
    {
      summary: "print or write a role as a file of .claude/agents",
      args: { role },
      options: {
        to: { kind: "text", value: "DIR", help: "write it into this folder" },
        force: { kind: "flag", help: "write over a file that is there" },
      },
      examples: ["role export backend", "role export backend --to .claude/agents"],
    },
    async ({ role: id, to, force }, context) => {
      const { call, output, host } = context;
      const answer = await call("exportRole", { params: { id } });
      const notes = answer.notes.map((note) => `  ${oneLine(note)}`);
      if (to === undefined) {
        // A file gets it as it is; on a terminal it might have come with what a terminal acts on.
        output.row(answer, () => (host.out.isTerminal ? manyLines(answer.text) : answer.text).trimEnd());
        return 0;
      }
      const file = await write(to, { ...answer, force: force === true });
      output.answer({ ...answer, file }, () => [`Wrote ${oneLine(file)}.`, ...notes].join("\n"));
      return 0;
    },
  ),
};

type RoleBody = Omit<RoleCreate, "id" | "template">;

interface RoleFields extends ModelInput {
  name?: string | undefined;
  emoji?: string | undefined;
  description?: string | undefined;
  specialty?: string[] | undefined;
  skills?: string[] | undefined;
  promptFile?: string | undefined;
  variables?: string[] | undefined;
  file?: string | undefined;
}

/** The file's role with the options laid over it. What the file holds is for the daemon to judge. */
async function roleBody(fields: RoleFields, { host }: Context): Promise<RoleBody> {
  const { name, emoji, description, specialty, skills, variables, promptFile, file } = fields;
  const base: RoleBody = file === undefined ? {} : await objectOrInput(file, host.input);
  const override = given(modelOverride(fields));
  return {
    ...base,
    ...defined({
      name,
      emoji,
      description: await textOrInput(description, host.input),
      specialty,
      skills,
      variables,
      systemPromptTemplate: promptFile === undefined ? undefined : await fileOrInput(promptFile, host.input),
      modelConfig: override === undefined ? undefined : { ...base.modelConfig, ...defined(override) },
    }),
  };
}

function defined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<Value>;
}

type Imported = Pick<RouteResponse<"importRole">, "role" | "notes"> & { file: string };

type Failed = { file: string; error: string };

async function filesAt(path: string): Promise<{ files: string[]; isFolder: boolean }> {
  const [{ readdirSync, statSync }, { join }] = await Promise.all([import("node:fs"), import("node:path")]);
  const isFolder = path !== "-" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return { files: [path], isFolder };
  const names = readdirSync(path).filter((name) => name.endsWith(".md") && !name.startsWith("."));
  return { files: names.sort().map((name) => join(path, name)), isFolder };
}

/** A file that is there already is somebody's work. */
async function write(folder: string, file: { name: string; text: string; force: boolean }) {
  const [{ mkdirSync, writeFileSync }, { join }] = await Promise.all([import("node:fs"), import("node:path")]);
  const path = join(folder, file.name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, file.text, { flag: file.force ? "w" : "wx" });
    return path;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code !== "EEXIST") throw new HallError("usage", `'${path}' cannot be written (${code}).`);
    throw new HallError("already_exists", `'${path}' is there already.`, { hint: "Write over it with --force." });
  }
}

function hinted(error: unknown): unknown {
  if (!(error instanceof HallError) || error.code !== "already_exists") return error;
  return new HallError("already_exists", error.message, { hint: "Change it with --replace, or give --id." });
}
