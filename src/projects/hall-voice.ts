import { type ChannelAddress, projectChannel } from "../contract/documents/channel.ts";
import { endedRun } from "../contract/runs/end-message.ts";
import type { ProcessCrash } from "../processes/crash-reports.ts";
import type { Core } from "../workspace/core.ts";
import type { Exchange, TurnEnd } from "./channels/exchange.ts";

/** Where words of triggers for the main agent go: where the dashboard shows what it says. */
const SAVED: ChannelAddress = { type: "http", id: "default" };

/** What the hall itself says to agents, of what happened and what it wants of them. */
export class HallVoice {
  readonly #exchange: Exchange;
  readonly #core: Core;

  constructor(exchange: Exchange, core: Core) {
    this.#exchange = exchange;
    this.#core = core;
  }

  /** Whether a project's agent has something to answer. */
  isSpokenTo(projectId: string): boolean {
    return this.#openTo(projectId).some(({ quiet }) => quiet !== true);
  }

  isUnread(projectId: string, messageId: string): boolean {
    return this.#openTo(projectId).some(({ id }) => id === messageId);
  }

  /** Runs whose end the project's agent was told and has not begun to deal with. */
  unreadResults(projectId: string): string[] {
    const underWay = this.#exchange.doing(projectChannel(projectId))?.messageId;
    return this.#openTo(projectId).flatMap(({ id, quiet }) =>
      quiet === true || id === underWay ? [] : (endedRun(id) ?? []),
    );
  }

  /** Projects that something was said to since the start of the daemon, or before it and not dealt with. */
  listening(): string[] {
    const loaded = this.#exchange.channels.loaded().filter(({ address }) => address.type === "project");
    return loaded.map(({ address }) => address.id).filter((id) => this.#core.projects.status(id) !== undefined);
  }

  /** Nobody hears the answer. False: the project does not listen. */
  async tell(projectId: string, text: string, id: string): Promise<boolean> {
    if (this.#core.projects.status(projectId) !== "active") return false;
    const draft = { id, from: "hall" as const, to: "project" as const, text, root: id, hops: 0 };
    await this.#exchange.send(projectChannel(projectId), { ...draft, answerTo: "hall" });
    return true;
  }

  /** Its answer goes to the person in that channel. False: the channel's project is gone. */
  async tellMain(address: ChannelAddress, text: string, id: string): Promise<boolean> {
    if (address.type === "project" && this.#core.projects.status(address.id) === undefined) return false;
    await this.#exchange.send(address, { id, from: "hall", to: "main", text, root: id, hops: 0 });
    return true;
  }

  /** Says the person's words to the main agent, which were written before, and answers the person there. */
  async saySaved(text: string, id: string): Promise<void> {
    await this.#exchange.send(SAVED, { id, from: "person", to: "main", text, root: id, hops: 0 });
  }

  isSavedUnread(id: string): boolean {
    return this.#exchange.channels
      .of(SAVED)
      .open("main")
      .some((message) => message.id === id);
  }

  /** Hears what came of every message. */
  heed(listener: (end: TurnEnd) => void): () => void {
    return this.#exchange.heed(listener);
  }

  /** What became of something that was said to the main agent. `dropped`: it is not there, or the agent failed at it. */
  heardByMain(address: ChannelAddress, id: string): "open" | "read" | "dropped" {
    const file = this.#exchange.channels.of(address);
    if (file.open("main").some((message) => message.id === id)) return "open";
    const outcome = file.outcomeOf(id, "main");
    return outcome === undefined || outcome === "failed" ? "dropped" : "read";
  }

  /** The main agent learns of it with the next message; it costs no model call of its own. */
  async tellCrash({ projectId, cause, crashes, tooMany }: ProcessCrash): Promise<void> {
    if (this.#core.projects.status(projectId) === undefined) return;
    const consequence = tooMany
      ? `It crashed ${crashes} times within a minute, so the project is suspended.`
      : "It restarts when needed.";
    await this.#exchange.send(projectChannel(projectId), {
      id: `crash-${this.#core.nextId()}`,
      from: "hall",
      to: "main",
      text: `The process of project '${projectId}' crashed: ${cause}. ${consequence}`,
      quiet: true,
    });
  }

  #openTo(projectId: string) {
    return this.#exchange.channels.of(projectChannel(projectId)).open("project");
  }
}
