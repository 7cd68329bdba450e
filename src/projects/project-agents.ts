import type { ModelWait } from "../contract/documents/budget.ts";
import { type ChannelAddress, type ChannelMessage, projectChannel } from "../contract/documents/channel.ts";
import type { HallEvent } from "../contract/event.ts";
import type { Guards } from "../contract/runs/guarding.ts";
import type { Delta } from "../contract/runs/model-call.ts";
import type { SessionMessage } from "../contract/runs/session.ts";
import { activityOf } from "../contract/words/activity-words.ts";
import type { Core } from "../workspace/core.ts";
import { soon } from "../workspace/soon.ts";
import { AGAIN_MS, sendDelta } from "./answer-deltas.ts";
import type { NewMessage } from "./channels/channel-file.ts";
import { type Exchange, following, idOf, mayGoOn, type Party } from "./channels/exchange.ts";
import type { Sessions, Talked } from "./sessions.ts";

interface Parts {
  core: Core;
  exchange: Exchange;
  sessions: Pick<Sessions, "talk" | "rest" | "tell" | "guard">;
  onTrouble: (what: string, error: unknown) => void;
}

type Answered = Omit<Extract<Talked, { type: "answered" }>, "orderId">;

const HEEDED = new Set(["project.moved", "file.mended"]);

/**
 * The agents of all projects, as the daemon knows them: it wakes their processes when there is something to deal with,
 * hands it over, and keeps what they answer. What was handed to a process that is gone is handed to the next one.
 */
export class ProjectAgents implements Party {
  readonly #parts: Parts;
  /** What the present process of a project was told. */
  readonly #told = new Map<string, Set<string>>();
  /** Answers that are being written down. */
  readonly #keeping = new Set<Promise<void>>();
  #unsubscribe: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes up what was left open. */
  start(): void {
    const { core, exchange } = this.#parts;
    this.#unsubscribe = core.events.subscribe((event) => this.#heed(event));
    for (const { address } of exchange.channels.withOpen("project")) this.look(address);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
  }

