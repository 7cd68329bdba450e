import type { Orchestrator } from "../../contract/documents/autonomy/orchestrator.ts";
import type { Config } from "../../contract/documents/config.ts";
import type { HallEvent } from "../../contract/event.ts";
import { ORCHESTRATOR_PAYER } from "../../contract/runs/payers.ts";
import type { CycleCause } from "../../contract/words/autonomy/orchestrator-words.ts";
import type { LedWork } from "../../models/budget/call-budget.ts";
import type { ModelGate } from "../../models/gate.ts";
import type { Models } from "../../models/open-models.ts";
import type { Attachment } from "../../workspace/attachments.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON } from "../../workspace/core.ts";
import { Judge } from "./choose.ts";
import { OrchestratorEffects } from "./effects.ts";
import { type FactsParts, Orientation, spentTodayUsd } from "./facts.ts";
import { OrchestratorKeeper } from "./keeper.ts";
import type { LeadsPort } from "./leads-port.ts";
import { OrchestratorLog } from "./log.ts";

export interface OrchestratorOptions extends Omit<FactsParts, "leads"> {
  config: Config;
  leads: LeadsPort;
  models: Pick<Models, "settle" | "defaultModel">;
  gate: Pick<ModelGate, "ask">;
  /** Has a draft reviewed. */
  review: (id: string) => void;
  /** Of the ledger: calls of such a payer, or of such work, count against the orchestrator's day. */
  led: Pick<Attachment<(payer: string, work: LedWork) => boolean>, "attach">;
  onTrouble: (what: string, error: unknown) => void;
}

/** What may let work start. */
const WAKING: Partial<Record<HallEvent["type"], CycleCause>> = {
  "settings.changed": "settings",
  "budget.changed": "settings",
  "project.moved": "project",
  "project.updated": "project",
  "project.created": "project",
  "initiative.created": "initiative",
  "document.written": "initiative",
  "task.created": "task",
  "task.moved": "task",
  "task.updated": "task",
  "escalation.resolved": "answer",
  "run.ended": "run",
  "team.moved": "team",
};
/** Of leads and initiatives, by name: they have their own events. */
const WAKING_SUBJECTS: Partial<Record<string, CycleCause>> = { lead: "lead", initiative: "initiative" };

const STATE_WORDS: Record<Orchestrator["state"], string> = {
  off: "It is off. To turn it on, set orchestrator.enabled to true.",
  paused: "It is paused.",
  "closed-hours": "It is outside orchestrator.hours.",
  "money-spent": "orchestrator.dailyUsd is spent; it continues at midnight UTC.",
  working: "Agents are working; it continues when one ends.",
  idle: "Nothing can be started; it continues when something changes.",
};

/** Wires the orchestrator. Nothing is started before `start`, and nothing at all while it is off. */
export function openOrchestrator(options: OrchestratorOptions) {
  const { core, config, leads, models, gate, ledger } = options;
  const log = new OrchestratorLog(core);
  const effects = new OrchestratorEffects(options);
  const judge = new Judge({
    gate,
    model: async () => {
      await models.settle();
      return config.orchestrator.model ?? config.main.model ?? models.defaultModel();
    },
  });
  const keeper = new OrchestratorKeeper({ ...options, log, effects, judge });
  // By the records of leads: they outlast the cycles that started them.
  const own = () => leads.live().filter(({ startedBy }) => startedBy === BY_DAEMON.kind);
  // A run that waited for an answer goes on after its lead has reported.
  options.led.attach(
    (payer, work) =>
      payer === ORCHESTRATOR_PAYER ||
      own().some(({ projectId }) => projectId === payer) ||
      leads.hasBegun(payer, work, BY_DAEMON.kind),
  );
  const stateNow = (): Orchestrator["state"] => {
    if (!keeper.isOn()) return "off";
    if (log.state.paused !== undefined) return "paused";
    if (own().length > 0) return "working";
    const { isClosed, isSpent } = new Orientation(options).limits();
    return isClosed ? "closed-hours" : isSpent ? "money-spent" : "idle";
  };
  let unsubscribe: () => void = () => undefined;
  return {
    desk: {
      portfolio: options.portfolio,
      view: (): Orchestrator => {
        const state = stateNow();
        const { dailyUsd, maxLeads } = config.orchestrator;
        const last = log.state.cycles.at(-1);
        const { paused } = log.state;
        return {
          ...{ state, why: log.problem?.reason ?? STATE_WORDS[state], spentTodayUsd: spentTodayUsd(ledger) },
          ...{ dailyUsd, maxLeads, ...(paused === undefined ? {} : { paused }) },
          leads: own().map(({ id, projectId, initiative, status }) => ({ id, projectId, initiative, status })),
          ...(last === undefined ? {} : { last }),
        };
      },
      cycles: (limit: number) => log.state.cycles.slice(-limit).reverse(),
      pause: (change: Change) => keeper.pause(change),
      resume: (change: Change) => keeper.resume(change),
      cycle: (change: Change) => {
        const key = change.request?.key;
        return keeper.ask("asked", { id: `ask-${core.nextId()}`, ...(key === undefined ? {} : { key }) });
      },
    },
    /** Where triggers have cycles run. Under one id, it runs once. */
    triggered: {
      cycle: (id: string) => keeper.ask("trigger", { id }),
      find: (id: string) => keeper.servedBy(id),
    },
    problems: () => (log.problem === undefined ? [] : [log.problem]),
    start: () => {
      unsubscribe = core.events.subscribe(({ type, subject, projectId }) => {
        const kind = WAKING[type] ?? WAKING_SUBJECTS[subject.kind];
        if (kind === undefined || type === "lead.started") return;
        keeper.look({ kind, id: subject.id, ...(projectId === undefined ? {} : { projectId }) });
      });
      keeper.start();
    },
    close: async () => {
      unsubscribe();
      await keeper.close();
    },
  };
}
