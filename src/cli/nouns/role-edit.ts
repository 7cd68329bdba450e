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

const role = { kind: "one", help: "Role id" } as const satisfies ArgumentSpec;

const roleFields = {
  name: { kind: "text", value: "NAME", help: "Display name" },
  emoji: { kind: "text", value: "EMOJI", help: "Emoji" },
  description: { kind: "text", short: "d", value: "TEXT", help: "Description ('-' reads standard input)" },
  specialty: { kind: "list", value: "WORDS", help: "Specialties, comma-separated" },
  ...modelSettings,
  skills: { kind: "list", value: "NAMES", help: "Allowed tools and skills, comma-separated" },
  ask: { kind: "list", value: "TOOLS", help: "Tools that ask you before each call, comma-separated ('' for none)" },
  promptFile: { kind: "text", value: "FILE", help: "File with the prompt template ('-' reads standard input)" },
  variables: { kind: "list", value: "NAMES", help: "Variables the prompt requires, comma-separated" },
  file: {
    kind: "text",
    value: "FILE",
    help: "File with the role as JSON ('-' reads standard input); options override it",
  },
} as const satisfies Record<string, OptionSpec>;

export const commands = {
  "role create": command(
    {
      summary: "Create a role, from scratch or from a template",
      options: {
        template: { kind: "text", value: "TEMPLATE", help: "Built-in template to start from" },
        id: { kind: "text", value: "ID", help: "Id (default: derived from the name)" },
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
        throw new HallError("usage", "Missing role.", {
          hint: hint("role-create-help"),
        });
      }
      const answer = await context.call("createRole", { body });
      const { role } = answer;
      context.output.answer(answer, () => `Created role ${role.id}: ${oneLine(`${role.emoji} ${role.name}`)}`);
      return 0;
    },
  ),

  "role edit": command(
    {
      summary: "Edit a role",
      detail: "Changes only the options you pass. Lists are replaced; pass '' to clear one.",
      args: { role },
      options: { ...roleFields, ifMatch },
      examples: ["role edit backend --thinking high --skills read,write,exec"],
    },
    async ({ role: id, ifMatch, ...fields }, context) => {
      const body: RoleUpdate = await roleBody(fields, context);
      requireChange(body, "role edit");
      const answer = await context.call("updateRole", { params: { id }, body, ifMatch });
      context.output.answer(answer, () => `Updated role ${answer.role.id} to version ${answer.role.version}.`);
      return 0;
    },
  ),

  "role delete": command(
    {
      summary: "Delete a role that is not assigned to any project",
      args: { role },
      examples: ["role delete poet"],
    },
    async ({ role: id }, { call, output }) => {
      const answer = await call("deleteRole", { params: { id } });
      output.answer(answer, () => `Deleted role ${id}.`);
      return 0;
    },
  ),

  /** Of a folder, a file that cannot be taken over does not keep the others from it. */
  "role import": command(
    {
      summary: "Import roles from .claude/agents files",
      detail:
        "Tool names are translated, and tools without a counterpart are reported. Tools that the file restricts are left out, and a file " +
        "without a tool list gets 'read'. Existing roles are kept unless you pass --replace.",
      args: { path: { kind: "one", help: "File, folder, or '-' for standard input" } },
      options: {
        replace: { kind: "flag", help: "Replace existing roles" },
        id: { kind: "text", value: "ID", help: "Role id (default: derived from the name in the file)" },
      },
      examples: ["role import .claude/agents", "role import reviewer.md --replace"],
    },
    async ({ path, replace, id }, context) => {
      const { output } = context;
      const { files, isFolder } = await filesAt(path);
      if (isFolder && id !== undefined)
        throw new HallError("usage", "--id works with a single file.", { hint: "Pass a file instead of a folder." });
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
          const how = error.code === "already_exists" ? " Use --replace to overwrite it." : "";
          failed.push({ file, error: `${error.message}${how}` });
        }
      }
      output.answer({ imported, failed }, () =>
        [
          ...imported.flatMap(({ file, role, notes }) => [
            `Imported role ${role.id} from ${oneLine(file)}: ${role.skills.join(", ") || "no tools"}.`,
            ...notes.map((note) => `  ${oneLine(note)}`),
          ]),
          ...failed.map(
            ({ file, error }) => `${output.paint("red", "not imported:")} ${oneLine(file)}  ${oneLine(error)}`,
          ),
          ...(files.length === 0 ? [`No .md files in ${oneLine(path)}.`] : []),
        ].join("\n"),
      );
      return failed.length === 0 ? 0 : 4;
    },
  ),

  "role export": command(
    {
      summary: "Export a role as a .claude/agents file",
      args: { role },
      options: {
        to: { kind: "text", value: "DIR", help: "Target folder (default: print the file)" },
        force: { kind: "flag", help: "Overwrite an existing file" },
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
  ask?: string[] | undefined;
  promptFile?: string | undefined;
  variables?: string[] | undefined;
  file?: string | undefined;
}

/** The file's role with the options laid over it. What the file holds is for the daemon to judge. */
async function roleBody(fields: RoleFields, { host }: Context): Promise<RoleBody> {
  const { name, emoji, description, specialty, skills, ask, variables, promptFile, file } = fields;
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
      ask,
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
    if (code !== "EEXIST") throw new HallError("usage", `'${path}' can't be written (${code}).`);
    throw new HallError("already_exists", `'${path}' already exists.`, { hint: "Use --force to overwrite it." });
  }
}

function hinted(error: unknown): unknown {
  if (!(error instanceof HallError) || error.code !== "already_exists") return error;
  return new HallError("already_exists", error.message, {
    hint: "Use --replace to overwrite it, or pass another --id.",
  });
}
