import { isOver } from "../../contract/runs/run-status.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { openLiving } from "../../projects/open-living.ts";
import type { openRuns } from "../../runs/open-runs.ts";
import { unlessRefused } from "../../runs/results/settlement.ts";
import type { openTeams } from "../../teams/open-teams.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { HallPart } from "../../workspace/hall/hall-part.ts";
import { LeadAnswers } from "./lead-answers.ts";
import { LeadCosts } from "./lead-costs.ts";
import { LeadDesk } from "./lead-desk.ts";
import { LeadKeeper } from "./lead-keeper.ts";
import { leadOfRoot } from "./lead-state.ts";
import { LeadStore } from "./lead-store.ts";

export interface LeadsOptions {
  core: Core;
  hall: Hall;
  runs: { desk: Pick<Awaited<ReturnType<typeof openRuns>>["desk"], "cancel"> };
  teams: Pick<ReturnType<typeof openTeams>, "desk" | "triggered">;
  /** Milliseconds until the orchestrator may start work again; 0: it may now. */
  closedFor: () => number;
  living: Pick<ReturnType<typeof openLiving>, "leads" | "leading">;
  onTrouble: (what: string, error: unknown) => void;
}

/** Leads: their records are read at once; they go on from `start` on. */
export function openLeads({ core, hall, runs, teams, living, closedFor, onTrouble }: LeadsOptions) {
  const voice = living.leads;
  const store = new LeadStore(core);
  const teamOf = (id: string) => {
    const team = teams.triggered.find(id);
    if (team === undefined) return undefined;
    const { status, question } = team;
    const isWaitingForPerson = status === "awaiting-approval" || status === "paused" || question !== undefined;
    return { status, isWaitingForPerson };
  };
  const teamCost = (id: string) => (teams.triggered.find(id) === undefined ? 0 : teams.desk.get(id).costUsd);
  const costs = new LeadCosts({ core, teamCost });
  const world = { core, hall, voice, teamOf, closedFor };
  const keeper = new LeadKeeper({
    ...{ ...world, store, costs, onTrouble },
    stopRun: async (runId: string, { actor }: Change) => {
      const run = core.runs.get(runId)?.run;
      if (run !== undefined && !isOver(run)) await unlessRefused(runs.desk.cancel(runId, { actor }));
    },
    pauseTeam: async (teamId: string, change: Change) => {
      const team = teamOf(teamId);
      if (team === undefined || hasEnded(team.status) || team.status === "paused") return;
      await unlessRefused(teams.desk.steer(teamId, "pause", change));
    },
  });
  const desk = new LeadDesk({ ...world, store, keeper, costs });
  living.leading.attach(
    new LeadAnswers({
      ...{ ...world, store, keeper },
      startTeam: ({ projectId, taskId, goal, id, ask }) =>
        teams.triggered.start(projectId, { goal, taskId }, { id, ...(ask && { ask }) }),
    }),
  );
  store.load();
  const unsubscribe: (() => void)[] = [];
  const part: HallPart = {
    problems: () => store.problems(),
    leave: async (projectId) => store.forget(projectId),
    restored: () => keeper.start(),
  };
  return {
    part,
    desk,
    start: () => {
      unsubscribe.push(
        core.events.subscribe((event) => keeper.heed(event)),
        voice.heed(({ id, error }) => {
          const lead = leadOfRoot(id);
          if (lead !== undefined) keeper.heard(lead, error);
          else for (const open of store.open()) keeper.look(open.id);
        }),
      );
      keeper.start();
    },
    close: async () => {
      for (const each of unsubscribe) each();
      await keeper.close();
    },
  };
}
