import type { Actor } from "../contract/event.ts";
import type { Run } from "../contract/runs/run.ts";
import type { IndexedRun, RunTable } from "../store/index/run-table.ts";
import { assertMay, type Caller } from "./rights.ts";

type Runs = Pick<RunTable, "get">;
type Result = Pick<Run, "id" | "projectId">;

/** Who decides about the result of a run must be allowed to, and must have had no part in it. */
export function assertMayDecide(actor: Actor, result: Result, runs: Runs): void {
  const { id, projectId: project } = result;
  assertMay(callerOf(actor, project), "decide", { project, isOwnWork: isOwnWork(actor, id, runs) });
}

/**
 * Whether an actor did the work of a run, or had it done. For an agent that is its own run with those above and below it; for a
 * client, what it started and what came of that. The person may decide about everything.
 */
export function isOwnWork(actor: Actor, runId: string, runs: Runs): boolean {
  const line = lineOf(runId, runs);
  if (actor.kind === "agent") return line.includes(actor.id ?? "") || lineOf(actor.id ?? "", runs).includes(runId);
  return actor.kind === "client" && line.some((id) => clientsOf(runs.get(id)).includes(actor.id ?? ""));
}

/** The clients that had a run done: by starting it, its team, or the run whose result it continues. */
export function clientsOf(known: Pick<IndexedRun, "by" | "clients"> | undefined): string[] {
  const { by, clients = [] } = known ?? {};
  return by?.kind === "client" && by.id !== undefined ? [by.id, ...clients] : [...clients];
}

/** A run and those above it that started it. */
function lineOf(runId: string, runs: Runs): string[] {
  const parent = runs.get(runId)?.run.parentRunId;
  return [runId, ...(parent === undefined ? [] : lineOf(parent, runs))];
}

function callerOf({ kind }: Actor, project: string): Caller {
  if (kind === "agent") return { kind: "run", project };
  return { kind: kind === "daemon" ? "stranger" : kind };
}