  /** Resolves when what the processes said last is kept. */
  async settle(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  look({ id }: ChannelAddress): void {
    if (this.#isClosed) return;
    const { core, onTrouble } = this.#parts;
    core.locks
      .run(`talk with ${id}`, () => this.#attend(id))
      .catch((error) => onTrouble(`the agent of project ${id} could not be reached`, error));
  }

  /** Whether there was an answer to stop: the one under way, or that of the next message. */
  stop(projectId: string, reason: string): boolean {
    const next = this.#open(projectId).find(({ quiet }) => quiet !== true);
    if (next === undefined) return false;
    this.#parts.exchange.giveUp(projectChannel(projectId), [next.id]);
    this.#parts.sessions.tell(projectId, { type: "stop_answer", messageId: next.id, reason });
    return true;
  }

  /** Nobody wants the answers to these any more: the one under way ends, and none of the others begins. */
  drop(projectId: string, isIt: (message: ChannelMessage) => boolean, reason: string): void {
    const ids = this.#open(projectId).flatMap((message) =>
      message.quiet !== true && isIt(message) ? [message.id] : [],
    );
    this.#parts.exchange.giveUp(projectChannel(projectId), ids);
    for (const messageId of ids) this.#parts.sessions.tell(projectId, { type: "stop_answer", messageId, reason });
  }

  /** Ends every answer, of one project or of all, and all that waits for one. */
  async stopAll(projectId: string | undefined, reason: string): Promise<void> {
    const { exchange } = this.#parts;
    const files = exchange.channels.loaded().filter(({ address }) => address.type === "project");
    const all = files.filter(({ address }) => projectId === undefined || address.id === projectId);
    const open = all.map(({ address: { id } }) => ({ id, messages: this.#open(id) }));
    for (const { id, messages } of open) {
      exchange.giveUp(
        projectChannel(id),
        messages.map((message) => message.id),
      );
      this.stop(id, reason);
    }
    const end = { type: "answered" as const, outcome: "stopped" as const, text: "", error: reason };
    for (const { id, messages } of open)
      for (const { id: messageId } of messages) await this.#answered(id, { ...end, messageId });
  }

  hear(projectId: string, said: Talked): void {
    const address = projectChannel(projectId);
    if (said.type === "answered") this.#track(projectId, said);
    else this.#parts.exchange.does(address, { messageId: said.messageId, activity: said.activity });
  }

  hearDelta(projectId: string, delta: Delta): void {
    const { exchange } = this.#parts;
    const address = projectChannel(projectId);
    const messageId = exchange.doing(address)?.messageId;
    if (messageId !== undefined) sendDelta(exchange, { address, messageId }, delta);
  }

  hearWait(projectId: string, wait: ModelWait | undefined): void {
    const { exchange } = this.#parts;
    const address = projectChannel(projectId);
    const doing = exchange.doing(address);
    if (doing !== undefined) exchange.does(address, { ...doing, activity: activityOf(wait) });
  }

  /** What the hall is asked about has changed. */
  guard(guardsOf: (projectId: string) => Guards | undefined): void {
    for (const projectId of this.#told.keys()) this.#parts.sessions.guard(projectId, guardsOf(projectId) ?? {});
  }

  /** Its process is gone: whatever it was told and has not dealt with is told to the next one. */
  gone(projectId: string): void {
    this.#told.delete(projectId);
    const { exchange } = this.#parts;
    const address = projectChannel(projectId);
    const messageId = exchange.doing(address)?.messageId;
    exchange.does(address, undefined);
    // What was written so far is void, if it is not all that there is to say.
    if (this.#open(projectId).some(({ id }) => id === messageId))
      exchange.channels.tell(address, { kind: "restart", messageId: messageId ?? "" });
    if (this.#open(projectId).length > 0) this.look(address);
  }

  #heed({ type, projectId }: HallEvent): void {
    if (projectId === undefined) return;
    if (type === "project.removed") this.#parts.exchange.channels.forget(projectChannel(projectId));
    if (!HEEDED.has(type)) return;
    const { core, onTrouble } = this.#parts;
    soon(
      core.shown,
      () => this.#follow(projectId),
      (error) => onTrouble(`the agent of project ${projectId} could not follow a change`, error),
    );
  }

  /** Whoever waits for a project that does not listen any more is told so; what was said to it stays. */
  #follow(projectId: string): void {
    const address = projectChannel(projectId);
    const status = this.#parts.core.projects.status(projectId);
    if (status === undefined || this.#isClosed) return;
    const reason = `The project is ${status}. It answers your message when it is resumed.`;
    if (status === "active") this.look(address);
    else this.#parts.exchange.hold(address, "project", reason);
  }

  #open(projectId: string): ChannelMessage[] {
    if (this.#parts.core.projects.status(projectId) === undefined) return [];
    return this.#parts.exchange.channels.of(projectChannel(projectId)).open("project");
  }

  async #attend(projectId: string): Promise<void> {
    const { core, sessions } = this.#parts;
    const isWanted = () => !this.#isClosed && core.projects.status(projectId) === "active";
    if (!isWanted() || !this.#open(projectId).some(({ quiet }) => quiet !== true)) return;
    // A process that dies before it is ready is reported as gone, and this begins anew.
    const place = await sessions.talk(projectId).catch(() => undefined);
    if (place === undefined || !isWanted()) return;
    if (!this.#open(projectId).some(({ quiet }) => quiet !== true)) return sessions.rest(projectId);
    if (typeof place === "string") return this.#refuse(projectId, place);
    const told = this.#told.get(projectId) ?? new Set();
    this.#told.set(projectId, told);
    for (const message of this.#open(projectId)) {
      if (told.has(message.id)) continue;
      told.add(message.id);
      place.send({ type: "post", message: posted(message, projectId) });
    }
  }

  /** Nobody can be woken, as when the working folder is gone: whoever asked is told why. */
  async #refuse(projectId: string, reason: string): Promise<void> {
    if (this.#isClosed) return;
    for (const { id: messageId } of this.#open(projectId))
      await this.#answered(projectId, { type: "answered", messageId, outcome: "failed", text: "", error: reason });
  }

  /** One after the other: each is kept only after the one before it. */
  #answered(projectId: string, said: Answered): Promise<void> {
    return this.#parts.core.locks.run(`answers of ${projectId}`, () => this.#keep(projectId, said));
  }

  async #keep(projectId: string, said: Answered): Promise<void> {
    const { exchange, sessions } = this.#parts;
    const address = projectChannel(projectId);
    const message = exchange.channels.of(address).find(said.messageId);
    // What was said to others is not the project's to deal with.
    if (message?.to !== "project") return;
    const { error } = said;
    const outcome = exchange.outcomeOf(address, message.id, said.outcome);
    const answer = answerTo(message, { ...said, outcome });
    await exchange.dealtWith({ address, by: "project", message }, { outcome, error, answer, text: said.text });
    this.#told.get(projectId)?.delete(message.id);
    if (!this.#open(projectId).some(({ quiet }) => quiet !== true)) sessions.rest(projectId);
  }

  /** What could not be kept is asked for again: its session has it. */
  #track(projectId: string, said: Answered): void {
    const { core, onTrouble } = this.#parts;
    const work = this.#answered(projectId, said).catch((error) => {
      // A lost index can't say whether the project is still there.
      if (this.#isClosed || (!core.shown.isLost && core.projects.status(projectId) === undefined)) return;
      onTrouble(`what the agent of project ${projectId} said could not be saved yet`, error);
      this.#told.get(projectId)?.delete(said.messageId);
      setTimeout(() => this.look(projectChannel(projectId)), AGAIN_MS).unref();
    });
    this.#keeping.add(work);
    void work.finally(() => this.#keeping.delete(work));
  }
}

function posted({ id, from, text, at, root, hops, quiet, ask }: ChannelMessage, projectId: string): SessionMessage {
  return { id, from, channel: projectChannel(projectId), text, at, root, hops, quiet, ask };
}

/** What is said in answer to a message; undefined when nobody wants to hear it. */
function answerTo(message: ChannelMessage, { outcome, text, error, steps }: Answered): NewMessage | undefined {
  const to = message.answerTo ?? message.from;
  if ((to !== "person" && to !== "main") || message.quiet === true) return undefined;
  const common = { id: idOf("answer", message.id), to, inReplyTo: message.id, ...following(message) };
  const quiet = to === "main" && (outcome === "stopped" || !mayGoOn(message)) ? { quiet: true as const } : {};
  if (outcome === "answered" && text.trim() !== "")
    return { ...common, ...quiet, from: "project", text, ...(steps === undefined ? {} : { steps }) };
  if (outcome === "answered" && to === "person") return undefined;
  if (outcome === "stopped" && to === "person") return undefined;
  const reason =
    outcome === "answered"
      ? "It ended its turn without an answer."
      : (error ?? `Its turn ${outcome === "refused" ? "was refused" : outcome}.`);
  return { ...common, ...quiet, from: "hall", text: `The project's agent gave no answer: ${reason}` };
}
