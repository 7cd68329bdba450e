import { z } from "zod";
import { BOARD_QUESTIONS, type BoardQuestion } from "../agent/tools/board-tools.ts";
import type { ChannelMessage, Speaker } from "../contract/channel.ts";
import type { Config } from "../contract/config.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { ModelSettings } from "../contract/model-call.ts";
import { contextWindowOf } from "../models/context-windows.ts";
import type { Models } from "../models/open-models.ts";
import type { HallAnswer, HallQuestions } from "../runs/hall-questions.ts";
import type { Hall } from "../workspace/hall.ts";
import type { AgentSpawns } from "./agent-spawns.ts";
import { BoardDesk } from "./board-desk.ts";
import { type Exchange, following, idOf, mayGoOn } from "./exchange.ts";
import { projectChannel } from "./project-agents.ts";

const TASKS_SHOWN = 25;
const KNOWLEDGE_TOKENS = 2_000;
/** Answers of the model to one message. */
const TURNS = 30;

/** What a project's process is told before its agent answers a message. */
export interface ProjectBrief {
  name: string;
  settings: ModelSettings;
  /** Why this model. */
  because: string;
  contextWindow: number;
  turns: number;
  board: string;
  knowledge: string;
  /** Roles and templates that can be spawned, a line each. */
  roles: string;
}

export const Spawn = z.strictObject({
  role: z.string().min(1).max(100).describe("The id of its role, or of a built-in template."),
  title: z.string().min(1).max(500).describe("The task in one line."),
  description: z
    .string()
    .max(100_000)
    .default("")
    .describe("All that it has to know: it does not see this conversation."),
});
export const Note = z.strictObject({ text: z.string().min(1).max(10_000) });

interface Asked {
  projectId: string;
  /** What the agent answers while it asks. */
  message: ChannelMessage;
  /** Of this very call: asking again changes nothing more. */
  key: string;
  input: unknown;
}

interface Parts {
  hall: Hall;
  config: Config;
  models: Pick<Models, "defaultModel" | "settle" | "whyNot">;
  exchange: Exchange;
  spawns: AgentSpawns;
}

/** What the agents of projects ask of the hall. */
export class HallDesk {
  readonly #parts: Parts;
  readonly board: BoardDesk;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.board = new BoardDesk(parts.hall);
  }

  /** By name; each is for the project's own agent while it answers a message, and for nobody else. */
  questions(): HallQuestions {
    const board = (Object.keys(BOARD_QUESTIONS) as BoardQuestion[]).map((what) => [
      what,
      this.#answering(({ projectId, key, input }) =>
        this.board.ask(what, input, { projectId, actor: agentOf(projectId), callId: key }),
      ),
    ]);
    return {
      ...Object.fromEntries(board),
      brief: this.#answering((asked) => this.#brief(asked)),
      notify: this.#answering((asked) => this.#notify(asked)),
      spawn: this.#answering((asked) => this.#spawn(asked)),
    };
  }

  #answering(answer: (asked: Asked) => Promise<unknown>): HallAnswer {
    return async (input, { projectId, runId, messageId, callId }) => {
      const channel = this.#parts.exchange.channels.of(projectChannel(projectId));
      const message = messageId === undefined || runId !== undefined ? undefined : channel.find(messageId);
      if (message === undefined) throw new HallError("forbidden", "Only the project's own agent may ask for this.");
      return answer({ projectId, message, key: `call ${projectId} ${message.id} ${callId}`, input });
    };
  }

  /** The model of a project, and why it is this one. */
  async modelOf(projectId: string): Promise<{ model: string; because: string }> {
    const { hall, models } = this.#parts;
    await models.settle();
    const { model } = hall.projects.get(projectId);
    return model === undefined || model === "default"
      ? { model: models.defaultModel(), because: "the hall's default" }
      : { model, because: "the project names it" };
  }

  async #brief({ projectId, message }: Asked): Promise<ProjectBrief> {
    const { hall, config, exchange } = this.#parts;
    // Somebody stopped everything while it waited.
    if (!exchange.isWanted(projectChannel(projectId), "project", message.id))
      throw new HallError("forbidden", "The answer is not wanted any more.");
    const { model, because } = await this.modelOf(projectId);
    return {
      name: hall.projects.get(projectId).name,
      settings: { model, thinking: "low" },
      because,
      contextWindow: contextWindowOf(model, config),
      turns: TURNS,
      board: this.board.state(projectId, TASKS_SHOWN),
      knowledge: hall.knowledge.index(projectId, KNOWLEDGE_TOKENS),
      roles: rolesText(hall),
    };
  }

  async #notify({ projectId, message, input, key }: Asked): Promise<string> {
    const { text } = Note.parse(input);
    const quiet = mayGoOn(message) ? {} : { quiet: true as const };
    const draft = {
      id: idOf("notify", key),
      from: "project" as const,
      to: "main" as const,
      text,
      ...following(message),
    };
    await this.#parts.exchange.send(projectChannel(projectId), { ...draft, ...quiet });
    return "The main agent is told.";
  }

  async #spawn({ projectId, message, input, key }: Asked): Promise<string> {
    const { role, title, description } = Spawn.parse(input);
    const { model } = await this.modelOf(projectId);
    const answerTo: Speaker = message.answerTo ?? message.from;
    const { root, hops } = following(message);
    const asker = { agent: "project" as const, channel: projectChannel(projectId), root, hops, answerTo };
    const spawn = { projectId, role, title, description, actor: agentOf(projectId), asker, callId: key, model };
    return this.#parts.spawns.start(spawn);
  }
}

/** Who changes the board on behalf of a project's agent. */
export function agentOf(projectId: string): Actor {
  return { kind: "agent", id: `project:${projectId}`, via: "daemon" };
}

export function rolesText({ roles }: Hall): string {
  const known = roles.list({ limit: 30 }).roles;
  const templates = roles.templates().filter(({ id }) => !known.some((role) => role.id === id));
  const line = ({ id, description }: { id: string; description: string }) => `- ${id}: ${description.split("\n")[0]}`;
  return [...known.map(line), ...templates.map((template) => `${line(template)} (template)`)].join("\n");
}
