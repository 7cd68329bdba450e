import type { Criterion, Task, TaskMove, TaskUpdate } from "../../contract/documents/task.ts";
import { TASK_OUTCOMES, TASK_PRIORITIES, TASK_STATUSES, TASK_TYPES } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { ArgumentSpec, CommandSpec, InputOf, OptionSpec } from "../command-spec.ts";
import { type Context, requiredProject } from "../context.ts";
import { clearable, given, requireChange, textOrInput } from "../input.ts";
import { taskId, taskPlace } from "../references.ts";
import { ifMatch, project } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";

const MOST_TRIES = 5;

const task = { kind: "one", help: "TASK-007, 7, or project/TASK-007" } as const satisfies ArgumentSpec;

const outcome = {
  kind: "text",
  value: "OUTCOME",
  help: "Outcome",
  words: TASK_OUTCOMES,
} as const satisfies OptionSpec;

const completionNotes = {
  kind: "text",
  value: "TEXT",
  help: "Completion notes ('-' reads standard input)",
} as const satisfies OptionSpec;

const taskFields = {
  description: { kind: "text", short: "d", value: "TEXT", help: "Description ('-' reads standard input)" },
  type: { kind: "text", short: "t", value: "TYPE", help: "Task type", words: TASK_TYPES },
  priority: { kind: "text", value: "PRIORITY", help: "Priority", words: TASK_PRIORITIES },
  status: { kind: "text", short: "s", value: "STATUS", help: "Status", words: TASK_STATUSES },
  role: { kind: "text", value: "ROLE", help: "Assigned role" },
  label: { kind: "list", value: "LABELS", help: "Labels, comma-separated" },
  criterion: { kind: "many", value: "TEXT", help: "Acceptance criterion (repeatable)" },
  file: { kind: "many", value: "PATH", help: "Related file (repeatable)" },
  ref: { kind: "many", value: "REF", help: "Code location, such as src/a.ts:10 (repeatable)" },
  related: { kind: "many", value: "TEXT", help: "Dependency, as free text (repeatable)" },
  blockedBy: { kind: "list", value: "TASKS", help: "Tasks that block it, comma-separated" },
  blocks: { kind: "list", value: "TASKS", help: "Tasks it blocks, comma-separated" },
  plan: { kind: "text", value: "INITIATIVE", help: "Initiative" },
  notes: { kind: "text", value: "TEXT", help: "Notes ('-' reads standard input)" },
} as const satisfies Record<string, OptionSpec>;

const taskAdd = {
  summary: "Add a task to a project",
  args: { title: { kind: "one", help: "Title" } },
  options: { project, ...taskFields },
  examples: [
    "task add 'Fix the login page' -p shop --type bug --priority high",
    "task add 'Pay by card' -p shop --criterion 'Cards are accepted' --criterion 'Refunds work' --blocked-by 7",
    "task add 'Write the guide' -p shop -d - < guide.txt",
    "task add -p shop -- '--help is too long'",
  ],
} as const satisfies CommandSpec;

const taskEdit = {
  summary: "Edit a task",
  detail:
    "Changes only the options you pass. Lists are replaced, and an empty value ('') clears a setting. " +
    "Criteria whose text stays the same stay checked.",
  args: { task },
  options: {
    project,
    title: { kind: "text", value: "TITLE", help: "Title" },
    ...taskFields,
    check: { kind: "list", value: "N", help: "Criteria to check, by number" },
    uncheck: { kind: "list", value: "N", help: "Criteria to uncheck, by number" },
    completionNotes,
    outcome,
    ifMatch,
  },
  examples: [
    "task edit TASK-007 -p shop --priority urgent --check 1,2",
    "task edit shop/7 --role '' --label backend,login",
  ],
} as const satisfies CommandSpec;

