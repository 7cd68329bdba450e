import { TASK_PRIORITIES, TASK_TYPES } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { RouteBodyInput, RouteResponse } from "../../contract/routes/routes.ts";
import type { SpawnResponse } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import { MODEL_PRESETS, RANKS } from "../../contract/words/rank-names.ts";
import { RUN_PURPOSES } from "../../contract/words/review-words.ts";
import { command } from "../command.ts";
import type { CommandSpec, InputOf } from "../command-spec.ts";
import { type Context, chosenProject } from "../context.ts";
import { given, textOrInput } from "../input.ts";
import { taskId, taskPlace } from "../references.ts";
import { commandText, followRun } from "../runs/run-follow.ts";
import { endText } from "../runs/run-text.ts";
import { project } from "../shared-options.ts";
import { planText } from "../text/plan-text.ts";

const OFFLINE = "offline/rehearsal";
const NOT_COMPLETED = 1;

const spawn = {
  summary: "have a role do a task, and follow it",
  detail:
    "A task is made from the title, unless --task names one; without a project it goes to the project inbox. " +
    "The command follows the run until it ends: on a terminal with one line that tells what it is doing now, in a pipe with a line for each step. " +
    "On a task in review or done, a role that cannot change files reviews the result and leaves the task as it is; any other does the task again. --purpose chooses. " +
    "Ctrl-C stops following, and the run goes on. The exit code is 1 when the run does not complete. " +
    "With --json nothing but the run is printed, when it is over.",
  args: {
    role: { kind: "one", help: "the role that does it" },
    title: { kind: "maybe-rest", help: "what is to be done, when --task names none" },
  },
  options: {
    project,
    task: { kind: "text", value: "TASK", help: "a task that is already there (TASK-007, 7 or shop/7)" },
    purpose: { kind: "text", value: "PURPOSE", help: "do the task, or review its result", words: RUN_PURPOSES },
    description: { kind: "text", short: "d", value: "TEXT", help: "more about it ('-' reads standard input)" },
    type: { kind: "text", short: "t", value: "TYPE", help: "kind of work", words: TASK_TYPES },
    priority: { kind: "text", value: "PRIORITY", help: "how urgent it is", words: TASK_PRIORITIES },
    file: { kind: "many", value: "PATH", help: "a file it is about; repeat it for more" },
    context: { kind: "many", value: "PATH", help: "a context file for the prompt; repeat it for more" },
    model: { kind: "text", value: "MODEL", help: "provider/model" },
    offline: { kind: "flag", help: "use the offline model, which needs no key and costs nothing" },
    rank: {
      kind: "text",
      value: "RANK",
      help: "its place in a team",
      words: RANKS,
    },
    preset: {
      kind: "text",
      value: "PRESET",
      help: "which models the ranks have; needs --rank",
      words: MODEL_PRESETS,
    },
    thinking: { kind: "text", value: "LEVEL", help: "how much it thinks", words: ["off", "low", "medium", "high"] },
    timeout: { kind: "number", value: "SECONDS", help: "longest time" },
    skills: { kind: "list", value: "TOOLS", help: "the tools it may use, separated by commas" },
    var: { kind: "many", value: "NAME=VALUE", help: "a variable of the role's prompt; repeat it for more" },
    artifact: { kind: "off", help: "do not keep the result as an artifact" },
    notify: { kind: "off", help: "send no notification at its end" },
    dryRun: { kind: "flag", help: "show prompt, model, tools and limits with their reasons, and start nothing" },
    detach: { kind: "flag", help: "start it and do not follow" },
  },
  examples: [
    'spawn coder -p shop "Fix the login bug"',
    "spawn reviewer --task shop/7 --dry-run",
    'spawn coder -p shop --offline --file src/a.ts "Look at it"',
    'spawn coder -p shop --detach --json "Write the changelog"',
  ],
} as const satisfies CommandSpec;

