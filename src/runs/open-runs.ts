import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { basename } from "node:path";
import { type SandboxProbe, sandboxProbe } from "../agent/sandbox/probe.ts";
import type { Config } from "../contract/config.ts";
import type { Run, RunAsker } from "../contract/run.ts";
import type { Ledger } from "../models/ledger.ts";
import { type Models, openModels } from "../models/open-models.ts";
import type { Keys } from "../models/providers.ts";
import { CrashReports, type ProcessCrash } from "../processes/crash-reports.ts";
import { gitGuardQuestions } from "../processes/git-guard-questions.ts";
import { answerQuestion, type HallQuestions } from "../processes/hall-questions.ts";
import { knowledgeQuestions } from "../processes/knowledge-questions.ts";
import { projectOf, projectPlaces } from "../processes/project-places.ts";
import { ProjectSecrets } from "../processes/project-secrets.ts";
import { redactedGate } from "../processes/redacted-gate.ts";
import { fingerprintsOf } from "../store/fingerprints.ts";
import { realPlaceOf } from "../store/folders.ts";
import { JobTable } from "../store/job-table.ts";
import type { KnownSecret } from "../store/known-values.ts";
import { ProcessNotes } from "../store/process-notes.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import { filledByTheHall, projectRoot, STATE_FOLDER } from "../workspace/layout.ts";
import { CheckpointShelf } from "./checkpoint-shelf.ts";
import { Checkpoints } from "./checkpoints.ts";
import { ChildRuns } from "./child-runs.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";
import { openExamination } from "./examination.ts";
import { FolderControl } from "./folder-control.ts";
import { FolderResults } from "./folder-results.ts";
import { committedText } from "./git/committed-file.ts";
import { openWorkplaces } from "./git/open-workplaces.ts";
import { handedInFor } from "./handed-in.ts";
import { Instructions } from "./instructions.ts";
import { LiveRuns } from "./live-runs.ts";
import { mainModelProblems } from "./main-model-problems.ts";
import { nowOf } from "./now.ts";
import { openBudget } from "./open-budget.ts";
import { openNotifications } from "./open-notifications.ts";
import { Planning } from "./planning.ts";
import { ProjectWatch } from "./project-watch.ts";
import { Review } from "./review.ts";
import { RoleExchange } from "./role-exchange.ts";
import { previewRole } from "./role-preview.ts";
import { Rollbacks } from "./rollbacks.ts";
import { RunBook } from "./run-book.ts";
import { runDesk } from "./run-desk.ts";
import { RunProgress } from "./run-progress.ts";
import { runReports } from "./run-reports.ts";
import { Runs } from "./runs.ts";
import { sandboxProblems } from "./sandbox-problems.ts";
import { Scheduler } from "./scheduler.ts";
import type { SchedulerPorts } from "./scheduler-ports.ts";
import { Settlement } from "./settlement.ts";
import { SkillDesk } from "./skill-desk.ts";
import { Spawning } from "./spawning.ts";
import { stopEverything } from "./stopping.ts";
import { TranscriptReading } from "./transcript-reading.ts";
import { tellUntold } from "./untold-runs.ts";
import { Verdicts } from "./verdicts.ts";
import { webProblems } from "./web-problems.ts";
import { openWebSearch } from "./web-search.ts";
import { WorkLog } from "./work-log.ts";

export interface RunsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  /** What must never be shown anywhere. */
  secrets: readonly KnownSecret[];
  /** The file a project's process runs. */
  entry: string;
  /** The agents that live on: what is said by and for them. */
  residents: Pick<SchedulerPorts, "onTalk" | "onTalkDelta" | "onTalkWait" | "onGone" | "sessionSettings"> & {
    tellAsker: (asker: RunAsker, run: Run) => Promise<() => void>;
    crashed: (crash: ProcessCrash) => Promise<void>;
    questions: HallQuestions;
    /** Ends what they are at, for one project or everywhere, and what waits for them. */
    stopAnswers: (projectId: string | undefined) => Promise<void>;
  };
  /** What the person's own files are made with. */
  umask: number;
  /** Which sandbox works here; found out anew unless given. */
  sandbox?: SandboxProbe | undefined;
  log: (entry: { level: "warn"; message: string; error: string }) => void;
}

interface Opened {
  models: Models;
  live: LiveRuns;
  ledger: Ledger;
  notes: ProcessNotes;
  book: RunBook;
  sandbox: SandboxProbe;
  onTrouble: (what: string, error: unknown) => void;
}

