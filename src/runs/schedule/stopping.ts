import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Processes } from "../../processes/processes.ts";
import type { Change } from "../../workspace/change.ts";
import { type Core, commit } from "../../workspace/core.ts";
import type { Runs } from "../runs.ts";
import { ignoreEnded } from "./cancelling.ts";

const REASON = "Everything was stopped.";
/** How long runs may take to end by themselves before their processes are ended. */
const PATIENCE_MS = 700;
/** How long a process may take after that. */
const GRACE_MS = 300;
/** How long the answer waits for runs to save what they have done; with a large repository that takes its time. */
const SETTLING_MS = 1_200;

/** Ends what the agents that live on are at, for one project or everywhere. */
export type StopAnswers = (projectId: string | undefined) => Promise<void>;

interface Parts {
  core: Core;
  runs: Runs;
  processes: Pick<Processes, "end">;
  stopAnswers: StopAnswers;
}

export interface Stopped {
  /** `settling`: it does not go on, but what it has done is still being saved. */
  runs: (Pick<Run, "id" | "projectId" | "taskId" | "roleId" | "title" | "status"> & { settling?: true })[];
  processes: number;
}

/**
 * Ends every run, of one project or of all, as a cancel does, and every process that works for them; a run whose process
 * does not let go of it ends with the process. Whoever spawns afterwards starts anew.
 */
export async function stopEverything(
  { core, runs, stopAnswers, ...parts }: Parts,
  projectId: string | undefined,
  { actor }: Change,
): Promise<Stopped> {
  if (projectId !== undefined && core.projects.status(projectId) === undefined)
    throw new HallError("project_not_found", `There is no project '${projectId}'.`);
  const open = core.runs.unsettled(projectId).map(({ run }) => run.id);
  let processes = 0;
  const endProcesses = async () => {
    processes += await parts.processes.end(projectId, GRACE_MS);
  };
  const timer = setTimeout(() => void endProcesses(), PATIENCE_MS);
  const failed: unknown[] = [];
  const cancel = async (id: string) => {
    await runs
      .cancel(id, REASON, actor)
      .catch(ignoreGone)
      .catch((error) => failed.push(error));
  };
  await atMost(SETTLING_MS, Promise.all([stopAnswers(projectId), ...open.map(cancel)]));
  clearTimeout(timer);
  await endProcesses();
  const ended = open.flatMap((id) => shownIfThere(runs, id));
  const subject = projectId === undefined ? { kind: "workspace" as const, id: "hall" } : projectSubject(projectId);
  const after = { runs: ended.map(({ id }) => id), processes };
  await commit(core, { type: "runs.stopped", actor, projectId, subject, after }, () => undefined);
  // What one run ran into keeps no other, and no process, from being ended.
  if (failed.length > 0) throw failed[0];
  return { runs: ended, processes };
}

function projectSubject(id: string) {
  return { kind: "project" as const, id };
}

/** Its project may have been removed meanwhile. */
function shownIfThere(runs: Runs, id: string): Stopped["runs"] {
  try {
    return [shown(runs.get(id))];
  } catch (error) {
    ignoreGone(error);
    return [];
  }
}

function shown(run: Run): Stopped["runs"][number] {
  const { id, projectId, taskId, roleId, title, status } = run;
  return { id, projectId, taskId, roleId, title, status, ...(isOver(run) ? {} : { settling: true }) };
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof HallError && error.code === "run_not_found")) ignoreEnded(error);
}

/** Resolves when the work is done or the time is over. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
