import { HallError } from "../../contract/errors.ts";
import type { RouteQuery } from "../../contract/routes/routes.ts";
import type { MergeBlocker } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver, RUN_STATUSES } from "../../contract/runs/run-status.ts";
import { activityWithHint } from "../../contract/words/activity-words.ts";
import { blockerWords } from "../../contract/words/blocker-words.ts";
import { adviceFor } from "../../contract/words/cause-advice.ts";
import { hintText } from "../../contract/words/hint.ts";
import { RUN_STATUS_WORDS, runStateWord } from "../../contract/words/run-words.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { type Context, chosenProject } from "../context.ts";
import { moreLines, readPages } from "../http/paging.ts";
import { runIdOf, taskId } from "../references.ts";
import { JournalTail } from "../runs/journal-tail.ts";
import { commandText, followRun } from "../runs/run-follow.ts";
import { costText, endText, grouped, money, reviewLines, runTime, standingText, stateStyle } from "../runs/run-text.ts";
import { RunView } from "../runs/run-view.ts";
import { onlyProject, paging } from "../shared-options.ts";
import { agentLines } from "../text/agent-words.ts";
import { controlLines } from "../text/control-text.ts";
import { oneLine } from "../text/plain-text.ts";
import { count, type Field, fieldLines, localTime, proseLines } from "../text/text-card.ts";
import { type Column, type TableSpace, textTable } from "../text/text-table.ts";
import { activityText } from "../text/tool-call.ts";

const NOT_COMPLETED = 1;

const run = { kind: "one", help: "Run id, or its first or last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "run list": command(
    {
      summary: "List runs, newest first",
      options: {
        project: onlyProject,
        status: {
          kind: "text",
          short: "s",
          value: "STATUS",
          help: "Filter by status",
          words: RUN_STATUSES,
        },
        task: { kind: "text", value: "TASK", help: "Filter by task" },
        role: { kind: "text", value: "ROLE", help: "Filter by role" },
        review: { kind: "flag", help: "Only runs in review" },
        ...paging,
      },
      examples: ["run list", "run list --review", "run list -p shop --status running"],
    },
    async ({ project, status, task, role, review, ...paging }, context) => {
      const { call, output } = context;
      const id = chosenProject(project, context);
      const filter = {
        project: id,
        status: status as RouteQuery<"listRuns">["status"],
        task: task === undefined ? undefined : taskId(task),
        role,
        review,
      };
      const answer = await readPages(
        paging,
        (page) => call("listRuns", { query: { ...page, ...filter } }),
        (before, next) => ({ ...next, runs: before.runs.concat(next.runs) }),
      );
      output.answer(answer, () => {
        const filtered = [filter.status, filter.task, role].some((wanted) => wanted !== undefined);
        const none = review === true ? "No results in review." : emptyText(id, { filtered, calledAs: output.calledAs });
        const list = answer.runs.length > 0 ? textTable(columns, answer.runs, output) : none;
        return [list, ...moreLines(answer.nextCursor)].join("\n");
      });
      return 0;
    },
  ),

  "run show": command(
    {
      summary: "Show a run",
      args: { run },
      examples: ["run show run-01m7fde4br0000fr579tsj", "run show 579tsj"],
    },
    async ({ run: given }, context) => {
      const { call, output, host } = context;
      const params = { runId: await runIdOf(given, context) };
      const answer = await call("getRun", { params });
      const { delivery } = answer.run;
      const isWaiting = delivery?.kind === "branch" && (delivery.state === "review" || delivery.state === "kept");
      const shown = isWaiting ? await call("getRunDiff", { params }).catch(() => undefined) : undefined;
      const { blockers = [] } = shown ?? {};
      const told = blockers.length === 0 ? answer : { ...answer, blockers };
      output.answer(told, () => runCard(answer.run, { ...output, now: host.time.now(), blockers }));
      return 0;
    },
  ),

  "run logs": command(
    {
      summary: "Show the log of a run",
      detail:
        "--follow continues until the run ends, with the same exit codes as spawn. " +
        "With --json, each journal entry is one line.",
      args: { run },
      options: {
        follow: { kind: "flag", short: "f", help: "Follow the run until it ends" },
        lines: { kind: "number", short: "n", value: "N", help: "Show only the last N journal entries" },
        full: { kind: "flag", help: "Include thinking and complete tool output" },
      },
      examples: ["run logs -f 579tsj", "run logs 579tsj --full", "run logs 579tsj --json"],
    },
    async ({ run: given, follow, lines, full }, context) => {
      if (lines !== undefined && !(Number.isInteger(lines) && lines >= 0))
        throw new HallError("usage", "--lines must be a whole number of at least 0.");
      const runId = await runIdOf(given, context);
      const after = await firstOf(lines, runId, context);
      const choice = { full: full === true };
      if (follow === true) {
        const ended = await followRun(runId, context, { ...choice, after });
        showEnd(ended, context);
        return ended.status === "completed" ? 0 : NOT_COMPLETED;
      }
      const { run } = await context.call("getRun", { params: { runId } });
      const view = new RunView(context, { ...choice, still: true });
      await new JournalTail(runId, context, { after, onEntry: (entry) => view.took(entry) }).catchUp();
      showEnd(run, context);
      return 0;
    },
  ),
};

function emptyText(
  project: string | undefined,
  { filtered, calledAs }: { filtered: boolean; calledAs: string },
): string {
  if (filtered) return "No runs match these filters.";
  return `No runs yet. Start one: ${calledAs} spawn ROLE TITLE -p ${project ?? "PROJECT"}`;
}

