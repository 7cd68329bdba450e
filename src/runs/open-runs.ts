import { homedir } from "node:os";
import type { Config } from "../contract/config.ts";
import type { Project } from "../contract/project.ts";
import { type Models, openModels } from "../models/open-models.ts";
import type { Keys } from "../models/providers.ts";
import { isFolder, realPlaceOf } from "../store/folders.ts";
import { JobTable } from "../store/job-table.ts";
import type { KnownSecret } from "../store/known-values.ts";
import { ProcessNotes } from "../store/process-notes.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import { projectRoot, STATE_FOLDER } from "../workspace/layout.ts";
import { ChildRuns } from "./child-runs.ts";
import { CrashReports } from "./crash-reports.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { LiveRuns } from "./live-runs.ts";
import { openNotifications } from "./open-notifications.ts";
import type { Whereabouts } from "./place.ts";
import { Planning } from "./planning.ts";
import { ProjectSecrets } from "./project-secrets.ts";
import { ProjectWatch } from "./project-watch.ts";
import { redactedGate } from "./redacted-gate.ts";
import { RunBook } from "./run-book.ts";
import { runDesk } from "./run-desk.ts";
import { RunProgress } from "./run-progress.ts";
import { Runs } from "./runs.ts";
import { Scheduler } from "./scheduler.ts";
import { Settlement } from "./settlement.ts";
import { Spawning } from "./spawning.ts";
import { stopEverything } from "./stopping.ts";
import { tellUntold } from "./untold-runs.ts";

export interface RunsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  /** What must never be shown anywhere. */
  secrets: readonly KnownSecret[];
  /** The file a project's process runs. */
  entry: string;
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
  const { runs, spawning, live, scheduler, engine, watch } = wire(options, { models, notes, book, onTrouble });
  const notifications = await openNotifications({ core, config: config.notify, keys: options.keys, onTrouble });
  await watch.start();
  return {
    desk: runDesk({
      runs,
      spawning,
      live,
      models,
      stopAll: (projectId, change) => stopEverything({ core, runs, scheduler }, projectId, change),
    }),
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

function wire({ core, hall, config, entry, secrets: own }: RunsOptions, { models, notes, book, onTrouble }: Opened) {
  const { limits } = config;
  const live = new LiveRuns();
  const secrets: ProjectSecrets = new ProjectSecrets({
    own,
    foldersOf: (project) => [planning.workdirOf(project), `${core.files.root}/${projectRoot(project.id)}`],
    find: (projectId) => projectOf(core, projectId),
  });
  const planning: Planning = new Planning({ core, hall, config, models, home: realPlaceOf(homedir()), secrets });
  const spawning = new Spawning({
    core,
    hall,
    book,
    planning,
    secrets,
    prepare: (model) => models.gate.prepare(model),
  });
  const progress = new RunProgress({ core, hall, book, live, settlement: new Settlement(core, hall) });
  // One daemon has one workspace: its leases need not outlive it, and a full disk must not keep a run from ending.
  const engine = new EmbeddedEngine(new JobTable(":memory:"), { now: monotonicMs });
  const reports = new CrashReports(core, hall);
  const scheduler = new Scheduler({
    engine,
    gate: redactedGate(models.gate, (projectId) => secrets.of(projectId)),
    limits,
    notes,
    entry,
    placeOf: (projectId) => placeOf(core, planning, projectId),
    orderOf: (runId) => runs.orderOf(runId),
    onLeased: (lease) => progress.leased(lease),
    onEnded: async (lease, end) => {
      await progress.finished(lease, secrets.of(lease.projectId).deep(end));
      await runs.cancelChildren(lease.runId, "The agent that started it has ended.");
    },
    onCrashed: (lease, cause) => progress.crashed(lease, cause),
    onProcessCrashed: (crash) => reports.crashed(crash),
    onActivity: (of, { text, turn }) =>
      live.does(of, secrets.of(of.projectId).text(text), Math.min(0.99, turn / limits.turns)),
    onDelta: (of, delta) => {
      live.tell({ ...of, delta });
      if (delta.kind === "restart") live.does(of, waitingText(delta));
    },
    onNotify: (runId, note) =>
      progress.notified(runId, { ...note, text: secrets.of(progress.find(runId).run.projectId).text(note.text) }),
    onHeard: (heard) => runs.heard(heard),
    onSpawn: (request) => children.start(request),
    onTrouble,
  });
  const runs = new Runs({ core, book, live, spawning, progress, scheduler, secrets });
  const children = new ChildRuns({ core, hall, limits, spawning, progress, enqueue: (run) => runs.enqueue(run) });
  const watch = new ProjectWatch({ core, book, progress, runs, scheduler, onTrouble });
  return { runs, spawning, live, scheduler, engine, watch };
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

function projectOf(core: Core, projectId: string): Project | undefined {
  const project = core.index.projects.get(projectId);
  return project === undefined || project.status === "invalid" ? undefined : { ...project, status: project.status };
}

function placeOf(core: Core, planning: Planning, projectId: string): Whereabouts | string {
  const project = core.index.projects.get(projectId);
  const projectPath = `${core.files.root}/${projectRoot(projectId)}`;
  if (project === undefined || !isFolder(projectPath)) return "The project is gone.";
  if (project.status === "invalid") return "The project's files cannot be read.";
  const workdir = planning.workdirOf({ ...project, status: project.status });
  return isFolder(workdir)
    ? { projectPath, workdir, envFiles: project.config.envFiles ?? [] }
    : `There is no folder '${workdir}', in which the project's agents work.`;
}
