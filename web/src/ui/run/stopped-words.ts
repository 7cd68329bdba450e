import type { RunLine } from "../../../../src/contract/now.ts";

type Stopped = Pick<RunLine, "title" | "taskId" | "parentRunId" | "purpose">;

/** A run that another one started, or that reviews a result, has no task of its own to give back. */
export function givesTaskBack({ parentRunId, purpose }: Pick<Stopped, "parentRunId" | "purpose">): boolean {
  return parentRunId === undefined && purpose === "work";
}

/** Said at the moment at which a run was stopped. */
export function stoppedWords(run: Stopped): string {
  return `Stopped: ${run.title}${givesTaskBack(run) ? `. ${run.taskId} is pending again.` : ""}`;
}

/** Said of a run that was stopped once. */
export function wasStoppedWords({ error = "The run was stopped.", ...run }: Stopped & Pick<RunLine, "error">): string {
  return givesTaskBack(run) ? `${error} Its task is pending again.` : error;
}
