import type { Config } from "../contract/documents/config.ts";
import type { HallEvent } from "../contract/event.ts";
import { MAIN_PAYER } from "../contract/runs/payers.ts";
import type { Models } from "../models/open-models.ts";
import type { OpenProcesses } from "../processes/open-processes.ts";
import type { HallVoice } from "../projects/hall-voice.ts";
import type { openRuns } from "../runs/open-runs.ts";
import type { Core } from "../workspace/core.ts";
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
import { Withdrawals } from "./asking/withdrawals.ts";
import { escalationDesk } from "./escalation-desk.ts";
import { openKnown } from "./known/open-known.ts";
import { learningDesk } from "./learning/learning-desk.ts";
import { openLearning } from "./learning/open-learning.ts";
import type { UsesParts } from "./learning/statement-uses.ts";
import { openQueue, type QueueParts } from "./queue/open-queue.ts";
import { openReach, type ReachOptions } from "./reach/open-reach.ts";

export interface PeopleOptions
  extends Pick<QueueParts, "notes" | "redact">,
    Pick<UsesParts, "planOf">,
    Pick<ReachOptions, "channels"> {
  core: Core;
  hall: Hall;
  config: Config;
  decisions: Decisions;
  models: Pick<Models, "settle" | "defaultModel">;
  processes: Pick<OpenProcesses, "gate">;
  runs: Pick<Awaited<ReturnType<typeof openRuns>>, "questions" | "followUps" | "desk" | "admin">;
  voice: HallVoice;
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
  const questions = new QuestionDesk({ core, hall, known, changes, blocks, send: (id) => path.send(id) });
  const deliveries = new Deliveries({
    ...{ core, escalations, changes, voice, onTrouble },
    followUps: runs.followUps,
  });
  const withdrawals = new Withdrawals({ core, escalations, changes });
  const upkeep = new Upkeep({ core, escalations, blocks, deliveries, withdrawals, onTrouble });
  const undoMs = () => config.review.undoSeconds * 1_000;
  const documents = new EscalationDocuments({ core, hall, questions, changes, path, blocks, undoMs });
  const queue = openQueue({ ...options, shown: (stored) => documents.shown(stored) });
  const desk = escalationDesk({ documents, derived: queue.derived, list: (query) => queue.list.list(query) });
  const reach = openReach({ ...options, desk, queue, expire: (id) => changes.step(id, { type: "expire" }) });
  runs.questions.attach(questions);
  let learning: OpenSubscription | undefined;
  const part: HallPart = {
    problems: () => [...decisions.problems(), ...questions.problems(), ...(learning?.problems() ?? [])],
  };
  let unsubscribe: () => void = () => undefined;
  return {
    part,
    desk,
    learning: learningDesk(options),
    /** Continues what a restart interrupted. */
    start: async () => {
      unsubscribe = core.events.subscribe((event: HallEvent) => upkeep.heed(event));
      await upkeep.start();
      path.start();
      learning = await openLearning({ core, hall, onTrouble });
    },
    /** Notifies the person of what waits. `url`: where the daemon listens. */
    notify: (url: string) => reach.start(url),
    /** What is under way is finished, or continues after the next start. */
    close: async () => {
      unsubscribe();
      path.close();
      await Promise.all([reach.close(), upkeep.close()]);
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
