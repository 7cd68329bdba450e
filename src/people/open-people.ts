import type { Config } from "../contract/documents/config.ts";
import type { Grant } from "../contract/documents/permission.ts";
import type { HallEvent } from "../contract/event.ts";
import { MAIN_PAYER } from "../contract/runs/payers.ts";
import type { Models } from "../models/open-models.ts";
import type { OpenProcesses } from "../processes/open-processes.ts";
import type { HallVoice } from "../projects/hall-voice.ts";
import type { openRuns } from "../runs/open-runs.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import type { OpenSubscription } from "../workspace/events/event-subscriber.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import type { Decisions } from "../workspace/policies/decisions.ts";
import { QuestionDesk } from "./asking/asking.ts";
import { Deliveries } from "./asking/deliveries.ts";
import { EscalationDocuments } from "./asking/desk.ts";
import { EscalationChanges } from "./asking/escalation-changes.ts";
import { EscalationPath, type Reviewer } from "./asking/path.ts";
import { reviewQuestion } from "./asking/reviewer.ts";
import { TaskBlocks } from "./asking/task-blocks.ts";
import { Upkeep } from "./asking/upkeep.ts";
import { WaitingRuns } from "./asking/waiting-runs.ts";
import { Withdrawals } from "./asking/withdrawals.ts";
import { type ChecksOptions, openChecks } from "./checks/open-checks.ts";
import { escalationDesk } from "./escalation-desk.ts";
import { agentGuard, runGuard } from "./guard/run-guard.ts";
import { type HooksOptions, openHooks } from "./hooks/open-hooks.ts";
import { openKnown } from "./known/open-known.ts";
import { learningDesk } from "./learning/learning-desk.ts";
import { openLearning } from "./learning/open-learning.ts";
import type { UsesParts } from "./learning/statement-uses.ts";
import { GrantDesk, isOverGrant } from "./permissions/grant-desk.ts";
import { GrantHistory } from "./permissions/grant-history.ts";
import { Permissions } from "./permissions/permissions.ts";
import { replacedBy } from "./permissions/replaced-file.ts";
import { openQueue, type QueueParts } from "./queue/open-queue.ts";
import { openReach, type ReachOptions } from "./reach/open-reach.ts";

export interface PeopleOptions
  extends Pick<QueueParts, "notes" | "redact">,
    Pick<UsesParts, "planOf">,
    Pick<HooksOptions, "settings" | "redactorOf">,
    Pick<ChecksOptions, "moments">,
    Pick<ReachOptions, "channels"> {
  core: Core;
  hall: Hall;
  config: Config;
  decisions: Decisions;
  models: Pick<Models, "settle" | "defaultModel" | "isPlayed">;
  /** What the agents of projects are asked about has changed. */
  guardAgents: () => void;
  processes: Pick<OpenProcesses, "gate">;
  runs: Pick<
    Awaited<ReturnType<typeof openRuns>>,
    "questions" | "guarding" | "agentGuard" | "guardAnew" | "workdirOf" | "followUps" | "desk" | "admin"
  >;
  voice: HallVoice;
  /** The input of a tool call without the secrets of its project. */
  redactInput: (input: string, projectId: string) => string;
  onTrouble: (what: string, error: unknown) => void;
}

