import { resolve } from "node:path";
import type { Action } from "../context.ts";
import { clearable, given, requireChange, textOrInput } from "../input.ts";
import { oneLine } from "../plain-text.ts";

type Fields = Omit<Parameters<Action<"project edit">>[0], "project" | "name" | "ifMatch" | "description">;

export const projectCreate: Action<"project create"> = async (
  { name, id, template, description, background, ...fields },
  context,
) => {
  const { call, host, output } = context;
  const settings = projectSettings(fields);
  const answer = await call("createProject", {
    body: {
      id,
      template,
      name,
      description: await textOrInput(description, host),
      background: await textOrInput(background, host),
      config: settings.config,
      model: settings.model ?? undefined,
      workdir: settings.workdir ?? undefined,
    },
  });
  const { project } = answer;
  output.answer(answer, () => {
    const next = `Add a task: ${output.calledAs} task add TITLE -p ${project.id}`;
    const lines = [
      `Created the project ${project.id}: ${oneLine(project.name)}`,
      `It lives in ${oneLine(project.paths.root)}`,
      ...warningLines(answer.warnings),
    ];
    return [...lines, next].join("\n");
  });
  return 0;
};

export const projectEdit: Action<"project edit"> = async (
  { project: id, name, description, ifMatch, ...fields },
  context,
) => {
  const { call, host, output } = context;
  const { config, model, workdir } = projectUpdate(fields);
  const body = { name, description: await textOrInput(description, host), config, model, workdir };
  requireChange(body, "project edit");
  const answer = await call("updateProject", { params: { id }, body, ifMatch });
  output.answer(answer, () =>
    [`Changed the project ${answer.project.id}.`, ...warningLines(answer.warnings)].join("\n"),
  );
  return 0;
};

function warningLines(warnings: readonly string[] = []): string[] {
  return warnings.map((text) => `Warning: working folder: ${oneLine(text)}`);
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
        requireReview: fields.requireReview,
        allowedEnvironments: fields.environment,
      }),
      repoUrl: clearable(fields.repo),
      branch: clearable(fields.branch),
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
