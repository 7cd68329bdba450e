import { resolve } from "node:path";
import { MERGE_METHODS, type MergeMethod } from "../../contract/documents/merge-method.ts";
import type { ProjectStatus } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import { AUTONOMY, type Autonomy } from "../../contract/words/autonomy/orchestrator-words.ts";
import { command } from "../command.ts";
import type { ArgumentSpec, CommandSpec, InputOf, OptionSpec } from "../command-spec.ts";
import { agrees } from "../confirming.ts";
import type { Context } from "../context.ts";
import { clearable, given, requireChange, textOrInput } from "../input.ts";
import { cloneRepository } from "../setup/clone-repository.ts";
import { ifMatch, yes } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";

const MOST_OPEN = 10;
const BRIEF_SECTIONS = ["Overview", "Goals", "Background", "Constraints"] as const;
const project = { kind: "one", help: "Project id" } as const satisfies ArgumentSpec;

const projectFields = {
  description: { kind: "text", short: "d", value: "TEXT", help: "Description ('-' reads standard input)" },
  goal: { kind: "many", value: "TEXT", help: "Goal (repeatable)" },
  language: { kind: "list", value: "NAMES", help: "Languages, comma-separated" },
  framework: { kind: "list", value: "NAMES", help: "Frameworks, comma-separated" },
  tool: { kind: "list", value: "NAMES", help: "Tools, comma-separated" },
  scopeIn: { kind: "many", value: "TEXT", help: "In scope (repeatable)" },
  scopeOut: { kind: "many", value: "TEXT", help: "Out of scope (repeatable)" },
  repo: { kind: "text", value: "URL", help: "Repository URL" },
  branch: { kind: "text", value: "BRANCH", help: "Target branch" },
  mergeMethod: { kind: "text", value: "METHOD", help: "Merge strategy", words: MERGE_METHODS },
  autonomy: { kind: "text", value: "LEVEL", help: "What the orchestrator may do here", words: AUTONOMY },
  envFile: { kind: "many", value: "FILE", help: "Environment file (repeatable)" },
  environment: {
    kind: "list",
    value: "NAMES",
    help: "Environments agents should use, comma-separated; stated in PROJECT.md, not enforced",
  },
  model: { kind: "text", value: "MODEL", help: "Default model of its agents" },
  workdir: { kind: "text", value: "DIR", help: "Working folder" },
  requireReview: { kind: "toggle", help: "Require review before merge; on by default with a working folder" },
  autoMerge: { kind: "flag", help: "Merge results without review; same as --no-require-review" },
  maxTokens: { kind: "number", clears: true, value: "N", help: "Token limit per task" },
  maxToolCalls: { kind: "number", clears: true, value: "N", help: "Limit of tool calls per run" },
  timeout: { kind: "number", clears: true, value: "SECONDS", help: "Time limit per run" },
  network: { kind: "toggle", help: "Allow agent commands to use the network" },
  readable: { kind: "many", value: "DIR", help: "Additional folder that commands can read (repeatable)" },
  writable: { kind: "many", value: "DIR", help: "Additional folder that commands can write to (repeatable)" },
  memory: { kind: "number", clears: true, value: "MB", help: "Memory limit for commands" },
  processes: { kind: "number", clears: true, value: "N", help: "Process limit for commands" },
  unsandboxed: { kind: "toggle", help: "Run commands unsandboxed if no sandbox is available" },
  setup: { kind: "many", value: "COMMAND", help: "Command that prepares each new worktree (repeatable)" },
  teardown: { kind: "many", value: "COMMAND", help: "Command to run before a worktree is removed (repeatable)" },
  setupTimeout: { kind: "number", clears: true, value: "SECONDS", help: "Time limit for preparing a worktree" },
} as const satisfies Record<string, OptionSpec>;

const projectEdit = {
  summary: "Edit a project",
  detail: "Changes only the options you pass. Lists are replaced, and an empty value ('') clears a setting.",
  args: { project },
  options: { name: { kind: "text", value: "NAME", help: "Display name" }, ...projectFields, ifMatch },
  examples: ["project edit shop --branch main --auto-merge", "project edit shop --repo ''"],
} as const satisfies CommandSpec;

