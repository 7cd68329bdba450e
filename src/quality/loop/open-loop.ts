import type { Config } from "../../contract/documents/config.ts";
import { inferProvider } from "../../models/infer-provider.ts";
import { resolveRank } from "../../models/team-models.ts";
import { EscalationChanges } from "../../people/asking/escalation-changes.ts";
import type { openRuns } from "../../runs/open-runs.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { Ownership } from "../ownership/ownership.ts";
import type { GateEngine } from "./gate-engine.ts";
import { ReviewCheckpoints } from "./review-checkpoints.ts";
import { ReviewEffects } from "./review-effects.ts";
import type { Judged } from "./review-events.ts";
import { ReviewKeeper } from "./review-keeper.ts";
import { ReviewLoop } from "./review-loop.ts";
import { ReviewStore } from "./review-store.ts";
import type { TeamDeliveries } from "./team-delivery.ts";

export interface LoopOptions {
  core: Core;
  hall: Hall;
  config: Config;
  engine: GateEngine;
  deliveries: Pick<TeamDeliveries, "judge">;
  runs: Pick<Awaited<ReturnType<typeof openRuns>>, "results" | "admin" | "desk" | "guarding" | "guardAnew">;
  onTrouble: (what: string, error: unknown) => void;
}

/** The review loop, and who owns which file. Nothing is done before `start`, but results are taken in. */
export function openLoop({ core, hall, config, engine, deliveries, runs, onTrouble }: LoopOptions) {
  const { review, judged, continuedBy, workplaceOf, hidden } = runs.results;
  const { models } = runs.admin;
  const store = new ReviewStore(core);
  const changes = new EscalationChanges(hall.escalations, core.clock);
  const effects = new ReviewEffects({
    ...{ core, hall, store, judged, review, changes },
    settle: () => models.settle(),
  });
  const escalationOf = (projectId: string): Judged["escalation"] => {
    const { escalationModel } = engine.settingsOf(projectId);
    const whyNot = (model: string) => models.whyNot(model);
    const team = resolveRank({ settings: config.agentTeams, whyNot }, "escalation")?.value;
    const model = [inferProvider(escalationModel), team].find((one) => one !== undefined && whyNot(one) === undefined);
    return model === undefined ? undefined : { model };
  };
  const checkpoints = new ReviewCheckpoints({ core, hall, hidden, workplaceOf, onTrouble });
  const loop = new ReviewLoop({
    ...{ core, checkpoints, hall, store, effects, engine, judged, escalationOf, onTrouble },
  });
  const keeper = new ReviewKeeper({
    ...{ core, hall, store, engine, continuedBy, deliveries, judged },
    teamOf: (run) => run.team?.id,
    look: (id) => loop.look(id),
  });
  const ownership = new Ownership({
    ...{ core, onTrouble, guardAnew: runs.guardAnew, workplaceOf },
    settingsOf: (projectId) => engine.settingsOf(projectId),
    journalOf: (runId) => runs.desk.journal(runId),
  });
  runs.guarding.add("file owners", ownership.guard());
  let unsubscribe: () => void = () => undefined;
  store.load();
  return {
    keeper,
    owners: (projectId: string) => ownership.list(projectId),
    /** How many reviews of a project came to the person. */
    escalatedIn: (project: string) =>
      core.events
        .read({ after: 0, limit: Number.MAX_SAFE_INTEGER, type: "review.escalated", project })
        .filter(({ after }) => after?.to === "person").length,
    problems: () => store.problems(),
    leave: async (projectId: string) => {
      store.forget(projectId);
      ownership.forget(projectId);
    },
    start: () => {
      unsubscribe = core.events.subscribe((event) => {
        loop.heed(event);
        ownership.heed(event);
      });
      loop.start();
    },
    close: async () => {
      unsubscribe();
      await loop.close();
    },
  };
}
