import { homedir } from "node:os";
import { basename } from "node:path";
import { MOST_ROUNDS } from "../agent/reflection.ts";
import type { SandboxProbe } from "../agent/sandbox/probe.ts";
import type { Config } from "../contract/documents/config.ts";
import type { Discard } from "../contract/runs/delivery.ts";
import type { Run } from "../contract/runs/run.ts";
import type { Keys } from "../models/providers.ts";
import type { OpenProcesses } from "../processes/open-processes.ts";
import { Reflections } from "../processes/reflections.ts";
import { realPlaceOf } from "../store/files/folders.ts";
import { ControlFiles } from "../store/git/control-files.ts";
import { Attachment } from "../workspace/attachments.ts";
import type { Core } from "../workspace/core.ts";
import type { QueueNotes } from "../workspace/escalations/queue-notes.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { Decisions } from "../workspace/policies/decisions.ts";
import { SkillDesk } from "./admin/skill-desk.ts";
import { FollowUps } from "./follow-ups.ts";
import { BranchArchive } from "./git/branch-archive.ts";
import { committedText } from "./git/committed-file.ts";
import { openWorkplaces } from "./git/open-workplaces.ts";
import { type AgentGuard, Guarding } from "./guarding.ts";
import type { MemberAnswers } from "./member-questions.ts";
import { ChildRuns } from "./plan/child-runs.ts";
import { GateReviews } from "./plan/gate-reviews.ts";
import { Instructions } from "./plan/instructions.ts";
import { Planning } from "./plan/planning.ts";
import { sandboxFor } from "./plan/run-sandbox.ts";
import { Spawning } from "./plan/spawning.ts";
import { TeamRuns } from "./plan/team-runs.ts";
import { TriggerRuns } from "./plan/trigger-runs.ts";
import { ProjectWatch } from "./project-watch.ts";
import { Questions } from "./questions.ts";
import type { OpenRecord } from "./record/open-record.ts";
import type { TellAsker } from "./record/run-askers.ts";
import type { Note } from "./record/run-events.ts";
import { RunMessages } from "./record/run-messages.ts";
import { RunProgress } from "./record/run-progress.ts";
import { runReports } from "./record/run-reports.ts";
import { CheckpointShelf } from "./results/checkpoint-shelf.ts";
import { Checkpoints } from "./results/checkpoints.ts";
import { DeliveryPlaces } from "./results/delivery-place.ts";
import { FolderControl } from "./results/folder-control.ts";
import { FolderGlance } from "./results/folder-glance.ts";
import { FolderResults } from "./results/folder-results.ts";
import { Gates } from "./results/gatekeeper.ts";
import { JudgedResults } from "./results/judged-results.ts";
import { LiveDiffs } from "./results/live-diffs.ts";
import { Review } from "./results/review.ts";
import { Rollbacks } from "./results/rollbacks.ts";
import { Settlement } from "./results/settlement.ts";
import { submittedFor } from "./results/submitted-result.ts";
import { TaskFollower } from "./results/task-follower.ts";
import { Verdicts } from "./results/verdicts.ts";
import { WorkLog } from "./results/work-log.ts";
import { RunParty } from "./run-party.ts";
import { runQuestions } from "./run-questions.ts";
import { Runs } from "./runs.ts";
import { Cancelling } from "./schedule/cancelling.ts";
import { EmbeddedEngine } from "./schedule/embedded-engine.ts";
import { openParkedCalls } from "./schedule/parked-calls.ts";
import { Scheduler } from "./schedule/scheduler.ts";
import { Waiters } from "./schedule/waiters.ts";
import { Waits } from "./schedule/waits.ts";
import { TeamMail } from "./team-mail.ts";
import { openWebSearch } from "./web-search.ts";

export interface RunsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  record: OpenRecord;
  processes: OpenProcesses;
  /** Who decides what. */
  decisions: Decisions;
  /** What the person's own files are made with. */
  umask: number;
  /** Which sandbox works here. */
  sandbox: SandboxProbe;
  /** What the person snoozed or dismissed. */
  queue: QueueNotes;
  /** How long a model call may wait for budget or quota before its run is parked; half a minute unless given. */
  parkAfterMs?: number | undefined;
  /** How often branches that are old enough to be deleted are looked for. */
  archiveEveryMs?: number | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** Never jumps. */
