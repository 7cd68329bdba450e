import { BOARD_QUESTIONS, type BoardQuestion } from "../agent/tools/board-tools.ts";
import { LEAD_QUESTIONS, type LeadQuestion } from "../agent/tools/lead-tools.ts";
import { PLAN_QUESTIONS, type PlanQuestion } from "../agent/tools/plan-tools.ts";
import {
  CallAsked,
  CallMade,
  EndedTurn,
  IDLE_QUESTION,
  Note,
  type ProjectBrief,
  Spawn,
} from "../agent/tools/project-questions.ts";
import { type ChannelMessage, projectChannel, type Speaker } from "../contract/documents/channel.ts";
import type { Config } from "../contract/documents/config.ts";
import { Question } from "../contract/documents/escalation.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { Permit, Remark } from "../contract/runs/guarding.ts";
import { RUN_QUESTIONS } from "../contract/runs/hall-questions.ts";
import type { ModelSettings } from "../contract/runs/model-call.ts";
import { contextWindowOf } from "../models/context-windows.ts";
import type { Models } from "../models/open-models.ts";
import { checkedInput, type HallAnswer, type HallQuestion, type HallQuestions } from "../processes/hall-questions.ts";
import type { AgentGuard } from "../runs/guarding.ts";
import type { Asking } from "../runs/questions.ts";
import type { Attachment } from "../workspace/attachments.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { Decisions } from "../workspace/policies/decisions.ts";
import type { Action } from "../workspace/rights.ts";
import type { AgentSpawn, AgentSpawns } from "./agent-spawns.ts";
import { BoardDesk, type BoardParts } from "./board-desk.ts";
import { type Exchange, following, idOf, mayGoOn } from "./channels/exchange.ts";
import type { LeadCall, Leading } from "./leading.ts";
import type { Moments } from "./moments.ts";
import { PlanDesk } from "./plan-desk.ts";

const TASKS_SHOWN = 25;
const KNOWLEDGE_TOKENS = 2_000;
/** Answers of the model to one message. */
const TURNS = 30;
/** Calls of the model over one message: answers, summaries, and what is tried again with less. */
const MOST_CALLS = 4 * TURNS;
const NO_TEAM = "None: no role is assigned to this project yet. Tell the person which one you need.";
/** What the main agent is told unasked over one message. */
const MOST_NOTES = 10;

const BOARD_ACTIONS: Record<BoardQuestion, Action> = {
  task_list: "readProject",
  task_get: "readProject",
  task_create: "changeBoard",
  task_update: "changeBoard",
  task_complete: "changeBoard",
};
const PLAN_ACTIONS: Record<PlanQuestion, Action> = {
  initiative_list: "readProject",
  plan_read: "readProject",
  initiative_create: "changeBoard",
  plan_edit: "changeBoard",
};

const LEAD_ACTIONS: Record<LeadQuestion, Action> = {
  initiative_status: "readProject",
  start_task: "spawnTeamRole",
  report_initiative: "changeBoard",
};

interface Asked {
  projectId: string;
  /** What the agent answers while it asks. */
  message: ChannelMessage;
  /** Of this very call: asking again changes nothing more. */
  key: string;
  callId: string;
  input: unknown;
}

interface Parts {
  hall: Hall;
  config: Config;
  models: Pick<Models, "defaultModel" | "settle" | "isPlayed">;
  exchange: Exchange;
  spawns: AgentSpawns;
  runAtWork: BoardParts["runAtWork"];
  judgedRun: BoardParts["judgedRun"];
  decisions: Pick<Decisions, "text">;
  questions: Asking;
  moments: Pick<Moments, "idle" | "completing">;
  leading: Pick<Attachment<Leading>, "part">;
  /** What a project's agent should know when its session begins. */
  greeting: (projectId: string) => Promise<Remark>;
  /** What is asked about calls; absent until somebody answers. */
  guard: Pick<Attachment<AgentGuard>, "part">;
  /** Hides the secrets of a project. */
  redact: <Value>(projectId: string, value: Value) => Value;
}

