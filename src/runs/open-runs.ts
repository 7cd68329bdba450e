import type { RolePreview } from "../contract/routes/role-preview-routes.ts";
import type { Change } from "../workspace/change.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import { neededIn, reviewsIn } from "./admin/attention.ts";
import { openExamination } from "./admin/examination.ts";
import { mainModelProblems } from "./admin/main-model-problems.ts";
import { ALL, nowOf } from "./admin/now.ts";
import { RoleExchange } from "./admin/role-exchange.ts";
import { sandboxProblems } from "./admin/sandbox-problems.ts";
import { webProblems } from "./admin/web-problems.ts";
import { openClones } from "./clone/open-clones.ts";
import { commitLimits } from "./git/commit-limits.ts";
import { openNotifications } from "./notify/open-notifications.ts";
import { previewRole } from "./plan/role-preview.ts";
import { runDesk } from "./run-desk.ts";
import { type StopAnswers, stopEverything } from "./schedule/stopping.ts";
import type { SaidToRun } from "./team-mail.ts";
import { type RunsOptions, wireRuns } from "./wire-runs.ts";

/** Wires scheduler and runs over their record. Nothing is taken up before `start`. */
export async function openRuns(options: RunsOptions) {
  const { core, config, record, onTrouble } = options;
  const { models, live, ledger, reading, decided, money } = record;
  const { processes } = options.processes;
  const { sandbox } = options;
  const wired = wireRuns(options);
  const { runs, spawning, engine, watch, rollbacks, left, review, verdicts, skills, planning } = wired;
  const { instructions } = wired;
  const notifications = await openNotifications({ core, config: config.notify, keys: options.keys, onTrouble });
  const limits = commitLimits(config.git);
  const repositories = openClones({ core, hall: options.hall, git: wired.git, limits, umask: options.umask });
  const part: HallPart = {
    problems: () => [
      ...wired.gitProblems(),
      ...notifications.problems(),
      ...webProblems(config, options.keys),
      ...mainModelProblems(config, models.whyNot),
      ...sandboxProblems(core, sandbox.state()),
      ...skills.problems(),
      ...instructions.problems(core.projects.ids()),
    ],
    leave: async (projectId) => {
      wired.shelf.discard(projectId);
      await watch.leave(projectId);
    },
    restored: () => watch.restored(),
  };
  await wired.verify();
  const unfollow = await instructions.follow(onTrouble);
  await left.sweep();
  for (const { runId, restored } of decided)
    await (restored === undefined ? left.cleanUp(runs.get(runId)) : wired.restore(runs.get(runId), restored));
  await wired.hidden.sweep();
  await verdicts.recordSentBack();
  const budgetDesk = money.desk(models.pauses);
  const glance = {
    core,
    health: options.hall.health,
    reviewDefault: options.hall.reviewDefault,
    openQuestions: () => options.hall.escalations.open(),
    queue: options.queue,
    runs,
    live,
    budget: budgetDesk,
    skills,
    instructions,
  };
  return {
    desk: runDesk({
      runs,
      spawning,
      live,
      models,
      budget: budgetDesk,
      sandbox,
      rollbacks,
      review,
      talks: () => ledger.tally.talks.sums(),
    }),
    /** What the floors above see of how the hall is set up, and of how it does. */
    admin: {
      models,
      providers: record.providers,
      sandbox,
      skills,
      instructions,
      roleFiles: new RoleExchange(options.hall.roles, models.whyNot),
      ...repositories,
      previewRole: async (body: RolePreview) => {
        await Promise.all([models.settle(), sandbox.settle()]);
        return previewRole({ core, hall: options.hall, planning, secrets: options.processes.secrets }, body);
      },
      examination: openExamination({
        ...{ core, hall: options.hall, settings: money.settings, keys: options.keys, models, sandbox, git: wired.git },
        providers: record.providers,
      }),
      now: () => nowOf(glance),
      /** Everything that needs the person and has no document, in full. */
      needed: async () => {
        await core.shown.caughtUp();
        return { needed: await neededIn(glance, ALL), reviews: reviewsIn(glance, ALL).reviews };
      },
      /** What the next model call of a run that waits for budget may cost; null where its price is unknown. */
      nextCallUsd: (runId: string) => (core.runs.get(runId)?.waiting?.needs ?? budgetDesk.nextCall(runId))?.usd,
    },
    /** Ends every run, of one project or of all, and `stopAnswers` what agents that live on are at. */
    stopAll: (projectId: string | undefined, change: Change, stopAnswers: StopAnswers) =>
      stopEverything({ core, runs, processes, stopAnswers }, projectId, change),
    part,
    /** Whoever has runs started is told how they ended. */
    askers: wired.askers,
    /** Where quality gates have results reviewed. */
    gateReviews: wired.gateReviews,
    /** Where teams have their work done. */
    teamRuns: wired.teamRuns,
    /** What runs do at the moment. */
    live,
    /** Where triggers have runs started. */
    triggerRuns: wired.triggerRuns,
    /** What teams may spend, and what they have. */
    teamCaps: money.teams,
    /** Where agents ask what they may not decide. */
    questions: wired.questions,
    /** Where runs ask about their calls. */
    guarding: wired.guarding,
    agentGuard: wired.agentGuard,
    /** Where runs of teams get their messages, and hear them. */
    teamMail: wired.mail,
    say: (runId: string, said: SaidToRun) => runs.say(runId, said),
    journal: (runId: string) => runs.journal(runId),
    /** A text without the secrets of a project. */
    withoutSecrets: (projectId: string, text: string) => options.processes.secrets.of(projectId).text(text),
    members: wired.members,
    guardAnew: wired.guardAnew,
    /** Where results are judged before they count. */
    gates: wired.gates,
    /** What the review loop needs of results. */
    results: {
      review,
      judged: wired.judged,
      hidden: wired.hidden,
      workplaceOf: wired.workplaceOf,
      continuedBy: wired.continuedBy,
    },
    /** Of a run that works in a worktree: its folder there. */
    workdirOf: (runId: string) => wired.workplaceOf(runId)?.workdir,
    /** Brings answers to runs. */
    followUps: wired.followUps,
    /** For those who judge results. */
    judging: { git: wired.git, spanOf: wired.spanOf, sandbox },
    /** Takes up what was left unfinished. */
    start: async () => {
      await watch.start();
      await wired.taskFollower.start();
      wired.archive.start();
    },
    stopWaiting: () => wired.waiters.stop(),
    commandsUnderWay: () => live.commands(),
    close: async () => {
      unfollow();
      await repositories.clones.close();
      watch.close();
      wired.health.close();
      wired.hidden.close();
      wired.taskFollower.close();
      wired.archive.close();
      await money.close();
      await notifications.close();
      await engine.close();
      reading.close();
      wired.git.close();
    },
  };
}
