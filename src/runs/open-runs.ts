import { homedir } from "node:os";
import { basename } from "node:path";
import { MOST_ROUNDS } from "../agent/reflection.ts";
import { type SandboxProbe, sandboxProbe } from "../agent/sandbox/probe.ts";
import type { Config } from "../contract/config.ts";
import type { Run } from "../contract/run.ts";
import type { Keys } from "../models/providers.ts";
import type { OpenProcesses } from "../processes/open-processes.ts";
import { Reflections } from "../processes/reflections.ts";
import { realPlaceOf } from "../store/folders.ts";
import { JobTable } from "../store/job-table.ts";
import type { Core } from "../workspace/core.ts";
import type { Change, Hall } from "../workspace/hall.ts";
import type { HallPart } from "../workspace/hall-part.ts";
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
import { mainModelProblems } from "./main-model-problems.ts";
import { nowOf } from "./now.ts";
import { openNotifications } from "./open-notifications.ts";
import type { OpenRecord } from "./open-record.ts";
import { Planning } from "./planning.ts";
import { ProjectWatch } from "./project-watch.ts";
import { Review } from "./review.ts";
import { RoleExchange } from "./role-exchange.ts";
import { previewRole } from "./role-preview.ts";
import { Rollbacks } from "./rollbacks.ts";
import { RunAskers } from "./run-askers.ts";
import { runDesk } from "./run-desk.ts";
import type { Note } from "./run-events.ts";
import { RunParty } from "./run-party.ts";
import { RunProgress } from "./run-progress.ts";
import { runQuestions } from "./run-questions.ts";
import { runReports } from "./run-reports.ts";
import { Runs } from "./runs.ts";
import { sandboxProblems } from "./sandbox-problems.ts";
import { Scheduler } from "./scheduler.ts";
import { Settlement } from "./settlement.ts";
import { SkillDesk } from "./skill-desk.ts";
import { Spawning } from "./spawning.ts";
import { type StopAnswers, stopEverything } from "./stopping.ts";
import { Verdicts } from "./verdicts.ts";
import { webProblems } from "./web-problems.ts";
import { openWebSearch } from "./web-search.ts";
import { WorkLog } from "./work-log.ts";

export interface RunsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  record: OpenRecord;
  processes: OpenProcesses;
  /** What the person's own files are made with. */
  umask: number;
  /** Which sandbox works here; found out anew unless given. */
  sandbox?: SandboxProbe | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** Never jumps, and is the same for every process of the machine. */
const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Wires scheduler and runs over their record. Nothing is taken up before `start`. */
export async function openRuns(options: RunsOptions) {
  const { core, config, record, onTrouble } = options;
  const { models, live, ledger, book, reading, approved, money } = record;
  const { processes } = options.processes;
  const { sandbox = sandboxProbe() } = options;
  const wired = wire(options, sandbox);
  const { runs, spawning, engine, watch, rollbacks, workplaces, review, verdicts, skills, planning } = wired;
  const { instructions } = wired;
  const notifications = await openNotifications({ core, config: config.notify, keys: options.keys, onTrouble });
  const part: HallPart = {
    problems: () => [
      ...wired.gitProblems(),
      ...notifications.problems(),
      ...webProblems(config, options.keys),
      ...mainModelProblems(config, models.whyNot),
      ...sandboxProblems(core, sandbox.state()),
      ...skills.problems(),
      ...instructions.problems(core.index.projects.ids()),
    ],
    leave: async (projectId) => {
      wired.shelf.discard(projectId);
      await watch.leave(projectId);
    },
    restored: () => watch.restored(),
  };
  await wired.verify();
  const unfollow = await instructions.follow(onTrouble);
  await workplaces.sweep();
  for (const id of approved) await workplaces.cleanUp(runs.get(id));
  await verdicts.recordSentBack();
  const budgetDesk = money.desk(models.pauses);
  return {
    desk: runDesk({
      runs,
      spawning,
      live,
      models,
      budget: budgetDesk,
      previewRole: (body) =>
        previewRole({ core, hall: options.hall, planning, secrets: options.processes.secrets }, body),
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
    }),
    /** Ends every run, of one project or of all, and `stopAnswers` what agents that live on are at. */
    stopAll: (projectId: string | undefined, change: Change, stopAnswers: StopAnswers) =>
      stopEverything({ core, runs, processes, stopAnswers }, projectId, change),
    part,
    /** Whoever has runs started is told how they ended. */
    askers: wired.askers,
    /** Takes up what was left unfinished. */
    start: () => watch.start(),
    stopWaiting: () => runs.stopWaiting(),
    commandsUnderWay: () => live.commands(),
    close: async () => {
      unfollow();
      watch.close();
      wired.health.close();
      await money.close();
      await notifications.close();
      await engine.close();
      reading.close();
      await book.close();
      wired.git.close();
    },
  };
}

function wire({ core, hall, config, keys, umask, record, onTrouble, ...options }: RunsOptions, sandbox: SandboxProbe) {
  const { models, live, ledger, book } = record;
  const { processes, secrets, placeOf: where } = options.processes;
  const { limits } = config;
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
  const shelf = new CheckpointShelf({ core, config: config.checkpoints, placeOf: where });
  const checkpoints = new Checkpoints({ core, book, shelf, control: git.control, onTrouble });
  const rollbacks = new Rollbacks({ core, book, shelf, checkpoints });
  const inFolder = new FolderControl({ core, control: git.control, checkpoints, continuedBy });
  const folders = new FolderResults({ checkpoints, rollbacks, requiresReview, control: inFolder });
  const workLog = new WorkLog(core);
  const settlement = new Settlement({ core, hall, book, workplaces, folders, workLog });
  const cleanUp = (run: Run) => workplaces.cleanUp(run);
  const askers = new RunAskers();
  const progress = new RunProgress({ core, hall, book, live, settlement, ledger, checkpoints, cleanUp, askers });
  // One daemon has one workspace: its leases need not outlive it, and a full disk must not keep a run from ending.
  const engine = new EmbeddedEngine(new JobTable(":memory:"), { now: monotonicMs });
  const reflections = new Reflections({
    processes,
    rounds: MOST_ROUNDS,
    sumOf: (runId) => ledger.runSum(runId),
    record: (runId, reflection) => progress.reflected(runId, reflection),
  });
  const { onActivity, onDelta, ...reports } = runReports({
    ...{ core, config, live, ledger, models, progress, workplaces, workplaceOf, secrets },
    runs: () => runs,
  });
  const scheduler = new Scheduler({ engine, limits, processes, reflections, ...reports, onTrouble });
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
  const notify = (runId: string, note: Note) =>
    progress.notified(runId, { ...note, text: secrets.of(progress.find(runId).run.projectId).text(note.text) });
  const search = openWebSearch(config.web.search, keys);
  processes.attach(reflections);
  processes.attach(
    new RunParty({
      scheduler,
      questions: runQuestions({ children, sandbox, scheduler, notify, search }),
      ...{ onActivity, onDelta, onWait: reports.onWait },
      onHeard: (heard) => runs.heard(heard),
    }),
  );
  const verdicts = new Verdicts({ core, hall, book, progress, cleanUp });
  const results = { folders, instructions, placeOf: workplaceOf, ...git };
  const review: Review = new Review({ core, book, progress, verdicts, runs, workLog, secrets, ...results });
  const watch = new ProjectWatch({ core, book, progress, runs, scheduler, processes, onTrouble });
  const skills = new SkillDesk({ core, hall });
  return {
    runs,
    spawning,
    askers,
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
    gitProblems: git.problems,
    shelf,
    git: git.git,
  };
}
