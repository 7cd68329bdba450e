import { HallError } from "../../contract/errors.ts";
import type { Checkpoint, CheckpointList, Rollback } from "../../contract/runs/checkpoint.ts";
import { command } from "../command.ts";
import { type Context, chosenProject } from "../context.ts";
import { runIdOf } from "../references.ts";
import { onlyProject } from "../shared-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { count, localTime } from "../text/text-card.ts";
import { type Column, textTable } from "../text/text-table.ts";

/** Below this the ends of ids, which are as good, make room for what one chooses by. */
const WIDE = 130;
const SHORT_ID = 6;
const MOST_PROJECTS = 1_000;
const MOST_SHOWN = 100;

export const commands = {
  "checkpoint list": command(
    {
      summary: "List checkpoints and the files that agents changed",
      options: { project: onlyProject },
      examples: ["checkpoint list -p shop", "checkpoint list --json"],
    },
    async ({ project }, context) => {
      const { output } = context;
      const lists = await listsOf(project, context);
      const checkpoints = listed(lists);
      const conflicts = lists.flatMap(({ projectId, list }) => list.conflicts.map((one) => ({ projectId, ...one })));
      output.answer({ checkpoints, conflicts }, () => {
        if (checkpoints.length === 0)
          return "No checkpoints yet. One is created when a run that can change files starts.";
        const shared = conflicts.map(({ path, runs }) => `${oneLine(path)} changed by ${runs.join(" and ")}.`);
        const isNarrow = output.width !== undefined && output.width < WIDE;
        const rows = checkpoints.map((one, at) => ({ ...one, before: beforeText(one, checkpoints.slice(at + 1)) }));
        const columns = columnsFor({ isNarrow, isOne: chosenProject(project, context) !== undefined });
        return [textTable(columns, rows, output), ...shared].join("\n");
      });
      return 0;
    },
  ),

  "checkpoint rollback": command(
    {
      summary: "Roll back agent changes made since a checkpoint",
      detail:
        "Only files that agents changed since then are rolled back. Files that were also changed outside Guildhall are listed and kept. " +
        "A new checkpoint is created first, so you can undo the rollback. The checkpoint of a result in review sets its branch back, and " +
        "leaves the folder as it is.",
      args: { checkpoint: { kind: "one", help: "Checkpoint id, or its last characters" } },
      options: {
        project: onlyProject,
        run: { kind: "text", value: "RUN", help: "Only changes by this run and its subagents" },
        dryRun: { kind: "flag", help: "Show what would change without changing it" },
      },
      examples: ["checkpoint rollback 3f2k9x --dry-run", "checkpoint rollback 3f2k9x -p shop --run 8wq1zt"],
    },
    async (input, context) => {
      const { call, output } = context;
      const { id, projectId } = await find(input.checkpoint, input.project, context);
      const runId = input.run === undefined ? undefined : await runIdOf(input.run, context);
      const body = { dryRun: input.dryRun === true, ...(runId === undefined ? {} : { runId }) };
      const answer = await call("rollback", { params: { id: projectId, checkpointId: id }, body });
      output.answer(answer, () => rollbackText(answer, output.calledAs));
      return 0;
    },
  ),
};

type Listed = Checkpoint & { projectId: string };

type Row = Listed & { before: string };

async function listsOf(project: string | undefined, context: Context) {
  const { call } = context;
  const chosen = chosenProject(project, context);
  const { projects } =
    chosen === undefined
      ? await call("listProjects", { query: { limit: MOST_PROJECTS } })
      : { projects: [{ id: chosen }] };
  const lists: { projectId: string; list: CheckpointList }[] = [];
  for (const { id } of projects) lists.push({ projectId: id, list: await call("listCheckpoints", { params: { id } }) });
  return lists;
}

function listed(lists: { projectId: string; list: CheckpointList }[]): Listed[] {
  return lists.flatMap(({ projectId, list }) => list.checkpoints.map((checkpoint) => ({ projectId, ...checkpoint })));
}