export const commands = {
  spawn: command(spawn, async (input, context) => {
    const body = await bodyOf(input, context);
    const answer = await ask(body, input.dryRun === true, context);
    if (!("plan" in answer)) return showStarted(answer, input.detach !== true, context);
    const { output } = context;
    // The prompt is shown exactly as it would be sent, so that no line of it may be broken.
    if (output.json) output.answer(answer, () => "");
    else output.row(answer, () => planText(answer.plan, output));
    return 0;
  }),
};

type Body = RouteBodyInput<"spawn">;

type Overrides = NonNullable<Body["overrides"]>;

/** Tells that a run was started, or follows it to its end. */
export async function showStarted(started: SpawnResponse, follows: boolean, context: Context): Promise<number> {
  const { output } = context;
  const { sessionId: runId } = started;
  if (!follows) {
    const follow = commandText(`run logs -f ${runId}`, context);
    output.answer(started, () => `Started ${runId} for ${started.taskId}.\nFollow it: ${follow}`);
    return 0;
  }
  const run = await followRun(runId, context, { quiet: output.json });
  const command = commandText(`run retry ${runId}`, context);
  if (output.json) output.answer({ run }, () => "");
  else output.row({ run }, () => `\n${endText(run, { ...output, command })}`);
  return run.status === "completed" ? 0 : NOT_COMPLETED;
}

async function ask(body: Body, dryRun: boolean, { call }: Context): Promise<RouteResponse<"spawn">> {
  try {
    return await call("spawn", { query: dryRun ? { dryRun } : {}, body });
  } catch (error) {
    if (!(error instanceof HallError) || error.code !== "role_not_found") throw error;
    const { templates } = await call("listRoleTemplates", {});
    if (!templates.some(({ id }) => id === body.roleId)) throw error;
    throw new HallError("role_not_found", error.message, {
      hint: hint("role-from-template", { template: body.roleId }),
    });
  }
}

async function bodyOf(input: InputOf<typeof spawn>, context: Context): Promise<Body> {
  const { role, file, thinking, timeout, skills } = input;
  const place = placeOf(input, context);
  const description = await textOrInput(input.description, context.host.input);
  const { title, type, priority } = input;
  const asked = { title, description, type, priority, context: file === undefined ? undefined : { files: file } };
  return {
    projectId: place.id,
    roleId: role,
    ...(place.taskId === undefined ? { task: asked as Body["task"] } : { taskId: place.taskId }),
    purpose: input.purpose as Body["purpose"],
    overrides: {
      model: modelOf(input),
      rank: input.rank as Overrides["rank"],
      preset: input.preset as Overrides["preset"],
      thinking: thinking as Overrides["thinking"],
      timeout,
      skills,
    },
    variables: variablesOf(input.var ?? []),
    contextFiles: input.context,
    options: given({
      notifyOnComplete: input.notify === false ? false : undefined,
      createArtifact: input.artifact === false ? false : undefined,
    }),
  };
}

/** Which task in which project; without a task one is made from the title. */
function placeOf({ project, task, title, description, file }: InputOf<typeof spawn>, context: Context) {
  const id = chosenProject(project, context);
  if (task === undefined) {
    if (title.trim() !== "") return { id, taskId: undefined };
    throw new HallError("usage", "What is to be done?", { hint: "Give a title, or --task TASK." });
  }
  if (title !== "" || description !== undefined || file !== undefined) {
    throw new HallError("usage", "A task that is there keeps its title, description and files.", {
      hint: hint("task-edit-first"),
    });
  }
  return task.includes("/") ? taskPlace(task, project, context) : { id, taskId: taskId(task) };
}

function modelOf({ model, offline }: InputOf<typeof spawn>): string | undefined {
  if (offline !== true) return model;
  if (model === undefined || model.startsWith("offline/")) return model ?? OFFLINE;
  throw new HallError("usage", "--offline and --model exclude each other.", {
    hint: "An offline model of your own is named as --model offline/PLAYBOOK.",
  });
}

function variablesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new HallError("usage", `--var takes NAME=VALUE, not '${pair}'.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
