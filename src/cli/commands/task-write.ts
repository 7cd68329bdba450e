import { HallError } from "../../contract/errors.ts";
import type { Criterion, Task, TaskMove, TaskUpdate } from "../../contract/task.ts";
import { type Action, type Context, requiredProject } from "../context.ts";
import { checkNumbers, editCriteria } from "../criteria.ts";
import { clearable, given, requireChange, textOrInput } from "../input.ts";
import { oneLine } from "../plain-text.ts";
import type { CommandInput } from "../table/all.ts";
import { taskId, taskPlace } from "../task-reference.ts";

export const taskAdd: Action<"task add"> = async ({ title, project, ...fields }, context) => {
  const { host, call, output } = context;
  const answer = await call("createTask", {
    params: { id: requiredProject(project, context) },
    body: {
      title,
      ...taskWords(fields),
      description: await textOrInput(fields.description, host),
      notes: await textOrInput(fields.notes, host),
      assignedRoleId: fields.role,
      plan: fields.plan,
      context: taskContext(fields),
      acceptanceCriteria: fields.criterion,
      ...taskLists(fields),
    },
  });
  const { task } = answer;
  output.answer(
    answer,
    () => `Added ${task.projectId}/${task.id}: ${oneLine(task.title)}\nIts file is ${oneLine(task.path)}`,
  );
  return 0;
};

export const taskEdit: Action<"task edit"> = async (input, context) => {
  const { call, output } = context;
  const params = taskPlace(input.task, input.project, context);
  const body = await taskUpdate(input, context);
  const { criterion, check, uncheck, ifMatch } = input;
  requireChange({ ...body, criterion, check, uncheck }, "task edit");
  const answer =
    given({ criterion, check, uncheck }) === undefined
      ? await call("updateTask", { params, body, ifMatch })
      : await editWithCriteria(input, body, context);
  const { task } = answer;
  output.answer(answer, () => `Changed ${task.projectId}/${task.id}: ${oneLine(task.title)} (${task.status})`);
  return 0;
};

export const taskMove: Action<"task move"> = async (
  { task, status, project, outcome, completionNotes, ifMatch },
  context,
) => {
  const { host, call, output } = context;
  const body = {
    status: status as TaskMove["status"],
    outcome: outcome as TaskMove["outcome"],
    completionNotes: await textOrInput(completionNotes, host),
  };
  const answer = await call("moveTask", { params: taskPlace(task, project, context), body, ifMatch });
  const moved = answer.task;
  output.answer(answer, () => `${moved.projectId}/${moved.id} is ${moved.status}.`);
  return 0;
};

const MOST_TRIES = 5;

/**
 * Checking a criterion needs the list as it is. The change is bound to the version that was read, and made again on
 * the newer one when somebody was faster; with --if-match the person wants to know instead.
 */
async function editWithCriteria(
  input: CommandInput<"task edit">,
  body: TaskUpdate,
  context: Context,
): Promise<{ task: Task }> {
  const params = taskPlace(input.task, input.project, context);
  for (let tries = 1; ; tries++) {
    const { task } = await context.call("getTask", { params });
    const acceptanceCriteria = editedCriteria(task.acceptanceCriteria, input);
    const ifMatch = input.ifMatch ?? task.etag;
    try {
      return await context.call("updateTask", { params, body: { ...body, acceptanceCriteria }, ifMatch });
    } catch (error) {
      const mayRetry = error instanceof HallError && error.code === "version_mismatch" && input.ifMatch === undefined;
      if (!mayRetry || tries === MOST_TRIES) throw error;
    }
  }
}

function editedCriteria(before: Criterion[], { criterion, check, uncheck }: CommandInput<"task edit">): Criterion[] {
  return editCriteria(before, { texts: criterion, check: checkNumbers(check), uncheck: checkNumbers(uncheck) });
}

async function taskUpdate(input: CommandInput<"task edit">, { host }: Context): Promise<TaskUpdate> {
  return {
    title: input.title,
    ...taskWords(input),
    description: await textOrInput(input.description, host),
    notes: await textOrInput(input.notes, host),
    completionNotes: clearable(await textOrInput(input.completionNotes, host)),
    outcome: clearable(input.outcome) as TaskUpdate["outcome"],
    assignedRoleId: clearable(input.role),
    plan: clearable(input.plan),
    context: taskContext(input),
    ...taskLists(input),
  };
}

type Fields = Omit<CommandInput<"task add">, "title">;

/** Words are passed on as they are: the daemon knows which it takes, aliases included. */
function taskWords({ type, priority, status }: Fields): Pick<TaskUpdate, "type" | "priority" | "status"> {
  return {
    type: type as TaskUpdate["type"],
    priority: priority as TaskUpdate["priority"],
    status: status as TaskUpdate["status"],
  };
}

function taskContext({ file, ref, related }: Fields): TaskUpdate["context"] {
  return given({ files: file, codeRefs: ref, dependencies: related });
}

function taskLists({ label, blockedBy, blocks }: Fields): Pick<TaskUpdate, "labels" | "blockedBy" | "blocks"> {
  return { labels: label, blockedBy: blockedBy?.map(taskId), blocks: blocks?.map(taskId) };
}