/** Ids are long: their last characters will do when they fit only one. */
async function find(given: string, project: string | undefined, context: Context): Promise<Listed> {
  const ending = given.trim().toLowerCase();
  const fitting = listed(await listsOf(project, context)).filter(({ id }) => id.endsWith(ending));
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0];
  if (fitting.length === 0) throw new HallError("checkpoint_not_found", `No checkpoint id ends with '${given}'.`);
  throw new HallError("usage", `'${given}' matches ${fitting.length} checkpoints.`, {
    hint: "Pass more of the id.",
  });
}

export function rollbackText(
  { dryRun, restored, left, conflicts, checkpointId, note }: Rollback,
  calledAs: string,
): string {
  const deeds = { created: "restored", changed: "reverted", removed: "removed" };
  const done = restored.map(({ path, how }) => `${dryRun ? "would be " : ""}${deeds[how]}: ${oneLine(path)}`);
  const more = done.length > MOST_SHOWN ? [`… and ${count(done.length - MOST_SHOWN, "more path")}`] : [];
  const kept = left.map(({ path, reason }) => `left: ${oneLine(path)} (${oneLine(reason)})`);
  const shared = conflicts.map(({ path, runs }) => `changed by several runs: ${oneLine(path)} (${runs.join(", ")})`);
  const undo =
    checkpointId === undefined || done.length === 0
      ? []
      : [`Undo with: ${calledAs} checkpoint rollback ${checkpointId}`];
  const nothing = done.length === 0 ? ["Nothing to roll back."] : [];
  return [
    ...done.slice(0, MOST_SHOWN),
    ...more,
    ...kept,
    ...shared,
    ...nothing,
    ...(note === undefined ? [] : [note]),
    ...undo,
  ].join("\n");
}

function columnsFor({ isNarrow, isOne }: { isNarrow: boolean; isOne: boolean }): Column<Row>[] {
  const idText = (id: string) => (isNarrow ? id.slice(-SHORT_ID) : id);
  const project: Column<Row> = { title: "PROJECT", text: ({ projectId }) => projectId, spare: 4 };
  return [
    { title: "CHECKPOINT", text: ({ id }) => idText(id), style: () => "bold" },
    { title: "TAKEN", text: ({ at }) => localTime(at, "seconds"), spare: 1 },
    ...(isOne ? [] : [project]),
    { title: "BEFORE", text: ({ before }) => before },
    { title: "RUN", text: ({ runId }) => idText(runId ?? ""), spare: 2 },
    { title: "FILES", text: ({ files }) => String(files), spare: 5 },
    { title: "CHANGED SINCE", text: changedText, flexible: true },
  ];
}

/** What followed, in a word; behind something that changed nothing, as a refused merge, that. */
function beforeText({ reason, runId }: Checkpoint, older: readonly Checkpoint[]): string {
  const texts = {
    "run-start": "a run",
    "run-end": "(end)",
    merge: "a merge",
    merged: "(merged)",
    revert: "a revert",
    reverted: "(reverted)",
    rollback: "a rollback",
    "pre-work": "the work",
    "pre-review": "a gate",
  };
  const begin = reason === "merged" ? "merge" : reason === "reverted" ? "revert" : undefined;
  const begun = older.find((one) => one.reason === begin && one.runId === runId);
  return begun?.changedCount === 0 ? "(no change)" : texts[reason];
}

function changedText({ changed, changedCount, notKept, damaged, branch }: Checkpoint): string {
  if (branch !== undefined) return `(branch ${oneLine(branch.name)})`;
  const names = changed.slice(0, 5).map(({ path }) => oneLine(path));
  const rest = changedCount > names.length ? [`${changedCount - names.length} more`] : [];
  const kept = notKept.length > 0 ? [`(${notKept.length} not kept)`] : [];
  const lost = damaged ? ["(damaged: missing on disk)"] : [];
  return [...names, ...rest, ...kept, ...lost].join(", ");
}