export const commands = {
  "project create": command(
    {
      summary: "Create a project",
      args: { name: { kind: "one", help: "Display name" } },
      options: {
        id: { kind: "text", value: "ID", help: "Id and folder name (default: derived from the name)" },
        template: { kind: "text", value: "TEMPLATE", help: "Built-in template to start from" },
        clone: { kind: "text", value: "URL", help: "Repository to clone; --workdir sets the target folder" },
        ...projectFields,
        background: { kind: "text", value: "TEXT", help: "Background information ('-' reads standard input)" },
        constraint: { kind: "many", value: "TEXT", help: "Constraint its agents must respect (repeatable)" },
      },
      examples: [
        "project create Shop --goal 'Sell books' --language TypeScript",
        "project create Harbour --template research",
        "project create Ms --clone https://github.com/vercel/ms.git",
        "project create Scratch --workdir ~/src/scratch --auto-merge",
        "project create 'Web site 2' --id site --workdir ~/src/site",
      ],
    },
    async ({ name, id, template, clone, description, background, constraint, ...fields }, context) => {
      const { call, host, output } = context;
      const settings = projectSettings(fields);
      const folder = settings.workdir ?? undefined;
      const cloned = clone === undefined ? undefined : await cloneRepository(context, { url: clone, folder });
      const answer = await call("createProject", {
        body: {
          id,
          template,
          name,
          description: await textOrInput(description, host.input),
          background: await textOrInput(background, host.input),
          constraints: constraint?.map((text) => `- ${text}`).join("\n"),
          config: cloned === undefined ? settings.config : { repoUrl: cloned.url, ...settings.config },
          model: settings.model ?? undefined,
          workdir: cloned?.folder ?? folder,
        },
      });
      const { project } = answer;
      output.answer(answer, () => {
        const next = `Add a task: ${output.calledAs} task add TITLE -p ${project.id}`;
        const lines = [
          `Created project ${project.id}: ${oneLine(project.name)}`,
          `Project files: ${oneLine(project.paths.root)}`,
          ...(cloned === undefined ? [] : [`Code: ${oneLine(cloned.folder)}`]),
          ...(cloned?.isEmpty === true
            ? [
                `The repository is empty. Create the first commit: ${output.calledAs} project first-commit ${project.id}`,
              ]
            : []),
          ...warningLines(answer.warnings),
        ];
        return [...lines, next].join("\n");
      });
      return 0;
    },
  ),

  "project edit": command(projectEdit, async ({ project: id, name, description, ifMatch, ...fields }, context) => {
    const { call, host, output } = context;
    const { config, model, workdir } = projectUpdate(fields);
    const body = { name, description: await textOrInput(description, host.input), config, model, workdir };
    requireChange(body, "project edit");
    const answer = await call("updateProject", { params: { id }, body, ifMatch });
    output.answer(answer, () => [`Updated project ${answer.project.id}.`, ...warningLines(answer.warnings)].join("\n"));
    return 0;
  }),

  "project describe": command(
    {
      summary: "Replace a section of PROJECT.md, which agents read",
      args: {
        project,
        section: { kind: "one", help: `Section: ${BRIEF_SECTIONS.join(", ")}` },
        text: { kind: "one", help: "New text ('-' reads standard input)" },
      },
      examples: ["project describe shop Constraints 'No new packages.'", "project describe shop Background -"],
    },
    async ({ project: id, section: name, text }, { call, host, output }) => {
      const section = BRIEF_SECTIONS.find((one) => one.toLowerCase() === name.toLowerCase());
      if (section === undefined)
        throw new HallError("usage", `Unknown section '${name}'. Use one of: ${BRIEF_SECTIONS.join(", ")}.`);
      const body = { section, text: (await textOrInput(text, host.input)) ?? "" };
      const answer = await call("describeProject", { params: { id }, body });
      output.answer(answer, () => `Updated ${section} of project ${answer.project.id}.`);
      return 0;
    },
  ),

  "project suspend": command(
    {
      summary: "Suspend an active project",
      args: { project },
      examples: ["project suspend shop"],
    },
    async ({ project }, context) => move(project, "suspended", context),
  ),

  "project resume": command(
    {
      summary: "Resume a suspended project",
      args: { project },
      examples: ["project resume shop"],
    },
    async ({ project }, context) => move(project, "active", context),
  ),

  "project complete": command(
    {
      summary: "Mark a project as completed",
      args: { project },
      examples: ["project complete shop"],
    },
    async ({ project }, context) => move(project, "completed", context),
  ),

  "project reopen": command(
    {
      summary: "Reopen a completed project",
      args: { project },
      examples: ["project reopen shop"],
    },
    async ({ project }, context) => move(project, "active", context),
  ),

  "project archive": command(
    {
      summary: "Archive a completed project permanently",
      args: { project },
      examples: ["project archive shop"],
    },
    async ({ project }, context) => move(project, "archived", context),
  ),

  "project delete": command(
    {
      summary: "Archive a project, or move its folder to the trash",
      detail: "Asks for confirmation on a terminal.",
      args: { project },
      options: { purge: { kind: "flag", help: "Move its folder to the workspace trash" }, yes },
      examples: ["project delete shop", "project delete shop --purge --yes"],
    },
    async ({ project: id, purge, yes }, context) => {
      const { call, host, output } = context;
      const deed = purge === true ? `Move the folder of ${id} to the trash` : `Archive ${id} permanently`;
      if (yes !== true && host.input.canAsk && !agrees(await host.input.ask(`${deed}? [y/N] `))) {
        output.note("No changes made.");
        return 0;
      }
      const answer = await call("deleteProject", { params: { id }, query: { purge } });
      output.answer(answer, () =>
        answer.trash === undefined ? `${id} archived.` : `${id} moved to the trash: ${oneLine(answer.trash)}`,
      );
      return 0;
    },
  ),
};

