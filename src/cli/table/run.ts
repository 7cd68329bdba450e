import { MODEL_PRESETS, RANKS } from "../../contract/rank-names.ts";
import { RUN_PURPOSES } from "../../contract/review-words.ts";
import { RUN_STATUSES } from "../../contract/run-status.ts";
import { TASK_PRIORITIES, TASK_TYPES } from "../../contract/task-status.ts";
import type { ArgumentSpec, CommandSpec } from "../command-spec.ts";
import { onlyProject, paging, project } from "./shared-options.ts";

const run = { kind: "one", help: "the run's id, or its last characters" } as const satisfies ArgumentSpec;

export const runCommands = {
  spawn: {
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
  },
  "run list": {
    summary: "list runs, newest first",
    options: {
      project: onlyProject,
      status: {
        kind: "text",
        short: "s",
        value: "STATUS",
        help: "only these",
        words: RUN_STATUSES,
      },
      task: { kind: "text", value: "TASK", help: "only runs of this task" },
      role: { kind: "text", value: "ROLE", help: "only runs of this role" },
      review: { kind: "flag", help: "only those whose result waits for you" },
      ...paging,
    },
    examples: ["run list", "run list --review", "run list -p shop --status running"],
  },
  "run show": {
    summary: "show one run",
    args: { run },
    examples: ["run show run-01m7fde4br0000fr579tsj", "run show 579tsj"],
  },
  "run logs": {
    summary: "print what was said and done in a run",
    detail:
      "With --follow it goes on until the run ends, as spawn does, with the same exit codes. " +
      "With --json each entry of the journal is one line.",
    args: { run },
    options: {
      follow: { kind: "flag", short: "f", help: "go on until the run ends" },
      lines: { kind: "number", short: "n", value: "N", help: "only the newest entries of the journal" },
      full: { kind: "flag", help: "with thoughts, and all that tools answered" },
    },
    examples: ["run logs -f 579tsj", "run logs 579tsj --full", "run logs 579tsj --json"],
  },
  "run cancel": {
    summary: "stop a run and the runs it started",
    detail: "Returns when it is over.",
    args: { run },
    examples: ["run cancel 579tsj"],
  },
  "run retry": {
    summary: "start a new run for the task of a run that is over",
    detail:
      "With the same role, model and variables as were asked for then. On a branch of its own: 'run reject' has a new run go on with what " +
      "the other one left.",
    args: { run },
    options: { follow: { kind: "flag", short: "f", help: "follow the new run until it ends" } },
    examples: ["run retry 579tsj", "run retry -f 579tsj"],
  },
  "run message": {
    summary: "say something to an agent at work",
    detail: "The agent reads it before its next turn.",
    args: { run, text: { kind: "rest", help: "what to say ('-' reads standard input)" } },
    examples: ['run message 579tsj "Leave the tests alone"'],
  },
  "run diff": {
    summary: "show what a run changed",
    detail:
      "Its last lines give the hash that an approval names. What binary files hold is left out. " +
      "With --json all of it is in `diff`, as git applies it.",
    args: { run },
    options: {
      stat: { kind: "flag", help: "only which files, and how much" },
      full: { kind: "flag", help: "all lines; else a terminal shows the first 2,000" },
    },
    examples: ["run diff 579tsj", "run diff 579tsj --stat"],
  },
  "run approve": {
    summary: "accept the result of a run that waits for review, or did not complete",
    detail:
      "Its branch is merged; without git, what it changed is in the folder already. " +
      "On a terminal, without --hash, it shows the diff and asks. " +
      "Refused when the diff is not the one that was shown, or when it cannot be merged.",
    args: { run },
    options: { hash: { kind: "text", value: "HASH", help: "of the diff that was looked at, as run diff shows it" } },
    examples: ["run approve 579tsj", "run approve 579tsj --hash 2f1c0e7d9a5b4c3d8e6f7a8b9c0d1e2f"],
  },
  "run reject": {
    summary: "send the result of a run back with what is to be done better",
    detail:
      "A new run goes on with the same branch, or with the folder as it is, and reads it. " +
      "Also for what a run left that failed or was cancelled.",
    args: { run, feedback: { kind: "rest", help: "what is to be done better ('-' reads standard input)" } },
    options: { follow: { kind: "flag", short: "f", help: "follow the new run until it ends" } },
    examples: ['run reject 579tsj "Keep the old name of the function"'],
  },
  "run revert": {
    summary: "take back what a run changed",
    detail:
      "Where it was merged, with a commit that changes only the files of that run. Without git, its files go back to what " +
      "they were before it; those that were changed since are left and named. Of a branch that waited, and that you removed, it takes note. Its task is to do again.",
    args: { run },
    examples: ["run revert 579tsj"],
  },
  cost: {
    summary: "show what model calls cost",
    options: {
      project: onlyProject,
      by: {
        kind: "text",
        value: "SIDE",
        help: "sum by run, role, project, model or day (day unless given)",
        words: ["run", "role", "project", "model", "day"],
      },
      since: { kind: "text", value: "DATE", help: "only runs since, as 2026-11-01" },
    },
    examples: ["cost", "cost --by model --since 2026-11-01", "cost --by run -p shop"],
  },
} as const satisfies Record<string, CommandSpec>;
