import type { Config } from "../contract/documents/config.ts";
import type { RouteBody } from "../contract/routes/routes.ts";
import type { CheckedCriterion } from "../contract/runs/hand-in.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import { OFFLINE_MODEL } from "../models/providers.ts";
import { resolveRank, topModel } from "../models/team-models.ts";
import { EscalationChanges } from "../people/asking/escalation-changes.ts";
import type { openQuality } from "../quality/open-quality.ts";
import type { TeamWork } from "../quality/team-work.ts";
import type { openRuns } from "../runs/open-runs.ts";
import type { SetupTrial } from "../runs/plan/team-runs.ts";
import { unlessRefused } from "../runs/results/settlement.ts";
import { Watcher } from "../store/files/watcher.ts";
import type { Redactor } from "../store/secrets/redaction.ts";
import { BY_DAEMON, type Core, keep } from "../workspace/core.ts";
import type { OpenSubscription } from "../workspace/events/event-subscriber.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import { projectRoot } from "../workspace/layout.ts";
import { AutonomyDesk } from "./autonomy/autonomy-desk.ts";
import { Deadlines } from "./autonomy/deadlines.ts";
import { openBus } from "./bus/open-bus.ts";
import { SharedMemory } from "./bus/shared-memory.ts";
import { CheckNotes } from "./checks/check-notes.ts";
import { loadedContext } from "./checks/loaded-context.ts";
import { MemberChecks } from "./checks/member-checks.ts";
import { HealthMonitor } from "./health/health-monitor.ts";
import { teamHealth } from "./health/health-view.ts";
import { openRework } from "./learning/open-rework.ts";
import { TeamLearning } from "./learning/team-learning.ts";
import type { TeamState } from "./machine/team-state.ts";
import { responsibilityOf } from "./role-specs/responsibility.ts";
import { RoleSpecFiles } from "./role-specs/role-spec-files.ts";
import { MemberDesk } from "./sessions/member-desk.ts";
import { SideWork } from "./side-work.ts";
import { SpecFiles } from "./spec-files.ts";
import { goalFact, settleGoal } from "./team-board.ts";
import { TeamDocuments } from "./team-desk.ts";
import { TeamEffects } from "./team-effects.ts";
import { isTeamFolder, teamOfSpec, teamPaths } from "./team-files.ts";
import { TeamKeeper } from "./team-keeper.ts";
import { openTeamNotes } from "./team-notes.ts";
import { specOfTask } from "./team-prompts.ts";
import { TeamStarts, type TriggeredTeam } from "./team-start.ts";
import { TeamStore } from "./team-store.ts";
import { TeamViews } from "./team-views.ts";
import { USUAL_THRESHOLD, worldOf } from "./team-world.ts";

interface TeamsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  runs: Pick<
    Awaited<ReturnType<typeof openRuns>>,
    | "teamRuns"
    | "teamCaps"
    | "admin"
    | "teamMail"
    | "say"
    | "journal"
    | "members"
    | "withoutSecrets"
    | "guarding"
    | "results"
    | "live"
  >;
  quality: Pick<
    ReturnType<typeof openQuality>,
    "teams" | "integration" | "checkCriteria" | "inspect" | "desk" | "readTree"
  >;
  redactorOf: (projectId: string) => Redactor;
  onTrouble: (what: string, error: unknown) => void;
}

/** All roles fit on one page. */
const MOST_ROLES = 1_000;

