import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { memoryIndex } from "../agent/memory-index.ts";
import { availableSkills, SkillShelf } from "../agent/skills/skill-shelf.ts";
import { useSkillTool } from "../agent/skills/use-skill-tool.ts";
import { lookingTools } from "../agent/tools/file-tools.ts";
import { hallKnowledgeTools } from "../agent/tools/knowledge-tools.ts";
import { memoryTools } from "../agent/tools/memory-tools.ts";
import { sessionArchiveTool } from "../agent/tools/session-archive-tool.ts";
import type { ModelWait } from "../contract/budget.ts";
import type { Config } from "../contract/config.ts";
import type { Delta } from "../contract/model-call.ts";
import type { SessionMessage } from "../contract/session.ts";
import type { Keys } from "../models/providers.ts";
import { MAIN_PAYER } from "../runs/costs.ts";
import type { ProcessCrash } from "../runs/crash-reports.ts";
import { mainKnowledge } from "../runs/knowledge-questions.ts";
import type { openRuns, RunsOptions } from "../runs/open-runs.ts";
import type { Talked } from "../runs/scheduler-ports.ts";
import { Files } from "../store/files.ts";
import type { Redactor } from "../store/redaction.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import { AgentSpawns } from "./agent-spawns.ts";
import { Channels } from "./channels.ts";
import { Exchange } from "./exchange.ts";
import { HallDesk } from "./hall-desk.ts";
import { MainAgent } from "./main-agent.ts";
import { assertPersonSpeaks, MainDesk } from "./main-desk.ts";
import { mainTools } from "./main-tools.ts";
import { unnamed } from "./named-folders.ts";
import { configProblem, openTelegram } from "./open-telegram.ts";
import { PersonDeliveries } from "./person-deliveries.ts";
import { ProjectAgents, projectChannel } from "./project-agents.ts";
import { NO_SCRIPTS, type PromptPart, SKILL_TOKENS, skillsFor } from "./resident-prompts.ts";
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

const KNOWLEDGE_TOKENS = 2_000;
const MEMORY_TOKENS = 1_500;
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
  const exchange = new Exchange({ channels, redact, onTrouble });
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
    whyNot: (model: string) => opened().forResidents.models.whyNot(model),
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
    unnamed: (folder) => unnamed(folder, { texts: main.saidByPerson(), home: homedir() }),
  });
  const own = new Files(files.root, "private", "refused");
  const memory = memoryTools({
    files: own,
    clock,
    redact: (text) => redactor.text(text),
    hasProject: (id) => core.index.projects.status(id) !== undefined,
  });
  const looking = lookingTools(own);
  const where = { workspace: files.root };
  const nextMark = () => randomBytes(6).toString("hex");
  const skill = useSkillTool({ shelf: new SkillShelf(where), nextMark, scriptsIn: () => NO_SCRIPTS });
  const knowledgeFor = (message: SessionMessage) =>
    hallKnowledgeTools(
      mainKnowledge(hall.knowledge, () => assertPersonSpeaks(message, "write what holds for all projects")),
    );
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
    toolsFor: (message: SessionMessage) => [
      ...mainTools(mainDesk, message),
      ...looking,
      ...memory,
      ...knowledgeFor(message),
      ...(availableSkills(where).length === 0 ? [] : [skill]),
      sessionArchiveTool(own),
    ],
    parts: (window) => [
      ...mainParts({ files: own, hall, mainDesk }),
      { heading: "Skills", text: skillsFor(where, window), tokens: SKILL_TOKENS },
    ],
    onTrouble,
  });
  exchange.connect("main", main);
  exchange.connect("project", projects);
  const command = (text: string) =>
    slashCommand(text, {
      hall,
      desk: mainDesk,
      runs: () => opened().desk.list({ limit: RUNS_SHOWN }).runs,
      costs: () => opened().desk.costs({ by: "project", since: clock().toISOString().slice(0, 10) }),
      budget: () => opened().desk.budget(),
      defaultModel: mainModel,
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
  core.troubles.push(() => person.problems().map(configProblem));
  exchange.connect("person", person);
  const residents: RunsOptions["residents"] = {
    tellAsker: (asker, run) => spawns.tellAsker(asker, run),
    crashed: (crash) => tellCrash(exchange, core, crash),
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
    /** For what the hall does with projects by itself. */
    speech: speechOf(exchange, core),
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

function speechOf(exchange: Exchange, core: Core) {
  const openTo = (projectId: string) => exchange.channels.of(projectChannel(projectId)).open("project");
  return {
    isSpokenTo: (projectId: string) => openTo(projectId).some(({ quiet }) => quiet !== true),
    speech: {
      isUnread: (projectId: string, messageId: string) => openTo(projectId).some(({ id }) => id === messageId),
      tell: async (projectId: string, text: string, id: string) => {
        if (core.index.projects.status(projectId) !== "active") return false;
        const draft = { id, from: "hall" as const, to: "project" as const, text, root: id, hops: 0 };
        await exchange.send(projectChannel(projectId), { ...draft, answerTo: "hall" });
        return true;
      },
    },
  };
}

function mainParts({ files, hall, mainDesk }: { files: Files; hall: Hall; mainDesk: MainDesk }): PromptPart[] {
  const text = (path: string) => (files.exists(path) ? files.text(path) : "");
  return [
    { heading: "Who you are (IDENTITY.md)", text: text("IDENTITY.md"), tokens: 2_000 },
    { heading: "Whom you work for (USER.md)", text: text("USER.md"), tokens: 2_000 },
    { heading: "Across all projects (MEMORY.md)", text: text("MEMORY.md"), tokens: 3_000 },
    { heading: "Knowledge", text: hall.knowledge.index(undefined, KNOWLEDGE_TOKENS), tokens: 3_000 },
    { heading: "Your memory (memory/)", text: memoryIndex(files, MEMORY_TOKENS), tokens: 2 * MEMORY_TOKENS },
    { heading: "Projects", text: mainDesk.listProjects(undefined), tokens: 4_000 },
  ];
}

/** The main agent learns of it with the next message; it costs no model call of its own. */
async function tellCrash(
  exchange: Exchange,
  core: Core,
  { projectId, cause, crashes, tooMany }: ProcessCrash,
): Promise<void> {
  if (core.index.projects.status(projectId) === undefined) return;
  const consequence = tooMany
    ? `It died ${crashes} times within a minute, so the project is suspended.`
    : "It is started again when it is needed.";
  await exchange.send(projectChannel(projectId), {
    id: `crash-${core.nextId()}`,
    from: "hall",
    to: "main",
    text: `The process of project '${projectId}' died: ${cause}. ${consequence}`,
    quiet: true,
  });
}