/** Never jumps, and is the same for every process of the machine. */
const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Wires models, scheduler and runs, and takes up what was left unfinished. */
export async function openRuns(options: RunsOptions) {
  const { core, config } = options;
  const onTrouble = (message: string, error: unknown) => options.log({ level: "warn", message, error: String(error) });
  const live = new LiveRuns();
  const notes = new ProcessNotes(`${core.files.root}/${STATE_FOLDER}/processes`);
  await notes.endLeftovers();
  const { book, reading, approved } = await openBook(core, { hall: options.hall, onTrouble });
  // The trees of runs that the ledger asks for stand in the book.
  const { ledger, budget, pausing, ...money } = await openBudget({ core, config, live, onTrouble });
  const { files, clock } = core;
  const roleOf = (runId: string) => roleIn(core, runId);
  const models = openModels({ config, keys: options.keys, files, clock, budget, pausing, roleOf });
  const { sandbox = sandboxProbe() } = options;
  const opened = { models, live, ledger, notes, book, sandbox, onTrouble };
  const wired = wire(options, opened);
  const { runs, spawning, scheduler, engine, watch, rollbacks, workplaces, review, verdicts, skills, planning } = wired;
  const { instructions } = wired;
  const notifications = await openNotifications({ core, config: config.notify, keys: options.keys, onTrouble });
  core.troubles.push(() => [
    ...webProblems(config, options.keys),
    ...mainModelProblems(config, models.whyNot),
    ...sandboxProblems(core, sandbox.state()),
    ...skills.problems(),
    ...instructions.problems(core.index.projects.ids()),
  ]);
  await wired.verify();
  const unfollow = await instructions.follow(onTrouble);
  await workplaces.sweep();
  for (const id of approved) await workplaces.cleanUp(runs.get(id));
  await verdicts.recordSentBack();
  await watch.start();
  const budgetDesk = money.desk(models.pauses);
  return {
    desk: runDesk({
      runs,
      spawning,
      live,
      models,
      budget: budgetDesk,
      previewRole: (body) => previewRole({ core, hall: options.hall, planning, secrets: wired.secrets }, body),
      examination: openExamination({
        ...{ core, hall: options.hall, config, keys: options.keys, models, sandbox, git: wired.git },
        limits: budgetDesk.limits,
      }),
      now: () => nowOf({ core, hall: options.hall, runs, live, budget: budgetDesk, skills, instructions }),
      sandbox,
      rollbacks,
      review,
      talks: () => ledger.tally.talks.sums(),
      skills,
      instructions,
      roleFiles: new RoleExchange(options.hall.roles, models.whyNot),
      stopAll: (projectId, change) =>
        stopEverything({ core, runs, scheduler, stopAnswers: options.residents.stopAnswers }, projectId, change),
    }),
    /** For the agents that live on. */
    forResidents: { scheduler, models, gate: wired.gate, secrets: wired.secrets },
    stopWaiting: () => runs.stopWaiting(),
    commandsUnderWay: () => live.commands(),
    /** Every run is handed back as it stands; requests that still come are answered as long as nothing is closed. */
    leave: () => scheduler.close(),
    close: async () => {
      unfollow();
      watch.close();
      wired.health.close();
      await scheduler.close();
      await money.close();
      await notifications.close();
      await engine.close();
      reading.close();
      await book.close();
      wired.git.close();
    },
  };
}

