import { resolve } from "node:path";
import { MERGE_METHODS, type MergeMethod } from "../../contract/documents/merge-method.ts";
import type { ProjectStatus } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";
import type { ArgumentSpec, CommandSpec, InputOf, OptionSpec } from "../command-spec.ts";
import type { Context } from "../context.ts";
import { clearable, given, requireChange, textOrInput } from "../input.ts";
import { cloneRepository } from "../setup/clone-repository.ts";
import { ifMatch, yes } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";

const project = { kind: "one", help: "the project's id" } as const satisfies ArgumentSpec;

const projectFields = {
  description: { kind: "text", short: "d", value: "TEXT", help: "what it is ('-' reads standard input)" },
  goal: { kind: "many", value: "TEXT", help: "a goal; repeat it for more" },
  language: { kind: "list", value: "NAMES", help: "languages, separated by commas" },
  framework: { kind: "list", value: "NAMES", help: "frameworks, separated by commas" },
  tool: { kind: "list", value: "NAMES", help: "tools of the tech stack, separated by commas" },
  scopeIn: { kind: "many", value: "TEXT", help: "something that belongs to it; repeat it for more" },
  scopeOut: { kind: "many", value: "TEXT", help: "something that does not; repeat it for more" },
  repo: { kind: "text", value: "URL", help: "address of its repository" },
  branch: { kind: "text", value: "BRANCH", help: "branch to work on" },
  mergeMethod: { kind: "text", value: "METHOD", help: "how results are merged", words: MERGE_METHODS },
  envFile: { kind: "many", value: "FILE", help: "a file with its environment; repeat it for more" },
  environment: { kind: "list", value: "NAMES", help: "environments allowed, separated by commas" },
  model: { kind: "text", value: "MODEL", help: "model of its agents" },
  workdir: { kind: "text", value: "DIR", help: "folder of the code it works on" },
  requireReview: { kind: "toggle", help: "review before merge; on by default with a working folder" },
  autoMerge: { kind: "flag", help: "merge results without review; same as --no-require-review" },
  maxTokens: { kind: "number", clears: true, value: "N", help: "most tokens for one task" },
  timeout: { kind: "number", clears: true, value: "SECONDS", help: "longest time for one run" },
  network: { kind: "toggle", help: "whether commands of its agents reach the network" },
  readable: { kind: "many", value: "DIR", help: "a folder that commands may read; repeat it for more" },
  writable: { kind: "many", value: "DIR", help: "a folder that commands may change; repeat it for more" },
  memory: { kind: "number", clears: true, value: "MB", help: "most memory for commands" },
  processes: { kind: "number", clears: true, value: "N", help: "most processes of commands at once" },
  unsandboxed: { kind: "toggle", help: "whether commands run without a sandbox where none works" },
} as const satisfies Record<string, OptionSpec>;

const projectEdit = {
  summary: "change a project",
  detail:
    "Only what is given changes; a list given replaces the former one, and an empty value ('') takes a setting away.",
  args: { project },
  options: { name: { kind: "text", value: "NAME", help: "what people call it" }, ...projectFields, ifMatch },
  examples: ["project edit shop --branch main --auto-merge", "project edit shop --repo ''"],
} as const satisfies CommandSpec;