/** How agents reach a person: questions, the path they take, and the way back of their answers. Nothing is done before `start`. */
export function openPeople(options: PeopleOptions) {
  const { core, hall, config, decisions, runs, voice, onTrouble } = options;
  const { escalations } = hall;
  const known = openKnown({ core, hall });
  const changes = new EscalationChanges(escalations, core.clock);
  const blocks = new TaskBlocks({ core, hall });
  const path = new EscalationPath({
    ...{ core, escalations, changes, known, decisions, onTrouble },
    reviewers: reviewersOf(options),
  });
  const hasPlan = (projectId: string, plan: string) =>
    hall.documents.initiatives(projectId).some(({ slug }) => slug === plan);
  const questions = new QuestionDesk({ core, hall, known, changes, blocks, hasPlan, send: (id) => path.send(id) });
  const deliveries = new Deliveries({
    ...{ core, escalations, changes, voice, onTrouble },
    followUps: runs.followUps,
  });
  const withdrawals = new Withdrawals({ core, escalations, changes, hasPlan });
  const waiting = new WaitingRuns({ escalations, changes, followUps: runs.followUps });
  const upkeep = new Upkeep({
    ...{ core, escalations, blocks, deliveries, waiting, withdrawals, onTrouble },
    send: (id) => path.send(id),
  });
  const permissions = new Permissions({
    ...{ core, hall, changes, blocks, onTrouble, redactInput: options.redactInput },
    hours: () => config.permissions.hours,
    replacedBy: (call) => replacedBy(call, runs.workdirOf(call.runId), (text) => options.redact(text, call.projectId)),
  });
  const history = new GrantHistory(hall.events);
  const grants = new GrantDesk({ core, hall, history, journalOf: (runId) => runs.desk.journal(runId) });
  const undoMs = () => config.review.undoSeconds * 1_000;
  const documents = new EscalationDocuments({ core, hall, questions, changes, path, blocks, permissions, undoMs });
  const queue = openQueue({ ...options, shown: (stored) => documents.shown(stored) });
  const desk = escalationDesk({ documents, derived: queue.derived, list: (query) => queue.list.list(query) });
  const reach = openReach({ ...options, desk, queue, expire: (id) => changes.step(id, { type: "expire" }) });
  const hooks = openHooks({
    ...options,
    sandbox: runs.admin.sandbox,
    workdirOf: runs.workdirOf,
    onChange: () => {
      runs.guardAnew();
      options.guardAgents();
    },
  });
  core.taskGate.creation.attach((projectId, task, { actor }) => hooks.moments.taskCreated(projectId, task, actor));
  runs.questions.attach(questions);
  const checks = openChecks(options, hooks.hooks);
  hooks.register(...checks.builtIn);
  const guard = runGuard({ hooks: hooks.hooks, consent: permissions, checksEnd: checks.checksEnd });
  runs.guarding.add("hooks and consent", guard);
  runs.agentGuard.attach(agentGuard(hooks.hooks));
  const endGrants = grantUpkeep(options);
  let learning: OpenSubscription | undefined;
  const part: HallPart = {
    problems: () => [
      ...decisions.problems(),
      ...questions.problems(),
      ...hooks.problems(),
      ...(learning?.problems() ?? []),
    ],
  };
  let unsubscribe: () => void = () => undefined;
  return {
    part,
    desk,
    grants,
    learning: learningDesk(options),
    hooks: hooks.desk,
    /** What is open when the daemon stops. */
    openWork: checks.openWork,
    openIn: checks.openIn,
    /** Has a draft reviewed, unless that is under way. */
    review: (id: string) => path.send(id),
    /** Continues what a restart interrupted. */
    start: async () => {
      unsubscribe = core.events.subscribe((event: HallEvent) => {
        upkeep.heed(event);
        hooks.moments.heed(event);
        if (event.type === "run.ended") void endGrants();
      });
      hooks.start();
      await upkeep.start();
      await endGrants();
      await permissions.coverOpen();
      path.start();
      learning = await openLearning({ core, hall, onTrouble });
    },
    /** Notifies the person of what waits. `url`: where the daemon listens. */
    notify: (url: string) => reach.start(url),
    /** What is under way is finished, or continues after the next start. */
    close: async () => {
      unsubscribe();
      history.close();
      path.close();
      await Promise.all([reach.close(), upkeep.close(), hooks.close()]);
      await learning?.close();
      known.close();
    },
  };
}

/** Each asks the model that the agent it stands for has, and that agent's payer pays. */
function reviewersOf({ hall, config, models, processes, decisions }: PeopleOptions) {
  const { gate } = processes;
  const reviewer = (name: string, payer: string, modelOf: () => string): Reviewer => ({
    name,
    review: async (asked) => {
      await models.settle();
      return reviewQuestion(gate, { ...asked, payer, model: modelOf(), tiers: decisions.text() });
    },
  });
  return {
    main: reviewer("main", MAIN_PAYER, () => config.main.model ?? models.defaultModel()),
    project: (projectId: string) =>
      reviewer(`project:${projectId}`, projectId, () => {
        const { model = "default" } = hall.projects.get(projectId);
        return model === "default" ? models.defaultModel() : model;
      }),
  };
}

/** Takes grants out of the file that can't allow a call any more. Never rejects. */
function grantUpkeep({ core, hall, onTrouble }: PeopleOptions): () => Promise<void> {
  return async () => {
    try {
      if (hall.grants.list().length === 0) return;
      await core.shown.caughtUp();
      const now = core.clock();
      const isOver = (grant: Grant) => isOverGrant(grant, { run: core.runs.get(grant.runId)?.run, now });
      await hall.grants.drop(isOver, { actor: BY_DAEMON });
    } catch (error) {
      onTrouble("permissions that ended could not be removed yet", error);
    }
  };
}