/** What the agents of projects ask of the hall. */
export class HallDesk {
  readonly #parts: Parts;
  readonly board: BoardDesk;
  /** What each project's agent answers, with which settings, and how often it asked a model for each open message. */
  readonly #turns = new Map<string, { messageId: string; settings: ModelSettings; calls: Map<string, number> }>();
  readonly #plans: PlanDesk;
  /** Of sessions that are open. */
  readonly #greetings = new Map<string, Promise<Remark>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.board = new BoardDesk(parts);
    this.#plans = new PlanDesk(parts.hall);
  }

  /** By name; each is for the project's own agent while it answers a message, and for nobody else. */
  questions(): HallQuestions {
    const board = (Object.keys(BOARD_QUESTIONS) as BoardQuestion[]).map((what) => [
      what,
      this.#answering(BOARD_ACTIONS[what], async (asked) => {
        const call = leadCall(asked);
        return this.board.ask(what, await this.#leading.onBoard(what, asked.input, call), call);
      }),
    ]);
    const plans = (Object.keys(PLAN_QUESTIONS) as PlanQuestion[]).map((what) => [
      what,
      this.#answering(PLAN_ACTIONS[what], ({ projectId, key, input }) =>
        this.#plans.ask(what, input, { projectId, actor: agentOf(projectId), callId: key }),
      ),
    ]);
    const leads = (Object.keys(LEAD_QUESTIONS) as LeadQuestion[]).map((what) => [
      what,
      this.#answering(LEAD_ACTIONS[what], (asked) =>
        this.#leading.ask(what, asked.input, leadCall(asked), ({ taskId: id, role }) =>
          this.#startRun(asked, { role, task: { id } }),
        ),
      ),
    ]);
    return {
      ...Object.fromEntries([...board, ...plans, ...leads]),
      [IDLE_QUESTION]: this.#answering("readProject", (asked) => this.#idle(asked)),
      brief: this.#answering("readProject", (asked) => this.#brief(asked)),
      notify: this.#answering("tell", (asked) => this.#notify(asked)),
      escalate: this.#answering("ask", (asked) => this.#escalate(asked)),
      [RUN_QUESTIONS.permit]: {
        ...this.#answering("ask", (asked) => this.#permit(asked)),
        mayBeCutOff: true,
      },
      [RUN_QUESTIONS.called]: this.#answering("ask", (asked) => this.#called(asked)),
      spawn: this.#answering("spawnTeamRole", (asked) => this.#spawn(asked)),
    };
  }

  get #leading(): Leading {
    return this.#parts.leading.part;
  }

  /** The next message begins a session. */
  gone(projectId: string): void {
    this.#greetings.delete(projectId);
  }

  #greeting(projectId: string): Promise<Remark> {
    const greeting = this.#greetings.get(projectId) ?? this.#parts.greeting(projectId);
    this.#greetings.set(projectId, greeting);
    return greeting;
  }

  #answering(action: Action, answer: (asked: Asked) => Promise<unknown>): HallQuestion {
    const whileOpen: HallAnswer = async (input, { projectId, runId, messageId, callId }) => {
      if (messageId === undefined || runId !== undefined)
        throw new HallError("forbidden", "Only the project's own agent may request this.");
      const message = this.#openTo(projectId).find(({ id }) => id === messageId);
      // It was dealt with, or somebody stopped everything while it waited.
      if (message === undefined) throw new HallError("forbidden", "The answer is no longer needed.");
      return answer({
        projectId,
        message,
        key: `call ${projectId} ${message.id} ${callId}`,
        callId: callId ?? "",
        input,
      });
    };
    return { action, answer: whileOpen };
  }

  async #modelOf(projectId: string): Promise<string> {
    const { hall, models } = this.#parts;
    await models.settle();
    const { model } = hall.projects.get(projectId);
    return model === undefined || model === "default" ? models.defaultModel() : model;
  }

  /** With which settings a project's process may ask a model now for its agent. Throws when it may not at all. */
  settingsFor(projectId: string): ModelSettings {
    const turn = this.#turns.get(projectId);
    const isOpen = turn !== undefined && this.#openTo(projectId).some(({ id }) => id === turn.messageId);
    if (!isOpen) throw new HallError("forbidden", "The project's agent has no message to answer.");
    const calls = (turn.calls.get(turn.messageId) ?? 0) + 1;
    if (calls > MOST_CALLS)
      throw new HallError("forbidden", `The model was called ${MOST_CALLS} times for one message.`);
    turn.calls.set(turn.messageId, calls);
    return turn.settings;
  }

  /** What a project's agent has to answer. */
  #openTo(projectId: string): ChannelMessage[] {
    const { exchange } = this.#parts;
    const address = projectChannel(projectId);
    const open = exchange.channels.of(address).open("project");
    return open.filter(
      (message) =>
        message.quiet !== true && exchange.isWanted(address, "project", message.id) && this.#leading.isWanted(message),
    );
  }

  #begin(projectId: string, messageId: string, settings: ModelSettings): void {
    const open = new Set(this.#openTo(projectId).map(({ id }) => id));
    const calls = [...(this.#turns.get(projectId)?.calls ?? [])].filter(([id]) => open.has(id));
    this.#turns.set(projectId, { messageId, settings, calls: new Map(calls) });
  }

  async #brief({ projectId, message }: Asked): Promise<ProjectBrief> {
    const { hall, config } = this.#parts;
    const model = await this.#modelOf(projectId);
    const settings: ModelSettings = { model, thinking: "low" };
    this.#begin(projectId, message.id, settings);
    return {
      name: hall.projects.get(projectId).name,
      settings,
      contextWindow: contextWindowOf(model, config),
      turns: TURNS,
      board: this.board.state(projectId, TASKS_SHOWN),
      knowledge: hall.knowledge.index(projectId, KNOWLEDGE_TOKENS),
      roles: teamText(hall, projectId),
      tiers: this.#parts.decisions.text(),
      context: (await this.#greeting(projectId)).feedback ?? "",
      lead: this.#leading.told(projectId, message.root ?? message.id),
      guards: this.#parts.guard.part.guardsOf(projectId),
    };
  }

  async #notify({ projectId, message, input, key }: Asked): Promise<string> {
    const { text } = checkedInput(Note, input);
    const address = projectChannel(projectId);
    const id = idOf("notify", key);
    const isNote = (said: ChannelMessage) =>
      said.from === "project" && said.to === "main" && said.inReplyTo === undefined && said.root === root;
    const { root, hops, ask } = following(message);
    const notes = this.#parts.exchange.channels.of(address).page({ after: message.seq, limit: 500 }).filter(isNote);
    if (notes.length >= MOST_NOTES && !notes.some((note) => note.id === id))
      throw new HallError(
        "forbidden",
        `You already sent the main agent ${MOST_NOTES} notifications for this message.`,
        {
          hint: "Put the rest into your answer.",
        },
      );
    const quiet = mayGoOn(message) ? {} : { quiet: true as const };
    const draft = { id, from: "project" as const, to: "main" as const, text, root, hops, ...(ask && { ask }) };
    await this.#parts.exchange.send(address, { ...draft, ...quiet });
    return "Sent to the main agent.";
  }

  async #idle({ projectId, message, input }: Asked): Promise<Remark> {
    const { exchange, moments, models } = this.#parts;
    // The offline model has nothing to add to what it plays.
    if (models.isPlayed(this.#turns.get(projectId)?.settings.model ?? "")) return {};
    const isWord = ({ from, to }: ChannelMessage) => from === "project" && (to === "main" || to === "person");
    const said = exchange.channels.of(projectChannel(projectId)).page({ after: message.seq, limit: 500 });
    const to = message.answerTo ?? message.from;
    return moments.idle({
      ...checkedInput(EndedTurn, input),
      ...{ projectId, messageId: message.id },
      isAwaited: to === "person" || to === "main",
      hasTold: said.some(isWord),
      lead: this.#leading.turn(projectId, message.root ?? message.id),
    });
  }

  async #escalate({ projectId, message, input, key }: Asked): Promise<string> {
    const { questions, redact } = this.#parts;
    const question = redact(projectId, checkedInput(Question, input));
    const initiative = this.#leading.initiativeOf(message.root ?? message.id);
    const asked = await questions.ask(question, { kind: "project", projectId, initiative, callId: key });
    return asked.state === "told" ? asked.text : "";
  }

  /** Without anyone to ask, a call that should be asked about is refused. */
  async #permit({ projectId, message, callId, input }: Asked): Promise<Permit> {
    const { guard } = this.#parts;
    const call = { projectId, ask: message.ask ?? [], callId, ...checkedInput(CallAsked, input) };
    return guard.part.permit(call);
  }

  async #called({ projectId, message, callId, input }: Asked): Promise<Remark> {
    const call = { projectId, ask: message.ask ?? [], callId, ...checkedInput(CallMade, input) };
    return this.#parts.guard.part.called(call);
  }

  async #spawn(asked: Asked): Promise<string> {
    const { role, ...task } = checkedInput(Spawn, asked.input);
    return (await this.#startRun(asked, { role, task })).text;
  }

  async #startRun({ projectId, message, key }: Asked, what: Pick<AgentSpawn, "role" | "task">) {
    const model = await this.#modelOf(projectId);
    const answerTo: Speaker = message.answerTo ?? message.from;
    const { root, hops } = following(message);
    const asker = { agent: "project" as const, channel: projectChannel(projectId), root, hops, answerTo };
    const caller = { kind: "projectAgent" as const, project: projectId };
    const by = { actor: agentOf(projectId), caller, asker, callId: key, model, ask: message.ask };
    const started = await this.#parts.spawns.start({ projectId, ...what, ...by });
    await this.#leading.noteRun(root, started.runId);
    return started;
  }
}

function leadCall({ projectId, message, key }: Asked): LeadCall {
  const { id, root = id, ask } = message;
  return { projectId, root, actor: agentOf(projectId), callId: key, ask };
}

/** Who changes the board on behalf of a project's agent. */
function agentOf(projectId: string): Actor {
  return { kind: "agent", id: `project:${projectId}`, via: "daemon" };
}

function teamText({ roles, team }: Hall, projectId: string): string {
  const ids = new Set(team.list(projectId).flatMap(({ roleId, status }) => (status === "active" ? [roleId] : [])));
  if (ids.size === 0) return NO_TEAM;
  return [...ids].map((id) => `- ${id}: ${descriptionOf(roles, id)}`).join("\n");
}

/** A team may name a role that is gone. */
function descriptionOf(roles: Hall["roles"], id: string): string {
  try {
    return roles.get(id).description.split("\n")[0] ?? "";
  } catch (error) {
    if (error instanceof HallError) return "(role does not exist)";
    throw error;
  }
}
