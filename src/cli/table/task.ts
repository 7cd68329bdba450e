import { TASK_OUTCOMES, TASK_PRIORITIES, TASK_STATUSES, TASK_TYPES } from "../../contract/task-status.ts";
import type { ArgumentSpec, CommandSpec, OptionSpec } from "../command-spec.ts";
import { ifMatch, onlyProject, paging, project } from "./shared-options.ts";

const task = { kind: "one", help: "TASK-007, 7, or project/TASK-007" } as const satisfies ArgumentSpec;
const outcome = {
  kind: "text",
  value: "OUTCOME",
  help: "how it ended",
  words: TASK_OUTCOMES,
} as const satisfies OptionSpec;
const completionNotes = {
  kind: "text",
  value: "TEXT",
  help: "what was done ('-' reads standard input)",
} as const satisfies OptionSpec;

const taskFields = {
  description: { kind: "text", short: "d", value: "TEXT", help: "what is to be done ('-' reads standard input)" },
  type: { kind: "text", short: "t", value: "TYPE", help: "kind of work", words: TASK_TYPES },
  priority: { kind: "text", value: "PRIORITY", help: "how urgent it is", words: TASK_PRIORITIES },
  status: { kind: "text", short: "s", value: "STATUS", help: "where it stands", words: TASK_STATUSES },
  role: { kind: "text", value: "ROLE", help: "the role that does it" },
  label: { kind: "list", value: "LABELS", help: "labels, separated by commas" },
  criterion: { kind: "many", value: "TEXT", help: "an acceptance criterion; repeat it for more" },
  file: { kind: "many", value: "PATH", help: "a file it is about; repeat it for more" },
  ref: { kind: "many", value: "REF", help: "a place in the code, as src/a.ts:10; repeat it for more" },
  related: { kind: "many", value: "TEXT", help: "something it builds on; repeat it for more" },
  blockedBy: { kind: "list", value: "TASKS", help: "tasks it waits for, separated by commas" },
  blocks: { kind: "list", value: "TASKS", help: "tasks that wait for it, separated by commas" },
  plan: { kind: "text", value: "INITIATIVE", help: "the initiative it belongs to" },
  notes: { kind: "text", value: "TEXT", help: "remarks ('-' reads standard input)" },
} as const satisfies Record<string, OptionSpec>;

export const taskCommands = {
  "task add": {
    summary: "add a task to a project",
    args: { title: { kind: "one", help: "what it is, in one line" } },
    options: { project, ...taskFields },
    examples: [
      "task add 'Fix the login page' -p shop --type bug --priority high",
      "task add 'Pay by card' -p shop --criterion 'Cards are accepted' --criterion 'Refunds work' --blocked-by 7",
      "task add 'Write the guide' -p shop -d - < guide.txt",
      "task add -p shop -- '--help is too long'",
    ],
  },
  "task list": {
    summary: "list tasks",
    options: {
      project: onlyProject,
      status: {
        kind: "text",
        short: "s",
        value: "STATUS",
        help: "a status, or 'todo' for all not begun",
        words: ["todo", ...TASK_STATUSES],
      },
      priority: { kind: "text", value: "PRIORITY", help: "only these", words: TASK_PRIORITIES },
      type: { kind: "text", short: "t", value: "TYPE", help: "only these", words: TASK_TYPES },
      role: { kind: "text", value: "ROLE", help: "only those of this role" },
      label: { kind: "text", value: "LABEL", help: "only those with this label" },
      plan: { kind: "text", value: "INITIATIVE", help: "only those of this initiative" },
      ready: { kind: "toggle", help: "whether it can be started now" },
      query: { kind: "text", short: "q", value: "TEXT", help: "only tasks that match" },
      sort: { kind: "text", value: "BY", help: "id, updated or priority", words: ["id", "updated", "priority"] },
      order: { kind: "text", value: "ORDER", help: "asc or desc", words: ["asc", "desc"] },
      ...paging,
    },
    examples: ["task list -p shop --status todo --ready", "task list --all --json"],
  },
  "task show": {
    summary: "show one task",
    args: { task },
    options: { project },
    examples: ["task show TASK-007 -p shop", "task show shop/7"],
  },
  "task edit": {
    summary: "change a task",
    detail:
      "Only what is given changes; a list given replaces the former one, and an empty value ('') takes a setting away. " +
      "Criteria that keep their text stay checked.",
    args: { task },
    options: {
      project,
      title: { kind: "text", value: "TITLE", help: "what it is, in one line" },
      ...taskFields,
      check: { kind: "list", value: "N", help: "check the criteria with these numbers" },
      uncheck: { kind: "list", value: "N", help: "uncheck the criteria with these numbers" },
      completionNotes,
      outcome,
      ifMatch,
    },
    examples: [
      "task edit TASK-007 -p shop --priority urgent --check 1,2",
      "task edit shop/7 --role '' --label backend,login",
    ],
  },
  "task move": {
    summary: "move a task to another status",
    args: { task, status: { kind: "one", help: "the new status", words: TASK_STATUSES } },
    options: { project, outcome, completionNotes, ifMatch },
    examples: ["task move TASK-007 in-progress -p shop", "task move shop/7 done --outcome full"],
  },
  "task search": {
    summary: "search tasks by their words, best first",
    args: { query: { kind: "rest", help: "words to look for" } },
    options: {
      project: onlyProject,
      limit: { kind: "number", value: "N", help: "how many at most (1 to 100, 20 unless given)" },
    },
    examples: ["task search login timeout", "task search refund -p shop"],
  },
} as const satisfies Record<string, CommandSpec>;
