import type { Config } from "../../contract/documents/config.ts";
import { type ErrorCode, HallError } from "../../contract/errors.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import { type Guards, isGuarded, withConsent } from "../../contract/runs/guarding.ts";
import type { Run, RunPlan } from "../../contract/runs/run.ts";
import { shownActivity } from "../../contract/words/activity-words.ts";
import { MEMORY_TOOLS } from "../../contract/words/tool-names.ts";
import type { Ledger } from "../../models/budget/ledger.ts";
import type { Models } from "../../models/open-models.ts";
import type { Core } from "../../workspace/core.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import type { Workplaces } from "../git/workplaces.ts";
import type { RunParty } from "../run-party.ts";
import type { Cancelling } from "../schedule/cancelling.ts";
import type { Leased, NewRunOrder, SchedulerPorts } from "../schedule/scheduler-ports.ts";
import type { LiveRuns } from "./live-runs.ts";
import { journalOf } from "./run-book.ts";
import { costIn } from "./run-facts.ts";
import type { RunMessages } from "./run-messages.ts";
import type { RunProgress } from "./run-progress.ts";

const FOLDER_GONE: readonly ErrorCode[] = ["path_refused", "file_not_found"];
const PARENT_ENDED = "The agent that started it has ended.";

interface Parts {
  core: Core;
  config: Config;
  live: LiveRuns;
  ledger: Pick<Ledger, "runSum">;
  models: Pick<Models, "isPlayed">;
  progress: RunProgress;
  /** Tools that need consent in a run. */
  askOf: (runId: string) => string[] | undefined;
  workplaces: Pick<Workplaces, "ready">;
  /** The worktree of a run that has one. */
  workplaceOf: (runId: string) => unknown;
  secrets: Pick<ProjectSecrets, "of">;
  messages: Pick<RunMessages, "orderOf" | "collect">;
  cancelling: Pick<Cancelling, "cancelChildren">;
  guardsOf: (run: Run) => Guards | undefined;
}

type Reports = Pick<
  SchedulerPorts,
  "orderOf" | "newsOf" | "guardsOf" | "onLeased" | "onEnding" | "onEnded" | "onCrashed" | "onWait"
> & {
  newOrderOf(run: Run, plan: RunPlan): NewRunOrder;
};
type Watched = Pick<ConstructorParameters<typeof RunParty>[0], "onActivity" | "onDelta">;

/** What the scheduler is told about a run, and what becomes of its reports: book and journal, live activity, no secrets. */
export function runReports(parts: Parts): Reports & Watched {
  const { progress, messages } = parts;
  return {
    orderOf: ({ runId, epoch }) => {
      const { run } = progress.find(runId);
      return {
        ...messages.orderOf(runId, epoch),
        model: run.model,
        guards: parts.guardsOf(run),
        reflection: reflectionOf(run, parts.askOf(runId), parts),
      };
    },
    newsOf: ({ runId, epoch }) => ({
      messages: messages.orderOf(runId, epoch).messages,
      model: progress.find(runId).run.model,
    }),
    guardsOf: ({ runId }) => parts.guardsOf(progress.find(runId).run),
    newOrderOf: (run, plan) => ({
      plan,
      journal: journalOf(run),
      model: run.model,
      guards: parts.guardsOf(run),
      reflection: reflectionOf(run, plan.ask, parts),
    }),
    onCrashed: (lease, cause) => progress.crashed(lease, cause),
    ...beginAndEnd(parts),
    ...whileAtWork(parts),
  };
}

function beginAndEnd({ core, progress, messages, workplaces, workplaceOf, secrets, cancelling }: Parts) {
  return {
    onLeased: async (lease) => {
      const leased = await progress.leased(lease).catch(refusedByFolder);
      if (!leased.go) return leased;
      await messages.collect(lease.runId);
      return { ...leased, ...(await workplaces.ready(lease.runId)) };
    },
    onEnding: (lease, end) => {
      if (workplaceOf(lease.runId) === undefined) progress.prepareEnd(lease, secrets.of(lease.projectId).deep(end));
    },
    onEnded: async (lease, end, stopper) => {
      // Whoever shares the run's worktree, or its folder, must be done before its result is told.
      const { delivery } = core.runs.get(lease.runId)?.run ?? {};
      if (workplaceOf(lease.runId) !== undefined || delivery !== undefined)
        await cancelling.cancelChildren(lease.runId, PARENT_ENDED, stopper);
      await progress.finished(lease, secrets.of(lease.projectId).deep(end));
      await cancelling.cancelChildren(lease.runId, PARENT_ENDED, stopper);
    },
  } satisfies Partial<Reports>;
}

function whileAtWork({ core, config, live, ledger, secrets }: Parts) {
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
  } satisfies Watched & Pick<Reports, "onWait">;
}

/** The checkpoint found something else where the working folder was: the run ends, and is not tried again and again. */
function refusedByFolder(refused: unknown): Leased {
  if (!(refused instanceof HallError) || !FOLDER_GONE.includes(refused.code)) throw refused;
  const error = `The working folder changed while the run started: ${refused.message}`;
  return { go: false, refused: { cause: "folder", error } };
}

/**
 * A part of another run's work is looked back on with it, a review is none, and the offline model has nothing to say. What a run was told from
 * outside must not become a memory that later runs trust.
 */
function reflectionOf(
  run: Run,
  ask: string[] | undefined,
  { config, models, guardsOf }: Parts,
): { tokens: number } | undefined {
  const { model, parentRunId, purpose, trigger } = run;
  const isWhole = parentRunId === undefined && purpose === "work" && trigger?.outside === undefined;
  // It is made after the run, when nobody is asked about calls any more.
  const guards = config.memory.reflection ? withConsent(guardsOf(run), ask) : undefined;
  const isGuardedMemory = MEMORY_TOOLS.some((tool) => isGuarded(guards?.before, tool));
  const isWanted = config.memory.reflection && isWhole && !isGuardedMemory && !models.isPlayed(model);
  return isWanted ? { tokens: config.memory.reflectionTokens } : undefined;
}

function retrying({ reason, waitMs }: { reason: string; waitMs: number }): Activity {
  return { kind: "retrying", seconds: Math.ceil(waitMs / 1_000), detail: reason };
}
