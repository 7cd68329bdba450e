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
  summary: "Start an agent on a task and follow it",
  detail:
    "Creates a task from the title, unless you pass --task. Without a project, the task goes to the 'inbox' project. " +
    "Follows the run until it ends, with a live status line on a terminal and one line per step in a pipe. " +
    "On a task that is in review or done, a read-only role reviews the result and any other role does the task again; --purpose overrides this. " +
    "Ctrl-C stops following; the run continues. Exits with 1 if the run does not complete. " +
    "With --json, prints only the run when it has ended.",
  args: {
    role: { kind: "one", help: "Role to start" },
    title: { kind: "maybe-rest", help: "Title of a new task (instead of --task)" },
  },
  options: {
    project,
    task: { kind: "text", value: "TASK", help: "Existing task (TASK-007, 7 or shop/7)" },
    purpose: { kind: "text", value: "PURPOSE", help: "Do the task or review its result", words: RUN_PURPOSES },
    description: { kind: "text", short: "d", value: "TEXT", help: "Task description ('-' reads standard input)" },
    type: { kind: "text", short: "t", value: "TYPE", help: "Task type", words: TASK_TYPES },
    priority: { kind: "text", value: "PRIORITY", help: "Priority", words: TASK_PRIORITIES },
    file: { kind: "many", value: "PATH", help: "Related file (repeatable)" },
    context: { kind: "many", value: "PATH", help: "Context file for the prompt (repeatable)" },
    model: { kind: "text", value: "MODEL", help: "Model, as provider/model" },
    offline: { kind: "flag", help: "Use the offline model (no API key, no cost)" },
    rank: {
      kind: "text",
      value: "RANK",
      help: "Rank in the team",
      words: RANKS,
    },
    preset: {
      kind: "text",
      value: "PRESET",
      help: "Model preset; requires --rank",
      words: MODEL_PRESETS,
    },
    thinking: { kind: "text", value: "LEVEL", help: "Thinking level", words: ["off", "low", "medium", "high"] },
    timeout: { kind: "number", value: "SECONDS", help: "Time limit" },
    skills: { kind: "list", value: "TOOLS", help: "Allowed tools, comma-separated" },
    ask: { kind: "list", value: "TOOLS", help: "More tools that ask you before each call, comma-separated" },
    var: { kind: "many", value: "NAME=VALUE", help: "Variable for the role's prompt (repeatable)" },
    artifact: { kind: "off", help: "Don't save the result as an artifact" },
    notify: { kind: "off", help: "Don't send a notification at the end" },
    dryRun: { kind: "flag", help: "Show the prompt, model, tools and limits without starting the run" },
    detach: { kind: "flag", help: "Start the run without following it" },
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
    output.answer(started, () => `Started ${runId} for ${started.taskId}.\nFollow with: ${follow}`);
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
  const { role, file, thinking, timeout, skills, ask } = input;
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
      ask,
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
    throw new HallError("usage", "Missing task.", { hint: "Pass a title or --task TASK." });
  }
  if (title !== "" || description !== undefined || file !== undefined) {
    throw new HallError("usage", "--task can't be combined with a title, --description or --file.", {
      hint: hint("task-edit-first"),
    });
  }
  return task.includes("/") ? taskPlace(task, project, context) : { id, taskId: taskId(task) };
}

function modelOf({ model, offline }: InputOf<typeof spawn>): string | undefined {
  if (offline !== true) return model;
  if (model === undefined || model.startsWith("offline/")) return model ?? OFFLINE;
  throw new HallError("usage", "--offline and --model can't be combined.", {
    hint: "To use your own offline playbook, pass --model offline/PLAYBOOK.",
  });
}

function variablesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new HallError("usage", `--var must be NAME=VALUE, not '${pair}'.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
