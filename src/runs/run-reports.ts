import { MOST_ROUNDS } from "../agent/reflection.ts";
import type { Activity } from "../contract/activity.ts";
import { shownActivity } from "../contract/activity-words.ts";
import type { Config } from "../contract/config.ts";
import { type ErrorCode, HallError } from "../contract/errors.ts";
import type { Ledger } from "../models/ledger.ts";
import type { Models } from "../models/open-models.ts";
import type { ProjectSecrets } from "../processes/project-secrets.ts";
import type { Core } from "../workspace/core.ts";
import type { Workplaces } from "./git/workplaces.ts";
import type { LiveRuns } from "./live-runs.ts";
import { costIn } from "./run-facts.ts";
import type { RunProgress } from "./run-progress.ts";
import type { Runs } from "./runs.ts";
import type { Leased, SchedulerPorts } from "./scheduler-ports.ts";

const FOLDER_GONE: readonly ErrorCode[] = ["path_refused", "file_not_found"];
const PARENT_ENDED = "The agent that started it has ended.";

interface Parts {
  core: Core;
  config: Config;
  live: LiveRuns;
  ledger: Pick<Ledger, "runSum">;
  models: Pick<Models, "isPlayed">;
  progress: RunProgress;
  workplaces: Pick<Workplaces, "ready">;
  /** The worktree of a run that has one. */
  workplaceOf: (runId: string) => unknown;
  secrets: Pick<ProjectSecrets, "of">;
  /** They need the scheduler, which reports to them. */
  runs: () => Pick<Runs, "orderOf" | "cancelChildren" | "heard">;
}

type RunPorts = Pick<
  SchedulerPorts,
  | "orderOf"
  | "modelOf"
  | "reflections"
  | "onLeased"
  | "onEnded"
  | "onCrashed"
  | "onActivity"
  | "onDelta"
  | "onWait"
  | "onNotify"
  | "onHeard"
>;

/** What the scheduler is told about a run, and what becomes of its reports: book and journal, live activity, no secrets. */
export function runReports(parts: Parts): RunPorts {
  const { core, ledger, progress, runs } = parts;
  return {
    orderOf: (runId) => ({ ...runs().orderOf(runId), reflection: reflectionOf(runId, parts) }),
    modelOf: (runId) => progress.find(runId).run.model,
    reflections: {
      rounds: MOST_ROUNDS,
      sumOf: (runId) => ledger.runSum(runId),
      record: (runId, reflection) => progress.reflected(runId, reflection),
    },
    onCrashed: (lease, cause) => progress.crashed(lease, cause),
    onHeard: (projectId, heard) => {
      if (core.index.runs.get(heard.runId)?.run.projectId === projectId) runs().heard(heard);
    },
    ...beginAndEnd(parts),
    ...whileAtWork(parts),
  };
}

function beginAndEnd({ core, progress, workplaces, workplaceOf, secrets, runs }: Parts) {
  return {
    onLeased: async (lease) => {
      const leased = await progress.leased(lease).catch(refusedByFolder);
      return leased.go ? { ...leased, ...(await workplaces.ready(lease.runId)) } : leased;
    },
    onEnded: async (lease, end) => {
      // Whoever shares the run's worktree, or its folder, must be done before its result is told.
      const { changes } = core.index.runs.get(lease.runId)?.run ?? {};
      if (workplaceOf(lease.runId) !== undefined || changes !== undefined)
        await runs().cancelChildren(lease.runId, PARENT_ENDED);
      await progress.finished(lease, secrets.of(lease.projectId).deep(end));
      await runs().cancelChildren(lease.runId, PARENT_ENDED);
    },
  } satisfies Partial<RunPorts>;
}

function whileAtWork({ core, config, live, ledger, progress, secrets }: Parts) {
  return {
    onActivity: (of, { activity, turn, context }) =>
      live.does(
        of,
        shownActivity(activity, (text) => secrets.of(of.projectId).text(text)),
        {
          progress: Math.min(0.99, turn / config.limits.turns),
          turn,
          ...(context === undefined ? {} : { context }),
          cost: costIn(ledger.runSum(of.runId)),
        },
      ),
    onDelta: (of, delta) => {
      live.tell({ ...of, delta });
      if (delta.kind === "restart") live.does(of, retrying(delta));
    },
    onWait: (of, by, wait) => live.waits(of, { by, wait, at: core.clock() }),
    onNotify: (runId, note) =>
      progress.notified(runId, { ...note, text: secrets.of(progress.find(runId).run.projectId).text(note.text) }),
  } satisfies Partial<RunPorts>;
}

/** The checkpoint found something else where the working folder was: the run ends, and is not tried again and again. */
function refusedByFolder(refused: unknown): Leased {
  if (!(refused instanceof HallError) || !FOLDER_GONE.includes(refused.code)) throw refused;
  const error = `The working folder changed while the run started: ${refused.message}`;
  return { go: false, refused: { cause: "folder", error } };
}

/** A part of another run's work is looked back on with it, a review is none, and the offline model has nothing to say. */
function reflectionOf(runId: string, { config, models, progress }: Parts): { tokens: number } | undefined {
  const { model, parentRunId, purpose } = progress.find(runId).run;
  const isWhole = parentRunId === undefined && purpose === "work";
  const isWanted = config.memory.reflection && isWhole && !models.isPlayed(model);
  return isWanted ? { tokens: config.memory.reflectionTokens } : undefined;
}

function retrying({ reason, waitMs }: { reason: string; waitMs: number }): Activity {
  return { kind: "retrying", seconds: Math.ceil(waitMs / 1_000), detail: reason };
}
