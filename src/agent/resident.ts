import type { SessionEntry, SessionMessage } from "../contract/runs/session.ts";
import type { ResidentPorts } from "./resident-ports.ts";
import { ResidentTurn } from "./resident-turn.ts";
import type { Session } from "./session.ts";
import type { TurnEnd } from "./session-tail.ts";

/** How long whoever is told of an answer may take to confirm it when the resident leaves. */
const CONFIRM_MS = 2_000;

/** An agent that lives on: it takes messages one at a time, and its session is all it knows of those before. */
export class Resident {
  readonly #session: Session;
  readonly #ports: ResidentPorts;
  readonly #queue: SessionMessage[] = [];
  #turn: ResidentTurn | undefined;
  #handling: string | undefined;
  #working: Promise<void> | undefined;
  #state: "here" | "leaving" | "broken" = "here";
  #history = 0;
  /** Waits no longer for the one who is being told of an answer. */
  #giveUp: (() => void) | undefined;

  constructor(session: Session, ports: ResidentPorts) {
    this.#session = session;
    this.#ports = ports;
  }

  get isBusy(): boolean {
    return this.#working !== undefined;
  }

  /** Resolves when nothing that was delivered is left to do. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** As often as one likes: a message is taken down once. One that was dealt with is only told of again. */
  deliver(message: SessionMessage): void {
    if (this.#state !== "here" || this.#handling === message.id) return;
    if (this.#queue.some(({ id }) => id === message.id)) return;
    this.#queue.push(message);
    this.#working ??= this.#work();
  }

  /** Ends the answer under way, and no other; where a message is named, only the answer to that one. */
  stop(reason: string, messageId?: string): boolean {
    if (messageId !== undefined && this.#handling !== messageId) return false;
    return this.#turn?.stop(reason) ?? false;
  }

  /** Nothing new is begun; what is under way has a few seconds. An answer that is not over by then goes on another time. */
  async leave(): Promise<void> {
    if (this.#state === "here") this.#state = "leaving";
    this.#turn?.leave();
    this.#session.stopWaiting();
    const timer = setInterval(() => this.#giveUp?.(), this.#ports.leaveMs?.tool ?? CONFIRM_MS);
    await this.#working;
    clearInterval(timer);
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    try {
      while (this.#state === "here") {
        const message = this.#next();
        if (message === undefined) break;
        this.#handling = message.id;
        await this.#handle(message);
      }
    } catch (error) {
      this.#state = "broken";
      this.#ports.onTrouble(error);
    }
    this.#handling = undefined;
    this.#working = undefined;
  }

  /** A turn that was begun is ended before another begins. */
  #next(): SessionMessage | undefined {
    const [first] = this.#queue;
    const unfinished = this.#session.unfinished();
    if (first === undefined || unfinished === undefined || this.#session.endOf(first.id) !== undefined)
      return this.#queue.shift();
    const at = this.#queue.findIndex(({ id }) => id === unfinished.id);
    if (at !== -1) this.#queue.splice(at, 1);
    return unfinished;
  }

  async #handle(message: SessionMessage): Promise<void> {
    const known = this.#session.endOf(message.id);
    if (known !== undefined) return this.#tell(message, known);
    // One that was taken down too long ago to be told to the model is taken down again.
    const isTold =
      message.quiet === true ? this.#session.has(message.id) : this.#session.unfinished()?.id === message.id;
    if (!isTold) await this.#session.append(this.#entryOf(message));
    if (message.quiet === true) return this.#tell(message, { outcome: "answered", text: "" });
    const turn = new ResidentTurn(message, { session: this.#session, ports: this.#ports, history: ++this.#history });
    this.#turn = turn;
    if (this.#state !== "here") turn.leave();
    const end = await turn.end().finally(() => {
      this.#turn = undefined;
      this.#history = turn.history;
    });
    if (end !== undefined) await this.#tell(message, end);
  }

  /** Whoever could not be told is told when the message comes again. */
  async #tell(message: SessionMessage, end: TurnEnd): Promise<void> {
    const { promise: givenUp, resolve } = Promise.withResolvers<void>();
    this.#giveUp = resolve;
    await Promise.race([this.#ports.onAnswered(message, end).catch(() => undefined), givenUp]);
    this.#giveUp = undefined;
  }

  #entryOf(message: SessionMessage): SessionEntry {
    const { id, from, text } = message;
    const shown = this.#ports.redact({ type: "message", from: from === "person" ? "person" : "hall", text, id });
    return { type: "message", ...message, text: shown.type === "message" ? shown.text : text };
  }
}
