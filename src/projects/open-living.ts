import { homedir } from "node:os";
import type { ChannelAddress } from "../contract/documents/channel.ts";
import type { Config } from "../contract/documents/config.ts";
import { MAIN_PAYER } from "../contract/runs/payers.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { Models } from "../models/open-models.ts";
import type { Keys } from "../models/providers.ts";
import type { OpenProcesses } from "../processes/open-processes.ts";
import type { openRuns } from "../runs/open-runs.ts";
import type { Redactor } from "../store/secrets/redaction.ts";
import { Attachment } from "../workspace/attachments.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import type { Decisions } from "../workspace/policies/decisions.ts";
import type { IndexedRun } from "../workspace/records.ts";
import { AgentSpawns } from "./agent-spawns.ts";
import { Channels } from "./channels/channels.ts";
import { Exchange } from "./channels/exchange.ts";
import { PersonDeliveries } from "./channels/person-deliveries.ts";
import { HallDesk } from "./hall-desk.ts";
import { HallVoice } from "./hall-voice.ts";
import { LeadVoice } from "./lead-voice.ts";
import type { Leading } from "./leading.ts";
import { AnswerProposals } from "./main/answer-proposals.ts";
import { MainAgent } from "./main/main-agent.ts";
import { MainDesk } from "./main/main-desk.ts";
import { mainGuard } from "./main/main-guard.ts";
import { MainOutfit } from "./main/main-outfit.ts";
import { HookMoments } from "./moments.ts";
import { unnamed } from "./named-folders.ts";
import { ProjectAgents } from "./project-agents.ts";
import type { AnswerDesk } from "./questions.ts";
import { SessionParty } from "./session-party.ts";
import { Sessions } from "./sessions.ts";
import { type Command, slashCommand } from "./slash-commands.ts";
import { Talk } from "./talk.ts";
import { openTelegram } from "./telegram/open-telegram.ts";

