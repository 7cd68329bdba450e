import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run, RunPlan } from "../../contract/runs/run.ts";
import type { RunRecords } from "../../workspace/records.ts";
import type { Turn } from "./engine.ts";

const WRITES_NAMED_FILES = ["write", "edit"];
/** Tools that may change any file of the working folder without saying which. */
const WRITES_ANYTHING = ["exec"];
const STARTS_OTHERS = "spawn_subagent";

/** Whether a run may change files of its working folder. */
function mayWrite(plan: RunPlan | undefined): boolean {
  return plan?.tools.value.some((tool) => WRITES_NAMED_FILES.includes(tool) || WRITES_ANYTHING.includes(tool)) ?? false;
}

/** Whether it changes them where its project works, and not in a worktree. */
export function writesInPlace(plan: RunPlan | undefined): boolean {
  return plan?.workplace === undefined && mayWrite(plan);
}

/** Whether what a run does, or those it starts, is found in its project's folder itself and nowhere else. */
export function leavesChanges({ tools, workplace, parentRunId }: RunPlan): boolean {
  // What an agent starts is a part of its own work.
  if (workplace !== undefined || parentRunId !== undefined) return false;
  return tools.value.some((tool) => [...WRITES_NAMED_FILES, ...WRITES_ANYTHING, STARTS_OTHERS].includes(tool));
}

/** The files that a run's tools were asked to change; undefined when one was called that names none, or may have been. */
export function filesNamedIn(entries: readonly JournalEntry[]): Set<string> | undefined {
  // Of a journal that is gone, nothing can be told.
  if (entries.length === 0) return undefined;
  const named = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "result") for (const path of entry.files ?? []) named.add(path);
    if (entry.type !== "answer") continue;
    // A call whose outcome is unknown may have been carried out.
    for (const { name, input } of entry.calls ?? []) {
      if (WRITES_ANYTHING.includes(name)) return undefined;
      const path = WRITES_NAMED_FILES.includes(name) ? pathIn(input) : undefined;
      if (path !== undefined) named.add(path);
    }
  }
  return named;
}

/** Runs that write in one folder take turns; with a worktree of its own, none needs to. */
export function turnOf(
  run: Run,
  of: { plan: RunPlan | undefined; workdir: string; runs: RunRecords },
): Turn | undefined {
  if (!writesInPlace(of.plan)) return undefined;
  return { on: of.workdir, line: lineOf(run, of.runs) };
}

/** Those who started a run, the first one first, and the run itself. */
function lineOf(run: Run, runs: RunRecords): string[] {
  const parent = run.parentRunId === undefined ? undefined : runs.get(run.parentRunId)?.run;
  return [...(parent === undefined ? [] : lineOf(parent, runs)), run.id];
}

/** A run and all that it started, or those that it started. */
export function withDescendants(runId: string, runs: RunRecords): string[] {
  return [runId, ...runs.childrenOf(runId).flatMap(({ run }) => withDescendants(run.id, runs))];
}

/** The path in a call as the model wrote it, cleaned; undefined when there is none. */
function pathIn(input: string): string | undefined {
  try {
    const { path } = JSON.parse(input) as { path?: unknown };
    return typeof path === "string" ? path.split("/").filter(isName).join("/") : undefined;
  } catch {
    return undefined;
  }
}

function isName(segment: string): boolean {
  return segment !== "" && segment !== ".";
}