function wire({ core, hall, config, keys, entry, umask, residents, secrets: own }: RunsOptions, opened: Opened) {
  const { models, live, ledger, notes, book, sandbox, onTrouble } = opened;
  const { limits } = config;
  const fingerprints = fingerprintsOf(own, randomBytes(32));
  const secrets: ProjectSecrets = new ProjectSecrets({
    own,
    foldersOf: (project) => {
      const root = `${core.files.root}/${projectRoot(project.id)}`;
      const place = core.workdirRecords.placeOf(project);
      return { folders: typeof place === "string" ? [place, root] : [root], passedOver: filledByTheHall(root) };
    },
    find: (projectId) => projectOf(core, projectId),
  });
  core.events.hideBy((projectId) => secrets.of(projectId));
  hall.knowledge.hideBy((projectId = "") => {
    const project = projectOf(core, projectId);
    return project === undefined ? secrets.of(projectId) : secrets.read(project);
  });
  const planning: Planning = new Planning({
    core,
    hall,
    config,
    models,
    instructions: { inForce: (project) => instructions.inForce(project) },
    sandbox: sandbox.state,
    secrets,
  });
  const {
    workplaces,
    placeOf: workplaceOf,
    requiresReview,
    verify,
    continuedBy,
    ...git
  } = openWorkplaces({
    core,
    workdirs: hall.workdirs,
    config,
    book,
    umask,
    sandbox,
    aroundMerge: (runId, merge, deed) => checkpoints.aroundMerge(runId, merge, deed),
    onTrouble,
  });
  const instructions: Instructions = new Instructions({
    core,
    hall,
    workdirOf: (project) => {
      const place = core.workdirRecords.placeOf(project);
      return typeof place === "string" ? place : undefined;
    },
    home: realPlaceOf(homedir()),
    committed: async (project, file) =>
      // Only while results that change it wait for a review does the branch say that a person wanted it.
      git.control.kindOf(basename(file)) === undefined
        ? undefined
        : committedText(git.git, await workplaces.repositoryOf(project), file),
  });
  const spawning = new Spawning({
    instructions,
    core,
    hall,
    book,
    planning,
    secrets,
    prepare: (model) => models.gate.prepare(model),
    repositoryOf: (project) => workplaces.repositoryOf(project),
    handedIn: (task) =>
      handedInFor(task, { runs: core.index.runs, diffOf: (id) => review.diff(id), placeOf: workplaceOf }),
  });
  const where = projectPlaces({ core, config, fingerprints });
  const shelf = new CheckpointShelf({ core, config: config.checkpoints, placeOf: where });
  const checkpoints = new Checkpoints({ core, book, shelf, control: git.control, onTrouble });
  const rollbacks = new Rollbacks({ core, book, shelf, checkpoints });
  const inFolder = new FolderControl({ core, control: git.control, checkpoints, continuedBy });
  const folders = new FolderResults({ checkpoints, rollbacks, requiresReview, control: inFolder });
  const workLog = new WorkLog(core);
  const settlement = new Settlement({ core, hall, book, workplaces, folders, workLog });
  const cleanUp = (run: Run) => workplaces.cleanUp(run);
  const { tellAsker, crashed, questions, stopAnswers: _, ...talk } = residents;
  const progress = new RunProgress({ core, hall, book, live, settlement, ledger, checkpoints, cleanUp, tellAsker });
  // One daemon has one workspace: its leases need not outlive it, and a full disk must not keep a run from ending.
  const engine = new EmbeddedEngine(new JobTable(":memory:"), { now: monotonicMs });
  const reports = new CrashReports(core, hall);
  const gate = redactedGate(models.gate, (projectId) => secrets.of(projectId));
  const scheduler = new Scheduler({
    ...talk,
    engine,
    gate,
    limits,
    parkAfterMs: config.projects.parkAfterMinutes * 60_000,
    notes,
    entry,
    placeOf: where,
    ...runReports({
      ...{ core, config, live, ledger, models, progress, workplaces, workplaceOf, secrets },
      runs: () => runs,
    }),
    onProcessCrashed: async (crash) => {
      await reports.crashed(crash);
      await crashed(crash);
    },
    onSpawn: async (request) => {
      await sandbox.settle();
      return children.start(request);
    },
    onQuestion: answerQuestion({
      ...questions,
      ...gitGuardQuestions(core),
      ...knowledgeQuestions({ knowledge: hall.knowledge, taskOf: (runId) => core.index.runs.get(runId)?.run.taskId }),
    }),
    onSearch: openWebSearch(config.web.search, keys),
    onTrouble,
  });
  // Also while the folder is not there: of two runs that write in it, one waits.
  const workdirOf = (projectId: string) =>
    core.workdirRecords.recordOf(projectId)?.folder?.path ?? shelf.spotOf(projectId)?.workdir;
  const runs = new Runs({ core, book, live, spawning, progress, scheduler, ledger, workdirOf, secrets });
  const children = new ChildRuns({
    core,
    hall,
    limits,
    spawning,
    progress,
    enqueue: (run) => runs.enqueue(run),
    planOf: (runId) => {
      const known = core.index.runs.get(runId);
      return known && book.planOf(known);
    },
    placeOf: workplaceOf,
  });
  const verdicts = new Verdicts({ core, hall, book, progress, cleanUp });
  const results = { folders, instructions, placeOf: workplaceOf, ...git };
  const review: Review = new Review({ core, book, progress, verdicts, runs, workLog, secrets, ...results });
  const watch = new ProjectWatch({ core, book, progress, runs, scheduler, onTrouble });
  const skills = new SkillDesk({ core, hall });
  return {
    runs,
    spawning,
    live,
    scheduler,
    engine,
    watch,
    rollbacks,
    workplaces,
    review,
    verdicts,
    skills,
    instructions,
    planning,
    verify,
    health: git.health,
    git: git.git,
    gate,
    secrets,
  };
}

/** Brings the index up to what the books hold, and the log to what a crash kept from it. */
async function openBook(core: Core, { hall, onTrouble }: Pick<RunsOptions, "hall"> & Pick<Opened, "onTrouble">) {
  const book = new RunBook(core);
  const reading = new TranscriptReading({ index: core.index, book, onTrouble });
  const loaded = book.loadAll();
  const approved = await tellUntold({ core, hall, book }, loaded);
  for (const { seen } of loaded) seen();
  core.refills.push(() => {
    book.refill();
    reading.wake();
  });
  reading.wake();
  return { book, reading, approved };
}

/** By its id alone, where the role is gone. */
function roleIn({ index }: Core, runId: string): { id: string; name: string } | undefined {
  const id = index.runs.get(runId)?.run.roleId;
  return id === undefined ? undefined : { id, name: index.roles.get(id)?.name ?? id };
}
