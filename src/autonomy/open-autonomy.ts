import type { RouteQuery } from "../contract/routes/routes.ts";
import { SKIP_WORDS, type SkipReason } from "../contract/words/autonomy/trigger-words.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import { type BriefingsOptions, openBriefings } from "./briefing/open-briefings.ts";
import { machineTimezone } from "./briefing/person-day.ts";
import { figuresFor } from "./figures/figures.ts";
import { type HeartbeatOptions, openHeartbeat } from "./heartbeat/open-heartbeat.ts";
import { type LeadsOptions, openLeads } from "./leads/open-leads.ts";
import { closedFor } from "./orchestrator/hours.ts";
import { type OrchestratorOptions, openOrchestrator } from "./orchestrator/open-orchestrator.ts";
import { type PortfolioParts, portfolioOf } from "./portfolio/portfolio.ts";
import { openTriggers, type TriggersOptions } from "./triggers/open-triggers.ts";

type Reporting = Omit<BriefingsOptions & HeartbeatOptions, "skipped" | "briefings" | "teams">;

type AutonomyOptions = Omit<TriggersOptions, "orchestrator"> &
  Omit<LeadsOptions, "closedFor"> &
  Reporting & {
    teams: { desk: BriefingsOptions["teams"]; open: PortfolioParts["teams"] };
    ledger: PortfolioParts["ledger"];
    people: { review: OrchestratorOptions["review"] };
  } & Pick<OrchestratorOptions, "led">;

/** Of each trigger, the newest of them. */
const MOST_SKIPPED = 20;

/** Wires what starts work without being asked. Nothing is done before `start`. */
export function openAutonomy(options: AutonomyOptions) {
  const { core, hall, config } = options;
  const leads = openLeads({
    ...options,
    closedFor: () => closedFor(config.orchestrator.hours, core.clock(), config.briefing.timezone ?? machineTimezone()),
  });
  const portfolio = () =>
    portfolioOf({
      core,
      statuses: (projectId) => hall.documents.initiatives(projectId),
      escalations: () => hall.escalations.open(),
      teams: options.teams.open,
      leads: () => leads.desk.live(),
      ledger: options.ledger,
    });
  const orchestrator = openOrchestrator({ ...options, leads: leads.desk, portfolio, review: options.people.review });
  const triggers = openTriggers({ ...options, orchestrator: () => orchestrator.triggered });
  const skipped = ({ from, until }: { from: Date; until: Date }) =>
    triggers.desk.list().flatMap(({ name, projectId }) =>
      triggers.desk
        .historyOf(name, MOST_SKIPPED)
        .skipped.filter(({ at, reason }) => at >= from.toISOString() && at < until.toISOString() && !isOwnDoing(reason))
        .map(({ at, reason, count }) => {
          const times = count === 1 ? "" : `, ${count} times`;
          return { trigger: name, projectId, at, reason: `${SKIP_WORDS[reason]}${times}` };
        }),
    );
  const briefings = openBriefings({ ...options, teams: options.teams.desk, skipped });
  const heartbeat = openHeartbeat({ ...options, briefings: briefings.desk });
  const part: HallPart = {
    ...leads.part,
    problems: () => [
      ...[...triggers.problems(), ...briefings.problems()],
      ...[...(leads.part.problems?.() ?? []), ...orchestrator.problems()],
    ],
  };
  return {
    part,
    triggers: triggers.desk,
    webhooks: triggers.intake,
    leads: leads.desk,
    /** Briefings and figures, for the server. */
    desk: {
      today: () => briefings.desk.today(),
      get: (day: string) => briefings.desk.get(day),
      figures: (query: RouteQuery<"getFigures">) => {
        if (query.project !== undefined) options.hall.projects.get(query.project);
        return figuresFor(options, query);
      },
    },
    orchestrator: orchestrator.desk,
    start: async () => {
      leads.start();
      orchestrator.start();
      await triggers.start();
    },
    /** Sends what is due. `url`: where the daemon listens. */
    notify: async (url: string) => {
      await briefings.start(url);
      heartbeat.start();
    },
    close: async () => {
      await heartbeat.close();
      await briefings.close();
      await triggers.close();
      await orchestrator.close();
      await leads.close();
    },
  };
}

/** What Guildhall caused itself was never to fire anything. */
function isOwnDoing(reason: SkipReason): boolean {
  return reason === "caused-by-trigger" || reason === "caused-by-guildhall";
}
