import type { BudgetReport, BudgetUpdate, ProjectBudget } from "../../contract/documents/budget.ts";
import type { Config, Price } from "../../contract/documents/config.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { KeptPause } from "../../contract/runs/ledger.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Limits } from "../../models/budget/budget-rules.ts";
import { CallBudget, type CallBudgetPorts, type Warning } from "../../models/budget/call-budget.ts";
import { Ledger } from "../../models/budget/ledger.ts";
import { priceOf } from "../../models/budget/prices.ts";
import type { Pause, ProviderPauses } from "../../models/provider-pauses.ts";
import { Attachment } from "../../workspace/attachments.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import { LiveSettings } from "../../workspace/live-settings.ts";
import type { LiveRuns } from "../record/live-runs.ts";
import { ledgerProblems, waitingProblems } from "./budget-problems.ts";
import { TeamCaps } from "./team-caps.ts";

const MOST_TREES = 10_000;

interface Options {
  core: Core;
  config: Config;
  live: LiveRuns;
  onTrouble: (what: string, error: unknown) => void;
}

export type OpenBudget = Awaited<ReturnType<typeof openBudget>>;
export type BudgetDesk = ReturnType<OpenBudget["desk"]>;

/** Wires the ledger with the limits of config.yml and the projects, and tells the person what they should know. */
export async function openBudget({ core, config, live, onTrouble }: Options) {
  const { files, clock, nextId } = core;
  const settings = new LiveSettings(core, config);
  const isOpen = (runId: string) => isRunOpen(core, runId);
  const ledger = await Ledger.open({ files, clock, nextId, isOpen, onTrouble });
  const tell = (draft: EventDraft) => {
    core.events.append(draft).catch((error) => onTrouble("a warning could not be recorded", error));
  };
  const led = new Attachment<NonNullable<CallBudgetPorts["isLed"]>>(core.attachments, "work of leads", () => false);
  const teams = new TeamCaps(core.attachments, ledger, () => budget.look());
  const budget: CallBudget = new CallBudget({
    ledger,
    limits: limitsFrom(core, settings, (teamId) => teams.capOf(teamId)),
    priceOf: (model) => priceOf(model, settings.look()),
    treeOf: rememberingTrees(core),
    teamOf: (runId) => core.runs.get(runId)?.run.team?.id,
    isLed: (payer, work) => led.part(payer, work),
    onWarning: (warning) => tell(warnedEvent(warning)),
    onTrouble,
  });
  return {
    ledger,
    budget,
    settings,
    teams,
    /** Says which payers work for the orchestrator. */
    led,
    pausing: {
      kept: ledger.tally.paused(),
      keep: (pause: KeptPause) => ledger.paused(pause),
      onPaused: (pause: Pause) => tell(pausedEvent(pause)),
      onResumed: (provider: string) => {
        ledger.resumed(provider);
        tell({ type: "provider.resumed", actor: BY_DAEMON, subject: { kind: "provider", id: provider } });
      },
    },
    desk: (pauses: ProviderPauses) => ({
      report: (): BudgetReport => {
        const limits = settings.budget();
        const projects = ownLimits(core);
        return {
          limits,
          projects,
          ...budget.report(
            limits,
            projects.map(({ projectId }) => projectId),
          ),
          waiting: live.waiting(),
          paused: pauses.all().map(({ provider, until, reason }) => ({ provider, until: until.toISOString(), reason })),
        };
      },
      /** What calls that began today took so far. */
      today: () => {
        const { day } = ledger;
        const { spent } = ledger.tally.balance({ scope: "day", id: day });
        const costKnown = spent.assumed === 0;
        return {
          day,
          costUsd: spent.usd + spent.assumed,
          tokens: spent.tokens,
          costKnown,
          dayUsd: settings.budget().dayUsd,
        };
      },
      /** What the call needs that a run waits with; undefined when it waits with none. */
      nextCall: (runId: string) => budget.neededBy(runId),
      setPrice: async (model: string, price: Price, change: Change) => {
        await settings.setPrice(model, price, change);
        budget.look();
        return price;
      },
      updateTeam: (teamId: string, budgetUsd: number, change: Change) => teams.setCap(teamId, budgetUsd, change),
      update: async (update: BudgetUpdate, change: Change) => {
        const { budget: limits } = await settings.updateBudget(update, change);
        budget.look();
        return limits;
      },
    }),
    problems: () => [...waitingProblems(live), ...ledgerProblems(ledger), ...settings.problems()],
    close: async () => {
      budget.close();
      await ledger.close();
    },
  };
}

/** A project whose file cannot be read for the moment keeps the limits it had. */
function limitsFrom(
  { projects }: Pick<Core, "projects">,
  settings: LiveSettings,
  capOf: TeamCaps["capOf"],
): (projectId: string, teamId?: string) => Limits {
  const known = new Map<string, ProjectBudget>();
  return (projectId, teamId) => {
    const project = projects.get(projectId);
    if (project !== undefined && project.status !== "invalid") known.set(projectId, project.config.budget ?? {});
    const team = teamId === undefined ? {} : { teamUsd: capOf(teamId) };
    const { budget: hall, orchestrator } = settings.look();
    return { hall, project: known.get(projectId) ?? {}, ...team, orchestratorUsd: orchestrator.dailyUsd };
  };
}

function ownLimits({ projects }: Pick<Core, "projects">): BudgetReport["projects"] {
  return projects.ids().flatMap((projectId) => {
    const project = projects.get(projectId);
    const limits = project === undefined || project.status === "invalid" ? {} : (project.config.budget ?? {});
    return Object.keys(limits).length === 0 ? [] : [{ projectId, limits }];
  });
}

function parentOf(core: Core, runId: string): string | undefined {
  return core.runs.get(runId)?.run.parentRunId;
}

function treeOf(core: Core, runId: string): string {
  const parent = parentOf(core, runId);
  return parent === undefined ? runId : treeOf(core, parent);
}

/** A run never changes its tree, and is asked for it again and again. */
function rememberingTrees(core: Core): (runId: string) => string {
  const known = new Map<string, string>();
  return (runId) => {
    const tree = known.get(runId) ?? treeOf(core, runId);
    if (known.size >= MOST_TREES) known.clear();
    known.set(runId, tree);
    return tree;
  };
}

function isRunOpen({ runs }: Pick<Core, "runs">, runId: string): boolean {
  const known = runs.get(runId);
  return known !== undefined && !isOver(known.run);
}

function warnedEvent({ account, text, ...figures }: Warning): EventDraft {
  const { scope, id = "", projectId } = account;
  const subject =
    scope === "run"
      ? ({ kind: "run", id } as const)
      : projectId === undefined
        ? ({ kind: "workspace", id: "budget" } as const)
        : ({ kind: "project", id: projectId } as const);
  return {
    type: "budget.warned",
    actor: BY_DAEMON,
    ...(projectId === undefined ? {} : { projectId }),
    subject,
    after: { scope, text, ...figures },
  };
}

function pausedEvent({ provider, until, reason }: Pause): EventDraft {
  const text = `'${provider}' is paused until ${until.toISOString()}, then retried automatically: ${reason}`;
  return {
    type: "provider.paused",
    actor: BY_DAEMON,
    subject: { kind: "provider", id: provider },
    after: { until: until.toISOString(), text },
  };
}