const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Every part of runs, wired by hand. */
export function wireRuns({ core, hall, config, keys, umask, record, sandbox, onTrouble, ...options }: RunsOptions) {
  const { models, live, ledger, book } = record;
  const { processes, secrets, placeOf: where } = options.processes;
  const { limits } = config;
  const gates = new Gates(core.attachments, "gates");
  const control = new ControlFiles(config.controlFiles);
  const shelf = new CheckpointShelf({ core, config: config.checkpoints, placeOf: where });
  const checkpoints = new Checkpoints({ core, book, shelf, control, onTrouble });
  const {
    workplaces,
    left,
    hidden,
    branches,
    branchCheckpoints,
    placeOf: workplaceOf,
    policyOf,
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
    gates,
    control,
    secrets,
    closing: processes.closing,
    aroundMerge: (runId, merge, deed) => checkpoints.aroundMerge(runId, merge, deed),
    onTrouble,
  });
  const instructions = new Instructions({
    core,
    hall,
    workdirOf: (project) => {
      const place = core.workdirRecords.placeOf(project);
      return typeof place === "string" ? place : undefined;
    },
    home: realPlaceOf(homedir()),
    committed: async (project, file) =>
      // Only while results that change it wait for a review does the branch say that a person wanted it.
      control.kindOf(basename(file)) === undefined
        ? undefined
        : committedText(git.git, await workplaces.repositoryOf(project), file),
  });
  const planning = new Planning({
    core,
    hall,
    config,
    models,
    instructions,
    sandbox: sandbox.state,
    secrets,
    decisions: options.decisions,
  });
  const rollbacks = new Rollbacks({ core, book, shelf, checkpoints, branches: branchCheckpoints });
  const inFolder = new FolderControl({ core, control, checkpoints, continuedBy });
  const glance = new FolderGlance({ core, book, shelf, control });
  const folders = new FolderResults({
    checkpoints,
    rollbacks,
    policyOf,
    gates,
    control: inFolder,
    glance,
    instructions,
  });
  const places = new DeliveryPlaces({ branch: branches, folder: folders });
  const spawning = new Spawning({
    instructions,
    core,
    hall,
    book,
    planning,
    secrets,
    prepare: (model) => models.gate.prepare(model),
    repositoryOf: (project) => workplaces.repositoryOf(project),
    submitted: (task) =>
      submittedFor(task, { runs: core.runs, diffOf: (run) => places.of(run).diff(run), placeOf: workplaceOf }),
  });
  const workLog = new WorkLog(core);
  const settlement = new Settlement({
    ...{ core, hall, book, workplaces, folders, workLog, policyOf },
    fillsNotes: (run) => guarding.fillsNotes(run),
  });
  const cleanUp = (run: Run) => left.cleanUp(run);
  const askers = new Attachment<TellAsker>(core.attachments, "agents that start runs");
  const progress = new RunProgress({ core, hall, book, live, settlement, ledger, checkpoints, cleanUp, askers });
  // One daemon has one workspace: its leases need not outlive it, and a full disk must not keep a run from ending.
  const engine = new EmbeddedEngine({ now: monotonicMs });
  const reflections = new Reflections({
    processes,
    rounds: MOST_ROUNDS,
    sumOf: (runId) => ledger.runSum(runId),
    record: (runId, reflection) => progress.reflected(runId, reflection),
  });
  const waiters = new Waiters();
  const mail = new TeamMail(core.attachments, "messages of teams");
  const messages = new RunMessages({ core, progress, book, mail });
  const cancelling = new Cancelling({ core, progress, waiters });
  const { onActivity, onDelta, newOrderOf, ...reports } = runReports({
    guardsOf: (run) => guarding.guardsOf(run),
    askOf: (runId) => book.planOf(progress.find(runId))?.ask,
    ...{ core, config, live, ledger, models, progress, workplaces, workplaceOf, secrets, messages, cancelling },
  });
  const scheduler = new Scheduler({ engine, limits, processes, reflections, ...reports, onTrouble });
  // Also while the folder is not there: of two runs that write in it, one waits.
  const workdirOf = (projectId: string) =>
    core.workdirRecords.recordOf(projectId)?.folder?.path ?? shelf.spotOf(projectId)?.workdir;
  const waits = new Waits({ core, book, progress, live, scheduler });
  const questions = new Questions(core.attachments, "questions");
  const guarding = new Guarding(core.attachments);
  const agentGuard = new Attachment<AgentGuard>(core.attachments, "guard of agents");
  const members = new Attachment<MemberAnswers>(core.attachments, "questions of members");
  openParkedCalls({
    ...{ core, live, progress, waits, processes, onTrouble },
    ...{ budget: record.budget, pauses: models.pauses, parkAfterMs: options.parkAfterMs },
  });
  const runs = new Runs({
    ...{
      waits,
      core,
      book,
      live,
      spawning,
      progress,
      messages,
      cancelling,
      waiters,
      scheduler,
      ledger,
      workdirOf,
      secrets,
      newOrderOf,
    },
  });
  const children = new ChildRuns({
    core,
    hall,
    limits,
    spawning,
    progress,
    enter: (plan, entered) => runs.enter(plan, entered),
    planOf: (runId) => {
      const known = core.runs.get(runId);
      return known && book.planOf(known);
    },
    placeOf: workplaceOf,
  });
  const gateReviews = new GateReviews({
    ...{ core, hall, spawning, placeOf: workplaceOf },
    enter: (plan, entered) => runs.enter(plan, entered),
    ended: (runId) => progress.ended(runId),
    cancel: (runId, reason) => runs.cancel(runId, reason),
    journal: (runId) => runs.journal(runId),
  });
  const teamRuns = new TeamRuns({
    ...{ core, hall, spawning, runs, workplaces },
    settle: () => Promise.all([models.settle(), sandbox.settle()]),
    sandboxFor: (project) => sandboxFor(project, sandbox.state(), core.files.root),
  });
  const triggerRuns = new TriggerRuns({
    ...{ core, runs, book },
    settle: () => Promise.all([models.settle(), sandbox.settle()]),
  });
  const notify = (runId: string, note: Note) =>
    progress.notified(runId, { ...note, text: secrets.of(progress.find(runId).run.projectId).text(note.text) });
  const search = openWebSearch(config.web.search, keys);
  processes.attach(reflections);
  processes.attach(
    new RunParty({
      scheduler,
      questions: runQuestions({
        ...{ children, sandbox, scheduler, notify, search, waits, guarding, members },
        treeOf: (runId) => {
          const place = workplaceOf(runId);
          return place === undefined ? Promise.resolve(undefined) : workplaces.treeOf(place);
        },
        teamMsg: (runId, { callId, input }) => {
          const { run } = progress.find(runId);
          return mail.ask(run, { callId, input: secrets.of(run.projectId).deep(input) });
        },
        guardedRun: (runId) => {
          const known = progress.find(runId);
          return { run: known.run, ask: book.planOf(known)?.ask ?? [] };
        },
        ask: (runId, { callId, question, origin }) => {
          const { run } = progress.find(runId);
          return questions.ask(secrets.of(run.projectId).deep(question), { kind: "run", run, callId, origin });
        },
      }),
      ...{ onActivity, onDelta, onWait: reports.onWait },
      onHeard: (heard) => messages.heard(heard),
      // A gate that can't pay or reach its reviewer says so; nobody waits for a review as for work.
      isPatient: (runId) => book.planOf(progress.find(runId))?.gateReview === undefined,
    }),
  );
  const restore = async ({ delivery, ...run }: Run, discard: Discard) => {
    if (delivery !== undefined) await places.of({ ...run, delivery }).restore({ ...run, delivery }, discard);
  };
  const expireLater = (run: Run) => hidden.expireLater(run);
  const verdicts = new Verdicts({ core, hall, book, progress, cleanUp, restore, expireLater });
  const undoMs = config.review.undoSeconds * 1_000;
  const review = new Review({
    ...{ core, book, progress, verdicts, runs, places, policyOf, gates, workLog, secrets, undoMs },
    live: new LiveDiffs(monotonicMs),
  });
  const judged = new JudgedResults({ ...{ core, hall, book, progress, workplaces, cleanUp } });
  const followUps = new FollowUps({
    ...{ core, hall, runs, waits, review, book },
    settle: () => Promise.all([models.settle(), sandbox.settle()]),
  });
  const archive = new BranchArchive({
    ...{ core, git: git.git, hidden, left, verdicts, placeOf: workplaceOf, onTrouble },
    keptDays: config.git.keepBranchesDays,
    everyMs: options.archiveEveryMs,
  });
  const taskFollower = new TaskFollower({ core, review, archive, onTrouble });
  const watch = new ProjectWatch({ core, book, books: record.books, progress, runs, scheduler, processes, onTrouble });
  const skills = new SkillDesk({ core, hall });
  return {
    runs,
    gateReviews,
    teamRuns,
    triggerRuns,
    followUps,
    questions,
    guarding,
    agentGuard,
    mail,
    members,
    gates,
    judged,
    continuedBy,
    workplaceOf,
    /** What the hall is asked about has changed. */
    guardAnew: () => scheduler.guard((runId) => guarding.guardsOf(progress.find(runId).run)),
    spawning,
    askers,
    engine,
    watch,
    rollbacks,
    left,
    hidden,
    archive,
    taskFollower,
    restore,
    waiters,
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
    /** The commits that the result of a run is between; undefined of one that is on no branch. */
    spanOf: async ({ delivery, ...run }: Run) =>
      delivery?.kind === "branch" ? branches.span({ ...run, delivery }) : undefined,
  };
}
