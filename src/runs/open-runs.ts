import { homedir } from "node:os";
import type { Config } from "../contract/config.ts";
import { type Models, openModels } from "../models/open-models.ts";
import type { Keys } from "../models/providers.ts";
import { isFolder, realPlaceOf } from "../store/folders.ts";
import { JobTable } from "../store/job-table.ts";
import { ProcessNotes } from "../store/process-notes.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import { projectRoot, STATE_FOLDER } from "../workspace/layout.ts";
import { ChildRuns } from "./child-runs.ts";
import { CrashReports } from "./crash-reports.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { openWorkplaces } from "./git/open-workplaces.ts";
import { LiveRuns } from "./live-runs.ts";
import { openNotifications } from "./open-notifications.ts";
import type { Whereabouts } from "./place.ts";
import { Planning } from "./planning.ts";
import { ProjectWatch } from "./project-watch.ts";
import { Review } from "./review.ts";
import { RunBook } from "./run-book.ts";
import { runDesk } from "./run-desk.ts";
import { RunProgress } from "./run-progress.ts";
import { Runs } from "./runs.ts";
import { Scheduler } from "./scheduler.ts";
import { Settlement } from "./settlement.ts";
import { Spawning } from "./spawning.ts";
import { tellUntold } from "./untold-runs.ts";

export interface RunsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  /** The file a project's process runs. */
  entry: string;
  /** What the person's own files are made with. */
  umask: number;
  log: (entry: { level: "warn"; message: string; error: string }) => void;
}

interface Opened {
  models: Models;
  notes: ProcessNotes;
  book: RunBook;
  onTrouble: (what: string, error: unknown) => void;
}

/** Never jumps, and is the same for every process of the machine. */
const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Wires models, scheduler and runs, and takes up what was left unfinished. */
export async function openRuns(options: RunsOptions) {
  const { core, config } = options;
  const onTrouble = (message: string, error: unknown) => options.log({ level: "warn", message, error: String(error) });
  const models = openModels({ config, keys: options.keys, files: core.files, clock: core.clock });
  const notes = new ProcessNotes(`${core.files.root}/${STATE_FOLDER}/processes`);
  await notes.endLeftovers();
  const book = await openBook(core, options.hall);
  const { runs, spawning, live, scheduler, engine, watch, workplaces, review } = wire(options, {
    models,
    notes,
    book,
    onTrouble,
  });
  const notifications = await openNotifications({ core, config: config.notify, keys: options.keys, onTrouble });
  await workplaces.sweep();
  await watch.start();
  return {
    desk: runDesk({ runs, spawning, live, models, review }),
    stopWaiting: () => runs.stopWaiting(),
    close: async () => {
      watch.close();
      await scheduler.close();
      await notifications.close();
      await engine.close();
      await book.close();
    },
  };
}

function wire({ core, hall, config, entry, umask }: RunsOptions, { models, notes, book, onTrouble }: Opened) {
  const { limits } = config;
  const live = new LiveRuns();
  const planning = new Planning({ core, hall, config, models, home: realPlaceOf(homedir()) });
  const { workplaces, placeOf: workplaceOf, ...git } = openWorkplaces({ core, config, book, umask, onTrouble });
  const spawning = new Spawning({
    core,
    hall,
    book,
    planning,
    prepare: (model) => models.gate.prepare(model),
    repositoryOf: (project) => workplaces.repositoryOf(project),
  });
  const settlement = new Settlement(core, hall, workplaces);
  const progress = new RunProgress({
    core,
    hall,
    book,
    live,
    settlement,
    cleanUp: (run) => workplaces.cleanUp(run),
  });
  // One daemon has one workspace: its leases need not outlive it, and a full disk must not keep a run from ending.
  const engine = new EmbeddedEngine(new JobTable(":memory:"), { now: monotonicMs });
  const reports = new CrashReports(core, hall);
  const scheduler = new Scheduler({
    engine,
    gate: models.gate,
    limits,
    notes,
    entry,
    placeOf: (projectId) => placeOf(core, planning, projectId),
    orderOf: (runId) => runs.orderOf(runId),
    onLeased: async (lease) => {
      const leased = await progress.leased(lease);
      return leased.go ? { ...leased, ...(await workplaces.ready(lease.runId)) } : leased;
    },
    onEnded: async (lease, end) => {
      // Whoever shares the run's worktree must be done before its result is saved.
      if (workplaceOf(lease.runId) !== undefined)
        await runs.cancelChildren(lease.runId, "The agent that started it has ended.");
      await progress.finished(lease, end);
      await runs.cancelChildren(lease.runId, "The agent that started it has ended.");
    },
    onCrashed: (lease, cause) => progress.crashed(lease, cause),
    onProcessCrashed: (crash) => reports.crashed(crash),
    onActivity: (of, { text, turn }) => live.does(of, text, Math.min(0.99, turn / limits.turns)),
    onDelta: (of, delta) => {
      live.tell({ ...of, delta });
      if (delta.kind === "restart") live.does(of, waitingText(delta));
    },
    onNotify: (runId, note) => progress.notified(runId, note),
    onHeard: (heard) => runs.heard(heard),
    onSpawn: (request) => children.start(request),
    onTrouble,
  });
  const runs = new Runs({ core, book, live, spawning, progress, scheduler });
  const children = new ChildRuns({
    core,
    hall,
    limits,
    spawning,
    progress,
    enqueue: (run) => runs.enqueue(run),
    placeOf: workplaceOf,
  });
  const review = new Review({ core, hall, book, progress, runs, workplaces, placeOf: workplaceOf, ...git });
  const watch = new ProjectWatch({ core, book, progress, runs, scheduler, onTrouble });
  return { runs, spawning, live, scheduler, engine, watch, workplaces, review };
}

function waitingText({ reason, waitMs }: { reason: string; waitMs: number }): string {
  return `asking the model again in ${Math.ceil(waitMs / 1_000)} s: ${reason}`;
}

/** Brings the index up to what the books hold, and the log to what a crash kept from it. */
async function openBook(core: Core, hall: Hall): Promise<RunBook> {
  const book = new RunBook(core);
  const loaded = book.loadAll();
  await tellUntold({ core, hall, book }, loaded);
  for (const { seen } of loaded) seen();
  core.refills.push(() => book.refill());
  return book;
}

function placeOf(core: Core, planning: Planning, projectId: string): Whereabouts | string {
  const project = core.index.projects.get(projectId);
  const projectPath = `${core.files.root}/${projectRoot(projectId)}`;
  if (project === undefined || !isFolder(projectPath)) return "The project is gone.";
  if (project.status === "invalid") return "The project's files cannot be read.";
  const workdir = planning.workdirOf({ ...project, status: project.status });
  return isFolder(workdir)
    ? { projectPath, workdir }
    : `There is no folder '${workdir}', in which the project's agents work.`;
}