export const commands = {
  "task add": command(taskAdd, async ({ title, project, ...fields }, context) => {
    const { host, call, output } = context;
    const answer = await call("createTask", {
      params: { id: requiredProject(project, context) },
      body: {
        title,
        ...taskWords(fields),
        description: await textOrInput(fields.description, host.input),
        notes: await textOrInput(fields.notes, host.input),
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
      () => `Added ${task.projectId}/${task.id}: ${oneLine(task.title)}\nFile: ${oneLine(task.path)}`,
    );
    return 0;
  }),

  "task edit": command(taskEdit, async (input, context) => {
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
    output.answer(answer, () => `Updated ${task.projectId}/${task.id}: ${oneLine(task.title)} (${task.status})`);
    return 0;
  }),

  "task move": command(
    {
      summary: "Change a task's status",
      args: { task, status: { kind: "one", help: "New status", words: TASK_STATUSES } },
      options: { project, outcome, completionNotes, ifMatch },
      examples: ["task move TASK-007 in-progress -p shop", "task move shop/7 done --outcome full"],
    },
    async ({ task, status, project, outcome, completionNotes, ifMatch }, context) => {
      const { host, call, output } = context;
      const body = {
        status: status as TaskMove["status"],
        outcome: outcome as TaskMove["outcome"],
        completionNotes: await textOrInput(completionNotes, host.input),
      };
      const answer = await call("moveTask", { params: taskPlace(task, project, context), body, ifMatch });
      const moved = answer.task;
      output.answer(answer, () => `${moved.projectId}/${moved.id} is ${moved.status}.`);
      return 0;
    },
  ),
};

/**
 * Checking a criterion needs the list as it is. The change is bound to the version that was read, and made again on
 * the newer one when somebody was faster; with --if-match the person wants to know instead.
 */
async function editWithCriteria(
  input: InputOf<typeof taskEdit>,
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

function editedCriteria(before: Criterion[], { criterion, check, uncheck }: InputOf<typeof taskEdit>): Criterion[] {
  return editCriteria(before, { texts: criterion, check: checkNumbers(check), uncheck: checkNumbers(uncheck) });
}

async function taskUpdate(input: InputOf<typeof taskEdit>, { host }: Context): Promise<TaskUpdate> {
  return {
    title: input.title,
    ...taskWords(input),
    description: await textOrInput(input.description, host.input),
    notes: await textOrInput(input.notes, host.input),
    completionNotes: clearable(await textOrInput(input.completionNotes, host.input)),
    outcome: clearable(input.outcome) as TaskUpdate["outcome"],
    assignedRoleId: clearable(input.role),
    plan: clearable(input.plan),
    context: taskContext(input),
    ...taskLists(input),
  };
}

type Fields = Omit<InputOf<typeof taskAdd>, "title">;

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

interface CriteriaEdit {
  /** The new list; a text that was there before keeps its tick. */
  texts?: readonly string[] | undefined;
  /** Numbers as a person counts, from 1, in the new list. */
  check: readonly number[];
  uncheck: readonly number[];
}

function editCriteria(before: readonly Criterion[], { texts, check, uncheck }: CriteriaEdit): Criterion[] {
  const checked = new Set(before.filter(({ done }) => done).map(({ text }) => text));
  const list =
    texts === undefined
      ? before.map((each) => ({ ...each }))
      : texts.map((text) => ({ text, done: checked.has(text) }));
  for (const number of check) at(list, number).done = true;
  for (const number of uncheck) at(list, number).done = false;
  return list;
}

function checkNumbers(words: readonly string[] | undefined): number[] {
  return (words ?? []).map((word) => {
    if (!/^[1-9]\d{0,3}$/.test(word)) throw new HallError("usage", `'${word}' is not a valid criterion number.`);
    return Number(word);
  });
}

function at(list: Criterion[], number: number): Criterion {
  const found = list[number - 1];
  if (found !== undefined) return found;
  const extent = list.length === 0 ? "The task has no criteria" : `The task has criteria 1 to ${list.length}`;
  throw new HallError("usage", `No criterion ${number}.`, {
    hint: hint("task-criteria", { text: extent }),
  });
}