type Fields = Omit<InputOf<typeof projectEdit>, "project" | "name" | "ifMatch" | "description">;

function warningLines(warnings: readonly string[] = []): string[] {
  return warnings.map((text) => `Warning: working folder: ${oneLine(text)}`);
}

function reviewOf({ requireReview, autoMerge }: Pick<Fields, "requireReview" | "autoMerge">): boolean | undefined {
  if (autoMerge !== true) return requireReview;
  if (requireReview === true) throw new HallError("usage", "--auto-merge and --require-review can't be combined.");
  return false;
}

/** An empty one takes all of them away. */
function commandsIn(given: readonly string[] | undefined): string[] | null | undefined {
  return given?.every((one) => one.trim() === "") === true ? null : given?.slice();
}

/** The options as a change: '' became null, and a group of settings is there only when one of them was given. */
function projectUpdate(fields: Fields) {
  return {
    config: given({
      techStack: given({ languages: fields.language, frameworks: fields.framework, tools: fields.tool }),
      goals: fields.goal,
      scope: given({ in: fields.scopeIn, out: fields.scopeOut }),
      constraints: given({
        maxTokensPerTask: clearable(fields.maxTokens),
        maxToolCallsPerRun: clearable(fields.maxToolCalls),
        defaultTimeout: clearable(fields.timeout),
        requireReview: reviewOf(fields),
        allowedEnvironments: fields.environment,
      }),
      repoUrl: clearable(fields.repo),
      branch: clearable(fields.branch),
      mergeMethod: fields.mergeMethod as MergeMethod | undefined,
      autonomy: fields.autonomy as Autonomy | undefined,
      envFiles: fields.envFile,
      sandbox: given({
        network: fields.network,
        readable: fields.readable?.map((path) => resolve(path)),
        writable: fields.writable?.map((path) => resolve(path)),
        memoryMb: clearable(fields.memory),
        processes: clearable(fields.processes),
        unsandboxed: fields.unsandboxed,
      }),
      worktree: given({
        setup: commandsIn(fields.setup),
        teardown: commandsIn(fields.teardown),
        timeoutSeconds: clearable(fields.setupTimeout),
      }),
    }),
    model: clearable(fields.model),
    workdir: fields.workdir === undefined ? undefined : fields.workdir === "" ? null : resolve(fields.workdir),
  };
}

/** The same for a new project, where there is nothing to take away. */
function projectSettings(fields: Fields) {
  const { config, model, workdir } = projectUpdate(fields);
  if (config === undefined) return { config, model, workdir };
  const { repoUrl, branch, constraints, sandbox, worktree, ...rest } = config;
  return {
    config: {
      ...rest,
      constraints: constraints && {
        ...constraints,
        maxTokensPerTask: constraints.maxTokensPerTask ?? undefined,
        maxToolCallsPerRun: constraints.maxToolCallsPerRun ?? undefined,
        defaultTimeout: constraints.defaultTimeout ?? undefined,
      },
      repoUrl: repoUrl ?? undefined,
      branch: branch ?? undefined,
      worktree: worktree && {
        setup: worktree.setup ?? undefined,
        teardown: worktree.teardown ?? undefined,
        timeoutSeconds: worktree.timeoutSeconds ?? undefined,
      },
      sandbox: sandbox && {
        ...sandbox,
        memoryMb: sandbox.memoryMb ?? undefined,
        processes: sandbox.processes ?? undefined,
      },
    },
    model,
    workdir,
  };
}

async function move(id: string, status: ProjectStatus, { call, output }: Context): Promise<number> {
  const answer = await call("moveProject", { params: { id }, body: { status } });
  output.answer(answer, () => [`${answer.project.id} is ${answer.project.status}.`, ...openLines(answer)].join("\n"));
  return 0;
}

function openLines({ open = [] }: RouteResponse<"moveProject">): string[] {
  if (open.length === 0) return [];
  const left = open.length - MOST_OPEN;
  const shown = open.slice(0, MOST_OPEN).map(({ text }) => `  ${oneLine(text)}`);
  return ["Still open:", ...shown, ...(left > 0 ? [`  and ${left} more`] : [])];
}
