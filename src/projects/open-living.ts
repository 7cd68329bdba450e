import { homedir } from "node:os";
import type { ModelWait } from "../contract/budget.ts";
import type { ChannelAddress } from "../contract/channel.ts";
import type { Config } from "../contract/config.ts";
import type { Delta } from "../contract/model-call.ts";
import type { Keys } from "../models/providers.ts";
import { MAIN_PAYER } from "../runs/costs.ts";
import type { openRuns, RunsOptions } from "../runs/open-runs.ts";
import type { Talked } from "../runs/scheduler-ports.ts";
import type { Redactor } from "../store/redaction.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import { AgentSpawns } from "./agent-spawns.ts";
import { Channels } from "./channels.ts";
import { Exchange } from "./exchange.ts";
import { HallDesk } from "./hall-desk.ts";
import { HallVoice } from "./hall-voice.ts";
import { MainAgent } from "./main-agent.ts";
import { MainDesk } from "./main-desk.ts";
import { MainOutfit } from "./main-outfit.ts";
import { unnamed } from "./named-folders.ts";
import { openTelegram } from "./open-telegram.ts";
import { PersonDeliveries } from "./person-deliveries.ts";
import { ProjectAgents } from "./project-agents.ts";
import { slashCommand } from "./slash-commands.ts";
import { Talk } from "./talk.ts";

type OpenRuns = Awaited<ReturnType<typeof openRuns>>;

export interface LivingOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  /** Hides the hall's own secrets. */
  redactor: Redactor;
  onTrouble: (what: string, error: unknown) => void;
}

const RUNS_SHOWN = 200;
const STOPPED = "Everything was stopped.";

/**
 * The main agent and the agents of projects. Runs and residents need each other: first this is made, with what runs tell
 * it; then the runs are opened; then `connect` brings both together and takes up what was left open.
 */
export function openLiving({ core, hall, config, keys, redactor, onTrouble }: LivingOptions) {
  const { files, clock, nextId } = core;
  let runs: OpenRuns | undefined;
  const opened = (): OpenRuns => {
    if (runs === undefined) throw new Error("The runs are not open yet.");
    return runs;
  };
  const channels = new Channels({ files, clock, onTrouble });
  const redact = (text: string, projectId: string | undefined, { fresh }: { fresh: boolean }) => {
    if (projectId === undefined || runs === undefined) return redactor.text(text);
    const { secrets } = runs.forResidents;
    return (fresh ? secrets.fresh(projectId) : secrets.of(projectId)).text(text);
  };
  const isListening = ({ type, id }: ChannelAddress) =>
    type !== "project" || core.index.projects.status(id) === "active";
  const exchange = new Exchange({ channels, redact, isListening });
  const spawns = new AgentSpawns({
    hall,
    limits: config.limits,
    exchange,
    clock,
    statusOf: (projectId) => core.index.projects.status(projectId),
    spawn: (request, change, how) => opened().desk.spawn(request, change, how),
  });
  const models = {
    settle: () => opened().forResidents.models.settle(),
    defaultModel: () => opened().forResidents.models.defaultModel(),
  };
  const desk = new HallDesk({
    hall,
    config,
    models,
    exchange,
    spawns,
    runAtWork: (projectId, taskId) =>
      core.index.runs.unsettled(projectId).find(({ run }) => run.taskId === taskId)?.run.id,
  });
  const projects = new ProjectAgents({
    core,
    exchange,
    scheduler: {
      talk: (projectId) => opened().forResidents.scheduler.talk(projectId),
      rest: (projectId) => opened().forResidents.scheduler.rest(projectId),
      tell: (projectId, message) => opened().forResidents.scheduler.tell(projectId, message),
    },
    onTrouble,
  });
  const mainModel = () => config.main.model ?? models.defaultModel();
  const mainDesk = new MainDesk({
    core,
    hall,
    exchange,
    board: desk.board,
    spawns,
    model: mainModel,
    unnamed: (folder, text) => unnamed(folder, { text, home: homedir() }),
  });
  const outfit = new MainOutfit({ core, hall, desk: mainDesk, redactor });
  const main: MainAgent = new MainAgent({
    files,
    clock,
    config,
    exchange,
    gate: { ask: (request, caller) => opened().forResidents.gate.ask(request, caller) },
    redactor: () => opened().forResidents.secrets.of(MAIN_PAYER),
    model: async () => {
      await models.settle();
      return mainModel();
    },
    toolsFor: (message) => outfit.toolsFor(message),
    parts: (window, message) => outfit.promptParts(window, message),
    onTrouble,
  });
  exchange.connect("main", main);
  exchange.connect("project", projects);
  const command = (text: string, { type, id }: ChannelAddress) =>
    slashCommand(text, {
      projectId: type === "project" ? id : undefined,
      hall,
      desk: mainDesk,
      runs: () => opened().desk.list({ limit: RUNS_SHOWN }).runs,
      costs: () => opened().desk.costs({ by: "project", since: clock().toISOString().slice(0, 10) }),
      budget: () => opened().desk.budget(),
      mainModel,
    });
  const talk = new Talk({ files, hall, exchange, main, projects, nextId, command });
  const telegram = openTelegram({ core, config, keys, channels, talk: () => talk, onTrouble });
  const person = new PersonDeliveries({
    channels,
    ways: { cli: "read", http: "read", project: "read", telegram: telegram ?? "waits" },
    clock,
    random: Math.random,
    onTrouble,
  });
  core.troubles.push(() => person.problems());
  exchange.connect("person", person);
  const voice = new HallVoice(exchange, core);
  const residents: RunsOptions["residents"] = {
    tellAsker: (asker, run) => spawns.tellAsker(asker, run),
    crashed: (crash) => voice.tellCrash(crash),
    questions: desk.questions(),
    sessionSettings: (projectId) => desk.settingsFor(projectId),
    stopAnswers: async (projectId) => {
      if (projectId === undefined) await main.stopAll(STOPPED);
      await projects.stopAll(projectId, STOPPED);
    },
    onTalk: (projectId: string, said: Talked) => projects.hear(projectId, said),
    onTalkDelta: (projectId: string, delta: Delta) => projects.hearDelta(projectId, delta),
    onTalkWait: (projectId: string, wait: ModelWait | undefined) => projects.hearWait(projectId, wait),
    onGone: (projectId) => projects.gone(projectId),
  };
  return {
    residents,
    voice,
    talk,
    /** Takes up what was left open. */
    connect: (given: OpenRuns) => {
      runs = given;
      main.start();
      projects.start();
      person.start();
    },
    stopWaiting: () => exchange.stopWaiting(),
    /** What is under way is left so that it goes on another time. */
    close: async () => {
      projects.close();
      await Promise.all([main.close(), person.close()]);
    },
    /** After the processes have ended: what they said last is kept. */
    settle: () => projects.settle(),
  };
}