export const commands = {
  "project create": command(
    {
      summary: "create a project",
      args: { name: { kind: "one", help: "what people call it" } },
      options: {
        id: { kind: "text", value: "ID", help: "its id and folder (else made from the name)" },
        template: { kind: "text", value: "TEMPLATE", help: "start from this built-in template" },
        clone: { kind: "text", value: "URL", help: "clone this repository; --workdir says where to" },
        ...projectFields,
        background: { kind: "text", value: "TEXT", help: "what one should know before ('-' reads standard input)" },
      },
      examples: [
        "project create Shop --goal 'Sell books' --language TypeScript",
        "project create Harbour --template research",
        "project create Ms --clone https://github.com/vercel/ms.git",
        "project create Scratch --workdir ~/src/scratch --auto-merge",
        "project create 'Web site 2' --id site --workdir ~/src/site",
      ],
    },
    async ({ name, id, template, clone, description, background, ...fields }, context) => {
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
          config: cloned === undefined ? settings.config : { repoUrl: cloned.url, ...settings.config },
          model: settings.model ?? undefined,
          workdir: cloned?.folder ?? folder,
        },
      });
      const { project } = answer;
      output.answer(answer, () => {
        const next = `Add a task: ${output.calledAs} task add TITLE -p ${project.id}`;
        const lines = [
          `Created the project ${project.id}: ${oneLine(project.name)}`,
          `It lives in ${oneLine(project.paths.root)}`,
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
    output.answer(answer, () =>
      [`Changed the project ${answer.project.id}.`, ...warningLines(answer.warnings)].join("\n"),
    );
    return 0;
  }),

  "project suspend": command(
    {
      summary: "let an active project rest",
      args: { project },
      examples: ["project suspend shop"],
    },
    async ({ project }, context) => move(project, "suspended", context),
  ),

  "project resume": command(
    {
      summary: "wake a suspended project",
      args: { project },
      examples: ["project resume shop"],
    },
    async ({ project }, context) => move(project, "active", context),
  ),

  "project complete": command(
    {
      summary: "declare a project completed",
      args: { project },
      examples: ["project complete shop"],
    },
    async ({ project }, context) => move(project, "completed", context),
  ),

  "project reopen": command(
    {
      summary: "make a completed project active again",
      args: { project },
      examples: ["project reopen shop"],
    },
    async ({ project }, context) => move(project, "active", context),
  ),

  "project archive": command(
    {
      summary: "archive a completed project for good",
      args: { project },
      examples: ["project archive shop"],
    },
    async ({ project }, context) => move(project, "archived", context),
  ),

  "project delete": command(
    {
      summary: "archive a project, or move its folder to the trash",
      detail: "Asks first when a person sits at the terminal.",
      args: { project },
      options: { purge: { kind: "flag", help: "move its folder to the workspace's trash" }, yes },
      examples: ["project delete shop", "project delete shop --purge --yes"],
    },
    async ({ project: id, purge, yes }, context) => {
      const { call, host, output } = context;
      const deed = purge === true ? `Move the folder of ${id} to the trash` : `Archive ${id} for good`;
      if (yes !== true && host.input.canAsk && !agrees(await host.input.ask(`${deed}? [y/N] `))) {
        output.note("Nothing was changed.");
        return 0;
      }
      const answer = await call("deleteProject", { params: { id }, query: { purge } });
      output.answer(answer, () =>
        answer.trash === undefined ? `${id} is archived.` : `${id} is in the trash now: ${oneLine(answer.trash)}`,
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
  if (requireReview === true)
    throw new HallError("usage", "--auto-merge and --require-review contradict each other. Pass one of them.");
  return false;
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
        defaultTimeout: clearable(fields.timeout),
        requireReview: reviewOf(fields),
        allowedEnvironments: fields.environment,
      }),
      repoUrl: clearable(fields.repo),
      branch: clearable(fields.branch),
      mergeMethod: fields.mergeMethod as MergeMethod | undefined,
      envFiles: fields.envFile,
      sandbox: given({
        network: fields.network,
        readable: fields.readable?.map((path) => resolve(path)),
        writable: fields.writable?.map((path) => resolve(path)),
        memoryMb: clearable(fields.memory),
        processes: clearable(fields.processes),
        unsandboxed: fields.unsandboxed,
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
  const { repoUrl, branch, constraints, sandbox, ...rest } = config;
  return {
    config: {
      ...rest,
      constraints: constraints && {
        ...constraints,
        maxTokensPerTask: constraints.maxTokensPerTask ?? undefined,
        defaultTimeout: constraints.defaultTimeout ?? undefined,
      },
      repoUrl: repoUrl ?? undefined,
      branch: branch ?? undefined,
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
  output.answer(answer, () => `${answer.project.id} is ${answer.project.status}.`);
  return 0;
}

function agrees(reply: string): boolean {
  return /^y(es)?$/i.test(reply.trim());
}