const columns: Column<Run>[] = [
  { title: "RUN", text: ({ id }) => id, style: () => "bold" },
  { title: "STATE", text: runStateWord, style: stateStyle },
  { title: "TASK", text: ({ projectId, taskId: task }) => `${projectId}/${task}`, spare: 1 },
  { title: "ROLE", text: ({ roleId }) => roleId, spare: 3 },
  { title: "CREATED", text: ({ createdAt }) => localTime(createdAt), spare: 5 },
  { title: "COST", text: costText, spare: 4 },
  { title: "NOW", text: ({ activity }) => activityText(activity), flexible: true, spare: 2 },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
];

interface CardSpace extends TableSpace {
  now: number;
  calledAs: string;
  blockers?: readonly MergeBlocker[];
}

export function runCard(run: Run, space: CardSpace): string {
  const { paint } = space;
  const state = [
    paint(stateStyle(run), runStateWord(run)),
    ...(run.activity ? [oneLine(activityWithHint(run.activity, space.calledAs))] : []),
  ];
  return [
    `${paint("bold", run.id)}  ${paint("bold", oneLine(run.title))}`,
    state.join(" · "),
    "",
    ...fieldLines([...placeFields(run), ...timeFields(run, space.now), ...usageFields(run)], paint),
    ...(space.blockers ?? []).flatMap((blocker) => ["", paint("yellow", oneLine(blockerWords(blocker)))]),
    ...controlPart(run, space),
    ...proseLines("Error", run.error, space),
    ...proseLines("Next step", nextStep(run, space.calledAs), space),
    ...agentLines("Result", run.result?.output, space),
    ...reviewPart(run, space),
  ].join("\n");
}

function nextStep(run: Run, calledAs: string): string | undefined {
  if (run.status !== "failed") return undefined;
  const { text, fix } = adviceFor(run);
  return fix === undefined ? text : `${text} ${hintText(fix, calledAs)}`;
}

function controlPart(run: Run, space: TableSpace): string[] {
  const { controlFiles = [], controlFileCount } = run.delivery ?? {};
  const isInFolder =
    run.delivery?.kind === "folder" && run.delivery.state !== "reverted" && run.delivery.state !== "discarded";
  const lines = controlLines(controlFiles, space, { all: controlFileCount, isInFolder });
  return lines.length === 0 ? [] : ["", ...lines];
}

function reviewPart(run: Run, space: TableSpace): string[] {
  const lines = reviewLines(run, space);
  return lines.length === 0 ? [] : ["", ...lines];
}

function placeFields(run: Run): Field[] {
  return [
    ["task", `${run.projectId}/${run.taskId}`],
    ["role", run.roleId],
    ["model", run.model],
    ["sandbox", run.sandbox === "none" ? "unsandboxed: commands have all your permissions" : run.sandbox],
    ["parent", run.parentRunId],
    ["review of", run.purpose === "review" ? (run.reviewOf ?? "the existing code") : undefined],
    ["outcome", run.result?.outcome],
    ["cause", run.cause],
    [run.delivery?.kind === "branch" ? "branch" : "changes", standingText(run)],
    ["files", run.result?.filesChanged.join(", ")],
    ["artifacts", run.result?.artifacts.join(", ")],
  ];
}

function timeFields(run: Run, now: number): Field[] {
  return [
    ["created", localTime(run.createdAt)],
    ["started", localTime(run.startedAt)],
    ["ended", localTime(run.endedAt)],
    ["took", runTime(run, now)],
    ["attempts", run.attempt > 1 ? `${run.attempt} (resumed)` : undefined],
  ];
}

function usageFields({ usage, reflection }: Run): Field[] {
  const { turns, inputTokens, outputTokens, cacheReadTokens, costUsd, costKnown } = usage;
  const cached = cacheReadTokens === 0 ? "" : ` (${grouped(cacheReadTokens)} cached)`;
  return [
    ["turns", turns],
    ["tokens", `${grouped(inputTokens)} in${cached}, ${grouped(outputTokens)} out`],
    ["cost", `${money(costUsd, costKnown)}${costKnown ? "" : " (estimated: price unknown)"}`],
    ["reflection", reflection && reflectionText(reflection)],
  ];
}

function reflectionText({ rounds, wrote, costUsd, costKnown, error }: NonNullable<Run["reflection"]>): string {
  const what = wrote.length === 0 ? "nothing saved" : `wrote ${wrote.join(", ")}`;
  const cost = `${count(rounds, "call")} for ${money(costUsd, costKnown)}, part of the cost`;
  return [what, cost, ...(error === undefined ? [] : [error])].join(" · ");
}

/** How many entries come before the newest ones that are wanted. */
async function firstOf(lines: number | undefined, runId: string, { call }: Context): Promise<number> {
  if (lines === undefined) return 0;
  const { total } = await call("getTranscript", { params: { runId }, query: { after: 0, limit: 1 } });
  return Math.max(0, total - lines);
}

/** The journal says it all to a program. */
function showEnd(run: Run, context: Context): void {
  const { output } = context;
  if (output.json) return;
  const command = commandText(`run ${isOver(run) ? "retry" : "logs -f"} ${run.id}`, context);
  output.row(run, () => `\n${isOver(run) ? endText(run, { ...output, command }) : atWorkText(run, command)}`);
}

function atWorkText({ status, activity }: Run, command: string): string {
  return `${RUN_STATUS_WORDS[status]}${activity === undefined ? "" : ` · ${activityText(activity)}`}\nFollow with: ${command}`;
}
