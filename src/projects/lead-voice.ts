import { type ChannelMessage, projectChannel } from "../contract/documents/channel.ts";
import type { TurnOutcome } from "../contract/runs/session.ts";
import type { Exchange, TurnEnd } from "./channels/exchange.ts";
import type { ProjectAgents } from "./project-agents.ts";

interface Parts {
  exchange: Exchange;
  agents: Pick<ProjectAgents, "drop">;
}

type IsIt = (message: Pick<ChannelMessage, "id" | "root">) => boolean;

/** What leads say and hear in the channels of their projects. */
export class LeadVoice {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tells a project's agent to work. The same id again says it once; nobody hears the answer. */
  async tell(projectId: string, text: string, id: string): Promise<void> {
    const draft = { id, from: "hall" as const, to: "project" as const, text, root: id, hops: 0 };
    await this.#parts.exchange.send(projectChannel(projectId), { ...draft, answerTo: "hall" });
  }

  /** What a project's agent did, for the main agent: it reads it with its next message. */
  async report(projectId: string, text: string, id: string): Promise<void> {
    const draft = { id, from: "project" as const, to: "main" as const, text, root: id, quiet: true as const };
    await this.#parts.exchange.send(projectChannel(projectId), draft);
  }

  /** Whether it was said, dealt with or not. */
  isSaid(projectId: string, id: string): boolean {
    return this.#parts.exchange.channels.of(projectChannel(projectId)).find(id) !== undefined;
  }

  /** Whether the project's agent has one of these to deal with. */
  isOpen(projectId: string, isIt: IsIt): boolean {
    const open = this.#parts.exchange.channels.of(projectChannel(projectId)).open("project");
    return open.some((message) => message.quiet !== true && isIt(message));
  }

  /** Nobody wants the answers to these any more. */
  drop(projectId: string, isIt: IsIt, reason: string): void {
    this.#parts.agents.drop(projectId, isIt, reason);
  }

  /** How the project's agent ended its turn about the message; undefined: not known, or not over. */
  outcomeOf(projectId: string, id: string): TurnOutcome | undefined {
    return this.#parts.exchange.channels.of(projectChannel(projectId)).outcomeOf(id, "project");
  }

  /** Hears what came of every message. */
  heed(listener: (end: TurnEnd) => void): () => void {
    return this.#parts.exchange.heed(listener);
  }
}