export interface LivingOptions {
  core: Core;
  hall: Hall;
  config: Config;
  keys: Keys;
  models: Pick<Models, "settle" | "defaultModel" | "isPlayed">;
  processes: OpenProcesses;
  decisions: Decisions;
  runs: Pick<Awaited<ReturnType<typeof openRuns>>, "desk" | "askers" | "admin" | "questions" | "agentGuard">;
  /** Hides the hall's own secrets. */
  redactor: () => Redactor;
  planOf: (run: IndexedRun) => RunPlan | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

const RUNS_SHOWN = 200;
const STOPPED = "Everything was stopped.";

/** The main agent and the agents of projects. Nothing is taken up before `start`. */
export function openLiving(options: LivingOptions) {
  const { core, hall, config, keys, models, processes, runs, redactor, decisions, onTrouble } = options;
  const { files, clock, nextId } = core;
  const { secrets, gate } = processes;
  const channels = new Channels({ files, clock, onTrouble });
  const redact = (text: string, projectId: string | undefined, { fresh }: { fresh: boolean }) => {
    if (projectId === undefined) return redactor().text(text);
    return (fresh ? secrets.fresh(projectId) : secrets.of(projectId)).text(text);
  };
  const isListening = ({ type, id }: ChannelAddress) => type !== "project" || core.projects.status(id) === "active";
  const exchange = new Exchange({ channels, redact, isListening });
  const spawns = new AgentSpawns({
    hall,
    limits: config.limits,
    exchange,
    clock,
    statusOf: (projectId) => core.projects.status(projectId),
    spawn: (request, change, how) => runs.desk.spawns.start(request, change, how),
    hasRole: (roleId) => core.roles.get(roleId) !== undefined,
    askOf: (runId) => {
      const known = core.runs.get(runId);
      return known && options.planOf(known)?.ask;
    },
  });
  const guard = runs.agentGuard;
  const moments = new HookMoments(core.attachments, "moments of agents");
  const leading = new Attachment<Leading>(core.attachments, "leads");
  const desk = new HallDesk({
    hall,
    leading,
    moments,
    guard,
    config,
    models,
    exchange,
    spawns,
    decisions,
    questions: runs.questions,
    greeting: (projectId) => guard.part.starting(projectId),
    redact: (projectId, value) => secrets.of(projectId).deep(value),
    judgedRun: (projectId, taskId) => {
      const run = core.runs.get(core.tasks.record(projectId, taskId)?.assignedSubAgentId ?? "")?.run;
      return run?.delivery?.state === "review" && run.delivery.gate !== undefined ? run.id : undefined;
    },
    runAtWork: (projectId, taskId) => core.runs.unsettled(projectId).find(({ run }) => run.taskId === taskId)?.run.id,
  });
  const sessions = new Sessions(processes.processes);
  const projects = new ProjectAgents({ core, exchange, sessions, onTrouble });
  const mainModel = () => config.main.model ?? models.defaultModel();
  const mainDesk = new MainDesk({
    core,
    hall,
    exchange,
    board: desk.board,
    moments,
    spawns,
    now: () => runs.admin.now(),
    model: mainModel,
    decisions,
    questions: runs.questions,
    redact: (projectId, value) => (projectId === undefined ? redactor() : secrets.of(projectId)).deep(value),
    unnamed: (folder, text) => unnamed(folder, { text, home: homedir() }),
  });
  const answers = new Attachment<AnswerDesk>(core.attachments, "answers of the person");
  const proposals = new AnswerProposals({ files, exchange, desk: () => answers.part });
  const outfit = new MainOutfit({ core, hall, desk: mainDesk, redactor, proposals });
  const main = new MainAgent({
    files,
    clock,
    config,
    exchange,
    gate,
    redactor: () => secrets.of(MAIN_PAYER),
    model: async () => {
      await models.settle();
      return mainModel();
    },
    toolsFor: (message) => outfit.toolsFor(message),
    guardOf: (message) => mainGuard(message, guard),
    parts: (window, message) => outfit.promptParts(window, message),
    onTrouble,
  });
  exchange.attach("main", main);
  exchange.attach("project", projects);
  const command = (said: Command, { type, id }: ChannelAddress) =>
    slashCommand(said, {
      projectId: type === "project" ? id : undefined,
      hall,
      desk: mainDesk,
      runs: () => runs.desk.list({ limit: RUNS_SHOWN }).runs,
      costs: () => runs.desk.money.costs({ by: "project", since: clock().toISOString().slice(0, 10) }),
      budget: () => runs.desk.money.budget(),
      mainModel,
      questions: () => answers.part,
    });
  const talk = new Talk({ files, hall, exchange, main, projects, nextId, command });
  const telegram = openTelegram({
    ...{ core, config, keys, channels, onTrouble },
    talk: () => talk,
    questions: () => answers.part,
  });
  const person = new PersonDeliveries({
    channels,
    ways: { cli: "read", http: "read", project: "read", telegram: telegram.bot ?? "waits" },
    clock,
    random: Math.random,
    onTrouble,
  });
  exchange.attach("person", person);
  const voice = new HallVoice(exchange, core);
  processes.processes.attach(new SessionParty({ agents: projects, desk, voice }));
  runs.askers.attach((asker, run) => spawns.tellAsker(asker, run));
  const leads = new LeadVoice({ exchange, agents: projects });
  const part: HallPart = { problems: () => [...telegram.problems(), ...person.problems()] };
  return {
    part,
    voice,
    /** Where hooks have a say about what agents do. */
    moments,
    /** Where a floor above says which messages are about an initiative, and how it speaks to who leads one. */
    leading,
    leads,
    /** What the hall is asked about has changed. */
    guardAnew: () => projects.guard((projectId) => guard.part.guardsOf(projectId)),
    talk,
    /** How the person is reached where they are. */
    reach: {
      answers,
      notifies: () => (telegram.bot?.chats().length ?? 0) > 0,
      /** The same id again says it once. */
      tell: async (draft: { id: string; text: string; escalations: string[] }) => {
        for (const chat of telegram.bot?.chats() ?? []) await talk.tell(chat, draft);
      },
      refresh: () => telegram.bot?.refreshQuestions(),
    },
    /** Takes up what was left open. */
    start: () => {
      main.start();
      projects.start();
      person.start();
    },
    /** Ends what the agents are at, for one project or everywhere, and what waits for them. */
    stopAnswers: async (projectId: string | undefined) => {
      if (projectId === undefined) await main.stopAll(STOPPED);
      await projects.stopAll(projectId, STOPPED);
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