/** Wires teams over runs and gates. Nothing is done before `start`, but the gates are answered. */
export function openTeams({ core, hall, config, runs, quality, redactorOf, onTrouble }: TeamsOptions) {
  const settings = config.agentTeams;
  const { teamRuns, teamCaps } = runs;
  const { models } = runs.admin;
  const store = new TeamStore(core);
  const changes = new EscalationChanges(hall.escalations, core.clock);
  const views = new TeamViews({ core, hall, spentOf: (id) => teamCaps.spentOf(id) });
  const specs = new SpecFiles({ core, store });
  const roleSpecs = new RoleSpecFiles(core);
  const { bus, folder, messages, ...team } = openBus({ core, store, runs, roleSpecs, onTrouble });
  const learning = new TeamLearning({
    ...{ core, hall, readTree: quality.readTree, find: (id) => store.get(id) },
    redact: (projectId, text) => redactorOf(projectId).text(text),
    knowledgeTold: config.knowledge.promptTokens > 0,
  });
  const noticing = {
    notice: async (state: TeamState) => {
      if (!hasEnded(state.status)) await folder.ensure(state);
      await roleSpecs.notice(state);
      return specs.notice(state);
    },
  };
  const roles = () => hall.roles.list({ limit: MOST_ROLES }).roles.map(({ id }) => id);
  const special = () => {
    const choice = { settings, whyNot: (one: string) => models.whyNot(one) };
    const model = resolveRank(choice, "escalation")?.value;
    const isAskable = model !== undefined && models.whyNot(model) === undefined;
    return { escalationModel: isAskable ? model : undefined, topModel: topModel(choice) };
  };
  const criteria = new SideWork<CheckedCriterion[]>((id) => keeper.look(id));
  const trials = new SideWork<SetupTrial>((id) => keeper.look(id));
  const effects = new TeamEffects({
    ...{ core, hall, runs: teamRuns, changes, roles, roleSpecs, learning, criteria, trials },
    results: runs.results.review,
    checkCriteria: quality.checkCriteria,
    loadedFor: async (state, task) => {
      const isTested = responsibilityOf(task.plan).type === "validation";
      const found = isTested ? await unlessRefused(quality.desk.detect(state.document.projectId)) : undefined;
      const changedBy = (runId: string) => core.runs.get(runId)?.run.result?.filesChanged ?? [];
      return loadedContext(state, task, { files: core.files, changedBy, detected: found?.checks ?? [] });
    },
    integration: quality.integration,
    recordOf: async (state) => (await views.report(state)).text,
  });
  const upSince = core.clock().toISOString();
  const world = {
    ...{ core, hall, settings, models: special, upSince },
    isCapReached: (id: string) => teamCaps.isReached(id),
    spentOf: (id: string) => teamCaps.spentOf(id).usd,
    roleSpecOf: (state: TeamState, key: string) => roleSpecs.usedFor(state, key),
  };
  const deadlines = new Deadlines(core.clock, (id) => keeper.look(id));
  const keeper: TeamKeeper = new TeamKeeper({
    ...{ core, store, effects, specs: noticing, onTrouble },
    worldOf: (state, touched) => worldOf(world, state, touched),
    endRuns: (runIds, reason) => teamRuns.cancel(runIds, reason),
    goalFact: (state) => goalFact({ core }, state),
    onRest: async (state) => {
      deadlines.set(state);
      await settleGoal({ core, hall }, state);
      if (!hasEnded(state.status)) return;
      for (const work of [criteria, trials]) work.stop(state.document.id);
      await writeReport(state);
      store.settle(state.document.id);
    },
  });
  const checks = new MemberChecks({
    notes: new CheckNotes({ memory: new SharedMemory(core), folder, onTrouble }),
    ...{ core, store, keeper, inspect: quality.inspect, placeOf: runs.results.workplaceOf },
    redact: (projectId, text) => redactorOf(projectId).text(text),
  });
  runs.guarding.add("member checks", {
    guardsOf: (run) => (checks.applies(run) ? { ending: "decides" } : undefined),
    ending: (run, end) => checks.ending(run, end),
  });
  const health = new HealthMonitor({
    ...{ core, store, keeper, live: runs.live, onTrouble },
    settings: () => config.agentTeams.health,
    means: () => ({
      threshold: config.agentTeams.autoEscalationThreshold ?? USUAL_THRESHOLD,
      strongerModel: special().escalationModel,
    }),
    answersFor: (model) => (models.isPlayed(model) ? OFFLINE_MODEL : model),
    uptime: () => performance.now(),
  });
  /** Once: a report that a person edited stays. */
  const writeReport = async (state: TeamState) => {
    const { report: path } = teamPaths(state.document);
    if (core.files.exists(path)) return;
    const { text: content } = await views.report(state);
    await keep(core, [{ kind: "put", path, content, base: null, within: projectRoot(state.document.projectId) }]);
  };
  const asked: TeamWork = {
    specOf: ({ team, taskId }) => {
      const state = team === undefined ? undefined : store.find(team.id);
      const task = [...(state?.tasks.values() ?? [])].find((one) => one.taskId === taskId);
      return state === undefined || task === undefined ? undefined : specOfTask(state, task);
    },
    deliveryOf: ({ id, team }) => {
      const state = team === undefined ? undefined : store.find(team.id);
      if (state === undefined || state.reportRunId !== id) return undefined;
      const isAccepted = state.check?.verdict !== "pass" && state.approvedAnyway !== undefined;
      return { checkId: state.check?.id, isAccepted };
    },
  };
  quality.teams.attach(asked);
  const starts = new TeamStarts({ core, hall, settings, store, keeper, roles, runs: teamRuns });
  const desk: TeamDocuments = new TeamDocuments({
    ...{ starts, store, keeper, specs, roleSpecs, views, messages, changes, roles, onTrouble },
    forget: team.forget,
    autonomy: new AutonomyDesk({
      ...{ settings, now: () => core.clock().toISOString() },
      moneyOf: (id) => ({ isCapReached: teamCaps.isReached(id), spentUsd: teamCaps.spentOf(id).usd }),
    }),
    healthOf: (state) => teamHealth(state, health, performance.now()),
    budgetChanged: () => teamCaps.changed(),
    whyNot: (model) => models.whyNot(model),
  });
  runs.members.attach(new MemberDesk({ core, store, keeper }));
  teamCaps.attach({
    capOf: (id) => store.find(id)?.budgetUsd ?? null,
    setCap: (id, budgetUsd, change) => desk.limits.setBudget(id, budgetUsd, change),
  });
  store.load();
  let unsubscribe: () => void = () => undefined;
  let watcher: Watcher | undefined;
  let notes: OpenSubscription | undefined;
  let rework: OpenSubscription | undefined;
  const part: HallPart = {
    problems: () => [
      ...[...store.problems(), ...specs.problems(), ...roleSpecs.problems()],
      ...[...(notes?.problems() ?? []), ...(rework?.problems() ?? [])],
    ],
    leave: async (projectId) => store.forget(projectId),
    restored: () => keeper.start(),
  };
  return {
    part,
    desk,
    /** Where triggers have teams started. Asked for again under one id, a team starts once. */
    triggered: {
      start: async (projectId: string, body: RouteBody<"createTeam">, by: TriggeredTeam) => {
        await core.locks.run(`trigger team ${by.id}`, async () => {
          if (store.find(by.id) === undefined) await starts.start(projectId, body, { actor: BY_DAEMON }, {}, by);
        });
      },
      find: (id: string) => store.find(id),
    },
    /** Those that have not ended. */
    open: () => store.all().filter(({ status }) => !hasEnded(status)),
    lessons: learning.desk,
    start: async () => {
      notes = await openTeamNotes({ core, store, keeper, onTrouble });
      rework = await openRework({ core, hall, gatesOf: (runId) => quality.desk.ofRun(runId), onTrouble });
      bus.start();
      unsubscribe = core.events.subscribe((event) => {
        team.heed(event);
        // What a run died of is recorded before its team goes on.
        health.heed(event);
        keeper.heed(event);
      });
      watcher = new Watcher({
        root: core.files.root,
        wants: isTeamFolder,
        onChange: async (paths) => {
          for (const path of paths) {
            const id = teamOfSpec(path);
            if (id !== undefined && store.find(id) !== undefined) keeper.look(id);
          }
        },
        onOverflow: async () => keeper.lookAll(),
        onTrouble: (reason) => onTrouble("edits of specs may not be noticed at once", reason),
      });
      keeper.start();
      health.start();
    },
    close: async () => {
      unsubscribe();
      checks.close();
      deadlines.close();
      for (const work of [criteria, trials]) work.close();
      await watcher?.close();
      await notes?.close();
      await health.close();
      await rework?.close();
      await keeper.close();
      await bus.close();
    },
  };
}
