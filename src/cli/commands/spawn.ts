import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/hint.ts";
import type { RouteBodyInput, RouteResponse } from "../../contract/routes.ts";
import type { SpawnResponse } from "../../contract/run.ts";
import { type Action, type Context, chosenProject } from "../context.ts";
import { given, textOrInput } from "../input.ts";
import { planText } from "../plan-text.ts";
import { endText } from "../run-text.ts";
import type { CommandInput } from "../table/all.ts";
import { taskId, taskPlace } from "../task-reference.ts";
import { commandText, followRun } from "./run-follow.ts";

type Body = RouteBodyInput<"spawn">;
type Overrides = NonNullable<Body["overrides"]>;

const OFFLINE = "offline/rehearsal";
const NOT_COMPLETED = 1;

export const spawn: Action<"spawn"> = async (input, context) => {
  const body = await bodyOf(input, context);
  const answer = await ask(body, input.dryRun === true, context);
  if (!("plan" in answer)) return showStarted(answer, input.detach !== true, context);
  const { output } = context;
  // The prompt is shown exactly as it would be sent, so that no line of it may be broken.
  if (output.json) output.answer(answer, () => "");
  else output.row(answer, () => planText(answer.plan, output));
  return 0;
};

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

async function bodyOf(input: CommandInput<"spawn">, context: Context): Promise<Body> {
  const { role, file, thinking, timeout, skills } = input;
  const place = placeOf(input, context);
  const description = await textOrInput(input.description, context.host);
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
function placeOf({ project, task, title, description, file }: CommandInput<"spawn">, context: Context) {
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

function modelOf({ model, offline }: CommandInput<"spawn">): string | undefined {
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
